#include "course/evidence.h"

#include <algorithm>

#include "trace/conditions.h"

namespace lockstep::course {

using scenario::Condition;
using trace::Snapshot;
using trace::Trace;

Evidence::Evidence(std::shared_ptr<const Lesson> lesson, std::optional<size_t> variant)
    : lesson_(std::move(lesson)), variant_(variant) {
  restart();
}

void Evidence::restart() {
  lock_path_.clear();
  next_ = trace::kNoEvent;
  last_event_.reset();
  ended_ = false;
  next_beat_ = 0;
  beats_.assign(lesson_->beats.size(), {});
  answers_.assign(lesson_->beats.size(), {});
  comes_to_be_.assign(lesson_->beats.size(), false);
  decisions_.assign(lesson_->claims.size(), {});
  at_end_.assign(lesson_->claims.size(), {});
  lines_.clear();
}

bool Evidence::continues(const Trace& trace) const {
  if (!last_event_) return true;
  return trace.size() >= next_ && trace.event(next_ - 1) == *last_event_;
}

void Evidence::read(const Trace& trace, bool ended) {
  if (!continues(trace)) restart();
  const bool grown = next_ < trace.size() || next_ == trace::kNoEvent;
  if (!grown && ended == ended_) return;
  if (ended_) restart();  // What was decided by the end of the run was not the end.
  if (next_ == trace::kNoEvent) {
    lock_path_ = trace.lock_path();
    start_counting(trace.header().scenario);
  }
  trace::Cursor cursor(trace);
  for (; next_ < trace.size(); ++next_) {
    cursor.seek(next_);
    look(trace, next_, cursor.snapshot());
  }
  if (!trace.empty()) last_event_ = trace.event(next_ - 1);
  if (ended) finish(trace);
}

void Evidence::look(const Trace& trace, int64_t index, const Snapshot& snapshot) {
  count_lines(snapshot);
  // Between the events of one moment nothing has to hold.
  const bool settled = trace.ends_moment(index);
  for (size_t i = 0; i < lesson_->claims.size(); ++i) {
    const Claim& claim = lesson_->claims[i];
    if (claim.when == When::kEnd || decisions_[i].at) continue;
    if (claim.when == When::kAlways && !settled) continue;
    const bool decides =
        trace::holds(claim.condition, snapshot, lock_path_) == (claim.when == When::kSometimes);
    if (decides) decisions_[i] = {index, trace::value_at(snapshot, lock_path_, claim.condition.at)};
  }
  find_beats(index, snapshot);
  look_for_answers(trace, index, snapshot);
}

void Evidence::find_beats(int64_t index, const Snapshot& snapshot) {
  for (; next_beat_ < beats_.size(); ++next_beat_) {
    const Beat& beat = lesson_->beats[next_beat_];
    if (!is_told(*lesson_, beat, variant_)) continue;
    if (!reached(beat.moment, snapshot)) return;
    beats_[next_beat_] = index;
    comes_to_be_[next_beat_] = beat.predict && !is_there(*beat.predict, snapshot);
  }
}

// ---- Answers -----------------------------------------------------------------------------------

void Evidence::look_for_answers(const Trace& trace, int64_t index, const Snapshot& snapshot) {
  for (size_t i = 0; i < next_beat_; ++i) {
    const auto& predict = lesson_->beats[i].predict;
    if (!predict || !beats_[i] || answers_[i]) continue;
    const bool there = comes_to_be_[i] && is_there(*predict, snapshot);
    if (there || reached(predict->moment, snapshot))
      answers_[i] = read_answer(*predict, trace, index);
  }
}

/// What is not there when it is asked for is known as soon as it is there.
bool Evidence::is_there(const Prediction& predict, const Snapshot& snapshot) const {
  return trace::value_at(snapshot, lock_path_, predict.at) != scenario::Value{};
}

Answer Evidence::read_answer(const Prediction& predict, const Trace& trace, int64_t index) const {
  return {index, trace::value_at(trace.snapshot(index), lock_path_, predict.at),
          deciding_event(predict, trace, index)};
}

namespace {

/// The last event of what one actor did in the step that event `index` is of. A client's belief changes with
/// the line that it runs, and that it has acquired is told right after that.
int64_t end_of_step(const Trace& trace, int64_t index) {
  if (index == trace::kNoEvent) return index;
  const trace::Event first = trace.event(index);
  int64_t last = index;
  while (last + 1 < trace.size() && trace.time_at(last + 1) == first.time_us) {
    const trace::Event next = trace.event(last + 1);
    if (next.lane != first.lane || next.cause != index) break;
    ++last;
  }
  return last;
}

}  // namespace

std::optional<int64_t> Evidence::deciding_event(const Prediction& predict, const Trace& trace,
                                                int64_t index) const {
  if (predict.events.empty()) return {};
  int64_t event = end_of_step(trace, index);
  const auto decides = [&](int64_t one) {
    return std::count(predict.events.begin(), predict.events.end(), trace.kind_at(one)) > 0;
  };
  while (event != trace::kNoEvent && !decides(event)) --event;
  if (event == trace::kNoEvent) return {};
  return last_change(predict.at, trace, event, index);
}

/// The last event behind `from`, up to `to`, that changed the value at `pointer`; `from` if none did.
int64_t Evidence::last_change(const std::string& pointer, const Trace& trace, int64_t from,
                              int64_t to) const {
  trace::Cursor cursor(trace);
  cursor.seek(from);
  scenario::Value value = trace::value_at(cursor.snapshot(), lock_path_, pointer);
  int64_t changed = from;
  for (int64_t index = from + 1; index <= to; ++index) {
    cursor.seek(index);
    scenario::Value next = trace::value_at(cursor.snapshot(), lock_path_, pointer);
    if (next == value) continue;
    value = std::move(next);
    changed = index;
  }
  return changed;
}

bool Evidence::reached(const Moment& moment, const Snapshot& snapshot) const {
  if (moment.at_end) return false;  // finish() finds these.
  for (const Condition& condition : moment.until) {
    if (!trace::holds(condition, snapshot, lock_path_)) return false;
  }
  if (moment.line.empty()) return true;
  for (const LineVisits& line : lines_) {
    if (line.client != moment.client || line.line != moment.line) continue;
    return line.there && line.visits == moment.visit;
  }
  return false;
}

// ---- Lines -------------------------------------------------------------------------------------

void Evidence::start_counting(const scenario::Scenario& scenario) {
  lines_.clear();
  for (const Beat& beat : lesson_->beats) {
    if (beat.moment.line.empty()) continue;
    for (const scenario::ClientSpec& client : scenario.clients) {
      if (client.id != beat.moment.client) continue;
      const int number = recipes::line_named(recipe_of(scenario, client), beat.moment.line);
      lines_.push_back({client.id, beat.moment.line, number, false, 0});
    }
  }
}

void Evidence::count_lines(const Snapshot& snapshot) {
  for (LineVisits& line : lines_) {
    const trace::ClientRow* client = trace::find(snapshot.clients, line.client);
    const bool there = client != nullptr && client->at_line && client->line == line.number;
    if (there && !line.there) ++line.visits;
    line.there = there;
  }
}

// ---- The end -----------------------------------------------------------------------------------

void Evidence::finish(const Trace& trace) {
  ended_ = true;
  find_remaining_beats(trace);
  const int64_t last = trace.size() - 1;
  const Snapshot snapshot = trace.snapshot(last);
  for (size_t i = 0; i < lesson_->claims.size(); ++i) {
    const Condition& condition = lesson_->claims[i].condition;
    at_end_[i].value = trace::value_at(snapshot, lock_path_, condition.at);
    if (trace::holds(condition, snapshot, lock_path_)) at_end_[i].at = last;
  }
}

/// The first of them was looked for in vain. Those behind it are looked for from the last one found.
void Evidence::find_remaining_beats(const Trace& trace) {
  const int64_t last = trace.size() - 1;
  int64_t from = trace::kNoEvent;
  for (size_t i = 0; i < beats_.size(); ++i) {
    const Beat& beat = lesson_->beats[i];
    if (i >= next_beat_ && is_told(*lesson_, beat, variant_)) {
      beats_[i] = beat.moment.at_end ? last : first_after(trace, from, [&](const Snapshot& one) {
        return reached(beat.moment, one);
      });
    }
    if (!beats_[i]) continue;
    from = *beats_[i];
    if (beat.predict && !answers_[i]) {
      const auto at = first_answered(trace, *beat.predict, from);
      if (at) answers_[i] = read_answer(*beat.predict, trace, *at);
    }
  }
  next_beat_ = beats_.size();
}

std::optional<int64_t> Evidence::first_answered(const Trace& trace, const Prediction& predict,
                                                int64_t asked) {
  const bool comes_to_be = !is_there(predict, trace.snapshot(asked));
  const auto at = first_after(trace, asked, [&](const Snapshot& one) {
    return reached(predict.moment, one) || (comes_to_be && is_there(predict, one));
  });
  if (at || !predict.moment.at_end) return at;
  return trace.size() - 1;
}

std::optional<int64_t> Evidence::first_after(const Trace& trace, int64_t from,
                                             const std::function<bool(const Snapshot&)>& is_it) {
  start_counting(trace.header().scenario);
  trace::Cursor cursor(trace);
  // Visits to lines are counted from the start.
  for (int64_t index = lines_.empty() ? from : trace::kNoEvent; index < trace.size(); ++index) {
    cursor.seek(index);
    count_lines(cursor.snapshot());
    if (index >= from && is_it(cursor.snapshot())) return index;
  }
  return {};
}

// ---- Verdicts ----------------------------------------------------------------------------------

Finding Evidence::claim(size_t claim, int64_t position) const {
  const Decision& decision = decisions_[claim];
  const bool decided = decision.at && *decision.at <= position;
  const bool at_end = ended_ && position >= next_ - 1;
  const Decision& end = at_end_[claim];
  switch (lesson_->claims[claim].when) {
    case When::kAlways:
      if (decided) return {Verdict::kBroken, decision.at, decision.value};
      return {Verdict::kHolds, {}, at_end ? end.value : scenario::Value{}};
    case When::kSometimes:
      if (decided) return {Verdict::kHolds, decision.at, decision.value};
      if (at_end) return {Verdict::kBroken, next_ - 1, end.value};
      return {};
    case When::kEnd:
      if (at_end) return {end.at ? Verdict::kHolds : Verdict::kBroken, next_ - 1, end.value};
      return {};
  }
  return {};
}

Finding Evidence::claim(size_t claim) const { return this->claim(claim, next_); }

}  // namespace lockstep::course
