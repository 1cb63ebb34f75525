// What the window plays: something with a trace, a position in it, and perhaps a way to interfere. A simulated
// run, a recording and a run on real servers look alike to the panels.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "play/run.h"
#include "scenario/problem.h"
#include "trace/trace.h"

namespace lockstep::gui {

class Tape {
 public:
  virtual ~Tape() = default;

  virtual const scenario::Scenario& scenario() const = 0;
  virtual const trace::Trace& trace() const = 0;
  virtual const trace::Snapshot& snapshot() const = 0;
  virtual int64_t position() const = 0;

  /// Makes at least one event more; false if there is none to come, or none yet (real time).
  virtual bool grow() = 0;
  /// When something happens next after the position; nullopt: nothing does, or nobody knows (real time).
  virtual std::optional<TimeUs> next_time() = 0;
  virtual bool ended() const = 0;
  virtual trace::Ending ending() const = 0;
  /// Takes in what has happened meanwhile. True if that was something.
  virtual bool poll() { return false; }
  /// True while time goes by itself: the position follows the newest event then.
  virtual bool runs_by_itself() const { return false; }
  /// What has gone wrong, to be told once.
  virtual std::vector<scenario::Problem> take_problems() { return {}; }

  virtual void seek(int64_t index) = 0;
  virtual void seek_time(TimeUs time_us) = 0;
  virtual bool jump(bool forward) = 0;

  /// Names of the interventions that are possible at the position.
  virtual const std::vector<std::string>& possible() = 0;
  [[nodiscard]] virtual std::optional<scenario::Problem> intervene(const std::string& name,
                                                                   TimeUs at_us) = 0;
  /// As play::Run::own_after().
  virtual std::optional<int64_t> own_after() const { return std::nullopt; }
  virtual bool can_undo() const { return false; }
  virtual bool undo() { return false; }

  virtual const std::vector<play::Branch>& branches() const = 0;
  virtual int32_t branch() const { return 0; }
  virtual void switch_to(int32_t) {}

  /// The run behind it, for course::Session; nullptr if there is none.
  virtual play::Run* run() { return nullptr; }
};

/// A run in the simulator, or a recording.
std::unique_ptr<Tape> tape_of(play::Run run);

/// The scenario on real servers, started at once. A problem if this build cannot.
scenario::Result<std::unique_ptr<Tape>> live_tape(const scenario::Scenario& scenario);

}  // namespace lockstep::gui
