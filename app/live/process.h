// A child process that does not outlive us, whatever ends us.
//
// The kernel kills the child when the thread that started it ends (PR_SET_PDEATHSIG), so that thread must
// live as long as the child is wanted. A child has a process group of its own: Ctrl-C in a terminal
// reaches us alone, and we stop our children in order.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "recipes/zookeeper.h"
#include "scenario/problem.h"

namespace lockstep::live {

struct ProcessOptions {
  std::vector<std::string> arguments;  ///< the first is the program's path
  std::string output_file =
      {};  ///< where its output and errors go; empty: output to channel(), errors to ours
  bool outlives_us = false;  ///< for the guard: has a session of its own and survives us
};

/// What became of a process since it was last asked.
enum class ProcessChange { kNone, kStopped, kContinued, kEnded };

class Process {
 public:
  Process() = default;
  static scenario::Result<Process> start(const ProcessOptions& options);
  /// Kills the process if it still runs, and waits for it.
  ~Process();
  Process(Process&& other) noexcept;
  Process& operator=(Process&& other) noexcept;

  pid_t pid() const { return pid_; }
  bool running() const { return pid_ > 0; }
  /// A socket: what is written to it the process reads, what it writes comes out. -1: none.
  int channel() const { return channel_; }
  /// Sends one line; false if the process no longer listens.
  bool write_line(const std::string& line);
  /// The process will read an end of file.
  void close_channel();

  /// False if there is no such process any more.
  bool signal(int number);
  /// Never waits.
  ProcessChange poll();
  /// Waits for the next change.
  ProcessChange wait();
  /// Asks to end (SIGTERM), kills after `grace_us`, and waits until it is gone.
  void stop(TimeUs grace_us);
  /// Of an ended process: "exit code 1", "signal 9".
  const std::string& ending() const { return ending_; }

 private:
  ProcessChange changed(int flags);
  bool wait_at_most(TimeUs patience_us);

  pid_t pid_ = -1;
  int channel_ = -1;
  std::string ending_;
};

/// The full path of a program on PATH; empty if there is none.
std::string program_on_path(const std::string& name);

}  // namespace lockstep::live
