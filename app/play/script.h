// The script of a scenario at work: its steps, in order, each with its trigger. A regular value, so that a
// past moment can be restored.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scenario/scenario.h"
#include "trace/snapshot.h"

namespace lockstep::play {

class Script {
 public:
  Script() = default;
  explicit Script(const scenario::Scenario& scenario);

  /// Looks at the snapshot after each choice; counts visits of lines, and notices a trigger.
  void observe(const scenario::Scenario& scenario, const trace::Snapshot& snapshot);
  /// When the next step is to be done; nullopt while its trigger has not come.
  std::optional<TimeUs> due() const { return due_us_; }
  /// The actions of the step that is due, which is then done.
  const std::vector<scenario::Intervention>& take(const scenario::Scenario& scenario);
  bool done(const scenario::Scenario& scenario) const { return next_step_ >= scenario.steps.size(); }
  /// The step that is waited for, from 0.
  size_t next_step() const { return next_step_; }

 private:
  struct Visit {
    int32_t line = 0;     // its number in the client's listing
    bool standing = false;
    int32_t count = 0;
  };

  bool triggered(const scenario::Scenario& scenario, const trace::Snapshot& snapshot) const;

  size_t next_step_ = 0;
  std::optional<TimeUs> due_us_;
  std::map<std::pair<std::string, std::string>, Visit> visits_;  // by client and line id
};

}  // namespace lockstep::play
