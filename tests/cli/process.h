// Running the program as somebody at a terminal would, with a time limit.
#pragma once

#include <string>
#include <vector>

namespace lockstep::cli_tests {

/// What standard output is connected to.
enum class Stdout { kRead, kClosed, kFull, kReaderGone };

struct Start {
  std::vector<std::string> arguments;
  Stdout out = Stdout::kRead;
  bool ignore_sigpipe = false;   ///< as some programs do that start us
  std::string in = "/dev/null";  ///< the file that is standard input
  std::string interrupted_at =
      {};            ///< once there is such a file, or something in this folder, SIGINT is sent
  int seconds = 60;  ///< then it is killed
};

struct Outcome {
  int code = -1;      ///< exit code; -1: it was ended by a signal
  int signal = 0;     ///< which ended it
  bool late = false;  ///< it had to be killed
  std::string out;
  std::string err;
};

/// Runs LOCKSTEP_BINARY without a terminal and without a display.
Outcome run(const Start& start);
Outcome run(const std::vector<std::string>& arguments);

/// A temporary folder, removed with all that is in it.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  const std::string& folder() const { return folder_; }
  /// Writes a file and returns its path.
  std::string file(const std::string& name, const std::string& bytes) const;
  /// Names of what is there, sorted.
  std::vector<std::string> names() const;

 private:
  std::string folder_;
};

std::string bytes_of(const std::string& path);
/// Of a lesson of the course.
std::string lesson(const std::string& name);

/// The one line that was said on stderr, without "lockstep: "; requires that it is one line, that nothing is on
/// stdout, and that the exit code is this.
std::string complaint(const Outcome& outcome, int code);

}  // namespace lockstep::cli_tests
