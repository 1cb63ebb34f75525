// A screen of its own for a test: an X server without a monitor, and programs run on it. The server is
// ours alone, on a display number that it picked itself, and ends with us whatever happens.
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

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
  /// Starts one that goes on.
  pid_t start(const std::vector<std::string>& arguments) const;

 private:
  pid_t server_ = -1;
  int display_ = -1;
};

/// Ends a child and waits for it.
void stop(pid_t child);

/// Runs a program with these variables added to the environment.
Outcome run_program(const std::vector<std::string>& arguments, const std::vector<std::string>& environment,
                    int seconds = 60);

}  // namespace lockstep::gui_test
