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

/// Clients named A, B, ..., all from the start, each with this many rounds and no work.
struct Crowd {
  int clients = 3;
  int32_t rounds = 1;
};
scenario::Scenario crowd(const Crowd& crowd);

/// A step: when what is at `at` is `is`, do `does` ("pause A").
scenario::Step when(const std::string& at, const scenario::Value& is, const std::string& does);

/// Options for this build's program.
live::LiveOptions options();

/// Plays; fails the test if that is not possible.
trace::Trace played(const scenario::Scenario& scenario, const live::LiveOptions& options);

/// Everything that happened, in sentences: for INFO.
std::string told(const trace::Trace& trace);

/// The index of the first event of this kind in this lane; kNoEvent if there is none.
int64_t index_of(const trace::Trace& trace, trace::EventKind kind, const std::string& lane);

/// The processes that `pid` has started and not waited for yet.
std::vector<int> children_of(int pid);

/// A folder for the test's own files, removed with the object; temporary folders go there meanwhile.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const std::string& path() const { return path_; }
  /// The folders of live runs that lie about in it.
  std::vector<std::string> left() const;

 private:
  std::string path_;
};

}  // namespace lockstep::live_tests
