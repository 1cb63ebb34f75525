// One branch of a run: its trace, the choices that made it, the world at its frontier, and worlds kept on
// the way so that any past moment can be restored by replaying a few choices.
#pragma once

#include <cstdint>
#include <vector>

#include "play/choice_log.h"
#include "play/recording.h"
#include "play/scheduler.h"
#include "play/script.h"
#include "sim/world.h"
#include "trace/ending.h"
#include "trace/trace.h"

namespace lockstep::play {

/// A world with all that the scheduler and the script know then.
struct Moment {
  sim::World world;
  Script script;
  size_t choices = 0;  // made before it
};

class History {
 public:
  explicit History(const scenario::Scenario& scenario);

  History(History&&) = default;
  History& operator=(History&&) = default;

  /// A second history that shares everything up to the end of the choice that made event `after`.
  History fork(int64_t after) const;

  const trace::Trace& trace() const { return recording_.trace(); }
  /// The trace, handed over; the history must not be used any more.
  trace::Trace take_trace() { return std::move(recording_.trace()); }
  const sim::World& world() const { return now_.world; }
  bool ended() const { return ending_.kind != trace::EndKind::kNotYet; }
  const trace::Ending& ending() const { return ending_; }
  const ChoiceLog& choices() const { return choices_; }

  /// The next choice of scheduler or script; false if the history has ended.
  bool step();
  /// Makes this choice at the frontier; it must be enabled or possible. Revives an ended history.
  void choose(const sim::Choice& choice);

  /// The world at the end of the choice that made event `after`.
  Moment restore(int64_t after) const;
  /// When the scheduler or the script would act next; kNever if never.
  TimeUs next_due();

 private:
  History(const History&) = default;

  bool act_by_script();
  void make(const sim::Choice& choice);
  void keep_if_due();
  void note_finished(uint32_t client);
  bool everybody_is_done() const;
  trace::Ending out_of_time() const;

  Moment now_;
  Scheduler scheduler_;
  Recording recording_;
  ChoiceLog choices_;
  sim::Moved moved_;  // by the last choice; kept for its memory
  std::vector<Moment> kept_;
  std::vector<bool> finished_;
  size_t finished_count_ = 0;
  TimeUs horizon_us_ = 0;
  trace::Ending ending_;
};

}  // namespace lockstep::play
