// Ending early: what lies half-written when somebody presses Ctrl-C is taken away first.
#pragma once

#include <string>

namespace lockstep {

/// While it lives, SIGINT, SIGTERM and SIGHUP remove the file `path` before they end the program as they
/// always do. One at a time.
class RemovedOnInterruption {
 public:
  explicit RemovedOnInterruption(const std::string& path);
  ~RemovedOnInterruption();
  RemovedOnInterruption(const RemovedOnInterruption&) = delete;
  RemovedOnInterruption& operator=(const RemovedOnInterruption&) = delete;
};

}  // namespace lockstep
