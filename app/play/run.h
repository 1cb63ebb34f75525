// A run that one can sit at: it grows while the scheduler picks choices, it can be looked at anywhere, and
// interfered with anywhere. Interfering in the past makes a fork; the old future is kept as a branch.
//
// The run has an end (everything done, or the scenario's time is up), a *frontier* (how far it has been
// simulated), and a *position* (the event that is looked at). Moving the position never changes what
// happened. Restoring a past world equals replaying the choices up to it (tested).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scenario/problem.h"
#include "scenario/scenario.h"
#include "trace/ending.h"
#include "trace/trace.h"

namespace lockstep::play {

/// One line of history: a future that was played. Branch 0 is the first.
struct Branch {
  std::string name;             ///< what made it: "pause A at 4.120 s"; branch 0: "original"
  int32_t parent = -1;          ///< index of the branch it left; -1: none
  int64_t forked_after = trace::kNoEvent;  ///< last event that it shares with its parent
};

class Run {
 public:
  explicit Run(scenario::Scenario scenario);
  /// A run over a trace that exists already (a file, a live recording): it can be looked at only.
  explicit Run(trace::Trace recorded);
  ~Run();
  Run(Run&&) noexcept;
  Run& operator=(Run&&) noexcept;

  const scenario::Scenario& scenario() const;
  const trace::Trace& trace() const;  ///< of the current branch
  /// True: nothing more will happen in this branch by itself.
  bool ended() const;
  /// Why.
  trace::Ending ending() const;
  /// False for recordings: intervene() is refused.
  bool can_intervene() const;

  // ---- Growing -----------------------------------------------------------------------------------
  /// Lets the scheduler (and the script) make the next choice at the frontier; false if ended.
  /// `simulate_*` never move the position.
  bool simulate_step();
  /// Simulates until the frontier's time reaches `time_us`, or the end.
  void simulate_until(TimeUs time_us);
  void simulate_to_end();

  /// When something happens next after the position, as far as can be told without simulating it; nullopt if
  /// nothing does.
  std::optional<TimeUs> next_time();

  // ---- Position ----------------------------------------------------------------------------------
  int64_t position() const;  ///< index of the event just after which we look; kNoEvent: the start
  const trace::Snapshot& snapshot() const;
  /// Moves the position, simulating further if `index` lies beyond the frontier; clamped.
  void seek(int64_t index);
  /// Moves to the last event at or before `time_us`, simulating further if need be.
  void seek_time(TimeUs time_us);
  /// One event forward (simulating if needed) or back; false at the ends.
  bool step_forward();
  bool step_back();
  /// To the next or previous mark (acquired, lost, expired, refused, accepted, intervened); false if none.
  bool jump_forward();
  bool jump_back();

  // ---- Interfering -------------------------------------------------------------------------------
  /// Which interventions are possible at the position ("pause A", "hold A>db", "deliver A>db", ...).
  std::vector<std::string> possible() const;
  /// Does it at the position. If more than the rest of that choice follows there, forks first. On success the
  /// position is the intervention's last event. `name` is an intervention's name, as in scenario.h.
  /// It happens at `at_us` if nothing else happens between the position and then, else at the position.
  [[nodiscard]] std::optional<scenario::Problem> intervene(const std::string& name, TimeUs at_us = 0);
  /// The event after which somebody first interfered by hand in what is being looked at; nullopt: nobody did, and
  /// it is as the scenario alone makes it.
  std::optional<int64_t> own_after() const;
  bool can_undo() const;  ///< something was done that can be taken back
  /// Takes back the last intervention by a learner: back to the branch and position before it.
  bool undo();

  // ---- Branches ----------------------------------------------------------------------------------
  const std::vector<Branch>& branches() const;
  int32_t branch() const;
  /// Shows another branch, at the same time if it reaches so far.
  void switch_to(int32_t branch);

  // ---- Reproducing -------------------------------------------------------------------------------
  /// The names of all choices of the current branch so far, in order: with the scenario, the whole run.
  std::vector<std::string> choices() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Plays a scenario to its end. `ending`, if given, receives why it ended.
trace::Trace play_to_end(const scenario::Scenario& scenario, trace::Ending* ending = nullptr);

}  // namespace lockstep::play
