#include "play/run.h"

#include <algorithm>
#include <map>

#include "play/history.h"
#include "trace/text.h"

namespace lockstep::play {

struct Run::State {
  scenario::Scenario scenario;
  std::vector<Branch> branches;
  std::vector<std::unique_ptr<History>> histories;  // by branch; empty for a recording
  trace::Trace recorded;
  int32_t branch = 0;
  std::unique_ptr<trace::Cursor> cursor;

  struct Undo {
    int32_t branch = 0;
    int64_t position = trace::kNoEvent;
    bool in_place = false;  // made at the frontier: taking it back cuts it off
  };
  std::vector<Undo> undo;

  bool is_recording() const { return histories.empty(); }
  History& history() { return *histories[static_cast<size_t>(branch)]; }
  const History& history() const { return *histories[static_cast<size_t>(branch)]; }
  const trace::Trace& trace() const { return is_recording() ? recorded : history().trace(); }

  void look_at(int32_t which, int64_t position) {
    branch = which;
    cursor = std::make_unique<trace::Cursor>(trace());
    cursor->seek(position);
  }
};

Run::Run(scenario::Scenario scenario) : state_(std::make_unique<State>()) {
  state_->scenario = std::move(scenario);
  state_->histories.push_back(std::make_unique<History>(state_->scenario));
  state_->branches.push_back({"original", -1, trace::kNoEvent});
  state_->look_at(0, trace::kNoEvent);
}

Run::Run(trace::Trace recorded) : state_(std::make_unique<State>()) {
  state_->scenario = recorded.header().scenario;
  state_->recorded = std::move(recorded);
  state_->branches.push_back({"recorded", -1, trace::kNoEvent});
  state_->look_at(0, trace::kNoEvent);
}

Run::~Run() = default;
Run::Run(Run&&) noexcept = default;
Run& Run::operator=(Run&&) noexcept = default;

const scenario::Scenario& Run::scenario() const { return state_->scenario; }
const trace::Trace& Run::trace() const { return state_->trace(); }
bool Run::can_intervene() const { return !state_->is_recording(); }
bool Run::ended() const { return state_->is_recording() || state_->history().ended(); }
trace::Ending Run::ending() const {
  if (state_->is_recording()) return {trace::EndKind::kRecordingEnds};
  return state_->history().ending();
}

// ---- Growing -----------------------------------------------------------------------------------

bool Run::simulate_step() { return !state_->is_recording() && state_->history().step(); }

void Run::simulate_until(TimeUs time_us) {
  if (state_->is_recording()) return;
  History& history = state_->history();
  while (!history.ended() && history.next_due() <= time_us) {
    if (!history.step()) return;
  }
}

void Run::simulate_to_end() {
  while (simulate_step()) continue;
}

std::optional<TimeUs> Run::next_time() {
  const int64_t next = position() + 1;
  if (next < trace().size()) return trace().time_at(next);
  if (ended()) return std::nullopt;
  const TimeUs due = state_->history().next_due();
  if (due == sim::kNever) return std::nullopt;
  return std::max(due, snapshot().time_us);
}

// ---- Position ----------------------------------------------------------------------------------

int64_t Run::position() const { return state_->cursor->index(); }
const trace::Snapshot& Run::snapshot() const { return state_->cursor->snapshot(); }

void Run::seek(int64_t index) {
  while (index >= trace().size() && simulate_step()) continue;
  state_->cursor->seek(index);
}

void Run::seek_time(TimeUs time_us) {
  simulate_until(time_us);
  state_->cursor->seek(trace().index_at(time_us));
}

bool Run::step_forward() {
  const int64_t before = position();
  seek(before + 1);
  return position() != before;
}

bool Run::step_back() {
  if (position() == trace::kNoEvent) return false;
  seek(position() - 1);
  return true;
}

bool Run::jump_forward() {
  for (int64_t index = position() + 1;; ++index) {
    while (index >= trace().size() && simulate_step()) continue;
    if (index >= trace().size()) return false;
    if (!trace::is_mark(trace().kind_at(index))) continue;
    seek(index);
    return true;
  }
}

bool Run::jump_back() {
  for (int64_t index = position() - 1; index >= 0; --index) {
    if (!trace::is_mark(trace().kind_at(index))) continue;
    seek(index);
    return true;
  }
  return false;
}

// ---- Interfering -------------------------------------------------------------------------------

std::vector<std::string> Run::possible() const {
  if (state_->is_recording()) return {};
  const History& history = state_->history();
  const bool at_frontier = position() == trace().size() - 1;
  std::vector<std::string> names;
  const auto collect = [&](const sim::World& world) {
    for (const scenario::Intervention& intervention : sim::possible_interventions(world)) {
      names.push_back(scenario::name_of(intervention));
    }
  };
  if (at_frontier) {
    collect(history.world());
  } else {
    collect(history.restore(position()).world);
  }
  return names;
}

std::optional<scenario::Problem> Run::intervene(const std::string& name, TimeUs at_us) {
  scenario::Problem problem;
  problem.file = name;
  if (state_->is_recording()) {
    problem.message = "a recording can only be looked at; open its scenario to interfere";
    return problem;
  }
  const std::optional<scenario::Intervention> intervention = scenario::intervention_named(name);
  if (!intervention) {
    problem.message =
        "is not the name of an intervention; expected one like \"pause A\" or \"cut A-zk1\"";
    return problem;
  }
  const int64_t from = position();
  std::unique_ptr<History> fork;
  if (from != trace().size() - 1) fork = std::make_unique<History>(state_->history().fork(from));
  // The rest of the choice that we stand in happens in any case; if nothing else follows, this is the frontier.
  if (fork && fork->trace().size() == trace().size()) fork.reset();
  History& history = fork ? *fork : state_->history();
  if (!sim::is_possible(history.world(), *intervention)) {
    problem.message = "is not possible at this moment";
    return problem;
  }
  if (history.next_due() < at_us) at_us = 0;
  history.choose({.intervention = intervention, .at_us = at_us});
  const int64_t last = history.trace().size() - 1;
  state_->undo.push_back({state_->branch, from, !fork});
  if (fork) {
    const TimeUs when = fork->trace().time_at(last);
    state_->branches.push_back({name + " @ " + trace::time_text(when), state_->branch, from});
    state_->histories.push_back(std::move(fork));
    state_->branch = static_cast<int32_t>(state_->branches.size() - 1);
  }
  state_->look_at(state_->branch, last);
  return std::nullopt;
}

std::optional<int64_t> Run::own_after() const {
  std::optional<int64_t> first;
  int64_t end = INT64_MAX;  // of what the branch before shares with ours
  for (int32_t branch = state_->branch; branch >= 0;) {
    for (const State::Undo& done : state_->undo) {
      if (done.in_place && done.branch == branch && done.position <= end) {
        first = std::min(first.value_or(INT64_MAX), done.position);
      }
    }
    const Branch& forked = state_->branches[static_cast<size_t>(branch)];
    branch = forked.parent;
    if (branch < 0) break;
    end = std::min(end, forked.forked_after);
    first = std::min(first.value_or(INT64_MAX), forked.forked_after);
  }
  return first;
}

bool Run::can_undo() const { return !state_->undo.empty(); }

bool Run::undo() {
  if (state_->undo.empty()) return false;
  const State::Undo before = state_->undo.back();
  state_->undo.pop_back();
  if (before.in_place) {
    auto& history = state_->histories[static_cast<size_t>(before.branch)];
    *history = history->fork(before.position);
  }
  state_->look_at(before.branch, before.position);
  return true;
}

// ---- Branches ----------------------------------------------------------------------------------

const std::vector<Branch>& Run::branches() const { return state_->branches; }
int32_t Run::branch() const { return state_->branch; }

void Run::switch_to(int32_t branch) {
  if (branch < 0 || branch >= static_cast<int32_t>(state_->branches.size())) return;
  const TimeUs time = snapshot().time_us;
  state_->look_at(branch, trace::kNoEvent);
  state_->cursor->seek(trace().index_at(time));
}

std::vector<std::string> Run::choices() const {
  std::vector<std::string> names;
  if (state_->is_recording()) return names;
  const History& history = state_->history();
  for (const sim::Choice& choice : history.choices())
    names.push_back(sim::name_of(history.world(), choice));
  return names;
}

trace::Trace play_to_end(const scenario::Scenario& scenario, trace::Ending* ending) {
  History history(scenario);
  while (history.step()) continue;
  if (ending != nullptr) *ending = history.ending();
  return history.take_trace();
}

}  // namespace lockstep::play
