// A screen of its own for a test: an X server without a monitor, and programs run on it. The server is
// ours alone, on a display number that it picked itself, and ends with us whatever happens.
#pragma once

#include <sys/types.h>

#include <array>
#include <string>
#include <vector>

namespace lockstep::gui_test {

struct Outcome {
  int exit_code = -1;
  std::string errors;  ///< what it wrote to stderr
};

class Screen {
 public:
  Screen();
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  bool ok() const { return display_ >= 0; }
  std::string display() const { return ":" + std::to_string(display_); }

  /// Runs a program here, to its end or for `seconds` at most (then exit_code stays -1).
  Outcome run(const std::vector<std::string>& arguments, int seconds = 60) const;
  /// The colour that a monitor would show there, red, green and blue: read from the server's own memory.
  std::array<int, 3> pixel(int x, int y) const;

 private:
  std::string folder_;  // of the server's framebuffer
  pid_t server_ = -1;
  int display_ = -1;
};

/// A program that goes on while the test does something; ends with it.
class Program {
 public:
  Program(const Screen& screen, const std::vector<std::string>& arguments);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// The next line that it prints on stdout; empty if none comes within the seconds.
  std::string line(int seconds);
  /// Waits for its end.
  Outcome end(int seconds);

 private:
  pid_t child_ = -1;
  int output_ = -1;
  int errors_ = -1;
  std::string unread_;
};

/// Runs a program with these variables added to the environment.
Outcome run_program(const std::vector<std::string>& arguments,
                    const std::vector<std::string>& environment, int seconds = 60);

}  // namespace lockstep::gui_test
