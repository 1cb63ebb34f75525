// The scenario's steps, played by conditions over the snapshot as it is merged, never by times alone.
//
// A step that waits for a client to come to a line arms a break in that client as soon as its other
// conditions hold; the client then stops itself there, or waits until the step's actions are done.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "live/wire.h"
#include "scenario/scenario.h"
#include "trace/snapshot.h"

namespace lockstep::live {

/// Arm a break in a client.
struct ArmBreak {
  std::string client;
  int line = 0;
  int32_t visit = 1;
  AtBreak then = AtBreak::kWait;
};
/// Let a client go on that waits at a break.
struct LetGoOn {
  std::string client;
};
using Wish = std::variant<ArmBreak, LetGoOn, scenario::Intervention>;

class Script {
 public:
  /// `scenario` must outlive it.
  explicit Script(const scenario::Scenario& scenario) : scenario_(scenario) {}

  /// A client stands at a break.
  void at_break(const std::string& client, int line);
  /// What is to be done now, in order. To be asked again until nothing comes.
  std::vector<Wish> next(const trace::Snapshot& snapshot, TimeUs now_us);
  /// A step has been triggered and lets its time pass.
  bool waits() const { return since_us_ >= 0; }
  bool done() const { return step_ >= scenario_.steps.size(); }

 private:
  bool triggered(const scenario::Step& step, const trace::Snapshot& snapshot,
                 std::vector<Wish>& wishes);

  const scenario::Scenario& scenario_;
  size_t step_ = 0;
  bool armed_ = false;
  bool arrived_ = false;
  TimeUs since_us_ = -1;  // when everything but after_us came true; -1: not yet
};

/// What a client does at the break that this step arms.
AtBreak at_break_of(const scenario::Step& step);

}  // namespace lockstep::live
