// What the live tests play, and how they look at what is left.
#pragma once

#include <string>
#include <vector>

#include "live/live.h"
#include "scenario/scenario.h"

namespace lockstep::live_tests {

/// The GC pause: A holds, writes 70, and is paused at its second write (60) until its session has expired
/// and B has acquired and written 40. Then A goes on. C comes third.
scenario::Scenario gc_pause(scenario::RegisterRule rule);

/// `clients` clients named A, B, ..., each with this many rounds and no work.
struct Crowd {
  int clients = 3;
  int32_t rounds = 1;
};
scenario::Scenario crowd(const Crowd& crowd);

/// Options for this build's program.
live::LiveOptions options();

/// Processes whose parent we are (zombies too), and the folders of live runs that lie about.
std::vector<std::string> children_left();
std::vector<std::string> folders_left();

/// A folder for the test's own files, removed with the object.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace lockstep::live_tests
