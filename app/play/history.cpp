#include "play/history.h"

#include <algorithm>

namespace lockstep::play {
namespace {

/// How many events lie between two kept worlds: more when worlds are large.
int64_t keep_distance(const sim::World& world) {
  return std::max<int64_t>(1024, 64 * static_cast<int64_t>(world.processes.size()));
}

/// How long a history goes on after somebody has interfered, if the scenario's time is up before.
constexpr TimeUs kAfterIntervention = 60 * kSecond;

/// What is kept must fit into memory, whatever a scenario asks for. The ending's words know the number.
constexpr int64_t kEventsMax = 10'000'000;

bool is_heartbeat(const sim::Packet& packet) {
  return packet.kind == sim::PacketKind::kPing || packet.kind == sim::PacketKind::kPong;
}

/// Nothing is left to do for this process, now and later.
bool is_finished(const sim::World& world, const sim::Process& process) {
  if (process.state == trace::Process::kCrashed) {  // Until the servers have forgotten it.
    const auto client = static_cast<uint32_t>(&process - world.processes.data());
    const std::vector<sim::Session>& sessions = world.sessions;
    return std::none_of(sessions.begin(), sessions.end(), [&](const sim::Session& session) {
      return session.client == client && session.life == trace::SessionLife::kLive;
    });
  }
  return process.state == trace::Process::kRunning && recipes::ended(process.recipe) &&
         process.inputs.empty() && process.library.outstanding.empty();
}

}  // namespace

History::History(const scenario::Scenario& scenario)
    : now_{sim::initial_world(scenario), Script(scenario), 0},
      scheduler_(now_.world),
      recording_(sim::trace_of(now_.world)),
      finished_(scenario.clients.size(), false),
      horizon_us_(scenario.time_max_us) {
  now_.script.observe(scenario, trace().last());
  kept_.push_back(now_);
}

History History::fork(int64_t after) const {
  History fork(*this);
  fork.now_ = restore(after);
  fork.recording_.trace().truncate(fork.now_.world.events - 1);
  fork.choices_.truncate(fork.now_.choices);
  while (fork.kept_.size() > 1 && fork.kept_.back().choices > fork.now_.choices) fork.kept_.pop_back();
  fork.scheduler_ = Scheduler(fork.now_.world);
  fork.ending_ = {};
  fork.finished_.assign(fork.now_.world.processes.size(), false);
  fork.finished_count_ = 0;
  for (uint32_t client = 0; client < fork.finished_.size(); ++client) fork.note_finished(client);
  return fork;
}

Moment History::restore(int64_t after) const {
  const auto later = std::find_if(kept_.begin() + 1, kept_.end(),
                                  [&](const Moment& kept) { return kept.world.events > after + 1; });
  Moment moment = *(later - 1);
  trace::Cursor cursor(trace());  // the script looks at snapshots, and the trace has them
  while (moment.world.events <= after && moment.choices < choices_.size()) {
    const size_t number = moment.choices++;
    const size_t steps = choices_.script_step_at(number);
    while (moment.script.next_step() < steps) (void)moment.script.take(*moment.world.scenario);
    sim::apply(moment.world, choices_.at(number));
    cursor.seek(moment.world.events - 1);
    moment.script.observe(*moment.world.scenario, cursor.snapshot());
  }
  return moment;
}

bool History::step() {
  if (ended()) return false;
  if (act_by_script()) return true;
  const std::optional<sim::Enabled> next = scheduler_.next(now_.world);
  if (everybody_is_done()) {
    ending_ = {trace::EndKind::kDone};
  } else if (trace().size() >= kEventsMax) {
    ending_ = {trace::EndKind::kTooMuch};
  } else if (!next) {
    ending_ = {trace::EndKind::kNothingLeft};
  } else if (next->due_us > horizon_us_) {
    ending_ = out_of_time();
  } else {
    make(next->choice);
    return true;
  }
  return false;
}

/// Does the script's step if it comes before everything else. A step's actions are made one choice at a
/// time, but in one go, so that nothing comes between them.
bool History::act_by_script() {
  const std::optional<TimeUs> due = now_.script.due();
  if (!due || *due > horizon_us_) return false;
  const std::optional<sim::Enabled> next = scheduler_.next(now_.world);
  if (next && next->due_us < *due) return false;
  const std::shared_ptr<const scenario::Scenario> scenario = now_.world.scenario;
  const std::vector<scenario::Intervention> actions = now_.script.take(*scenario);
  for (const scenario::Intervention& action : actions) make({.intervention = action, .at_us = *due});
  now_.script.observe(*scenario, trace().last());
  return true;
}

void History::choose(const sim::Choice& choice) {
  ending_ = {};
  make(choice);
  horizon_us_ = std::max(horizon_us_, now_.world.now_us + kAfterIntervention);
}

void History::make(const sim::Choice& choice) {
  choices_.add(choice, now_.script.next_step());
  moved_.clear();
  sim::apply(now_.world, choice, &recording_.recorder(), &moved_);
  ++now_.choices;
  scheduler_.renew(now_.world, moved_);
  for (const uint32_t client : moved_.clients) note_finished(client);
  now_.script.observe(*now_.world.scenario, trace().last());
  keep_if_due();
}

void History::keep_if_due() {
  if (now_.world.events - kept_.back().world.events >= keep_distance(now_.world)) kept_.push_back(now_);
}

void History::note_finished(uint32_t client) {
  if (client >= finished_.size()) finished_.resize(client + 1, false);
  const bool finished = is_finished(now_.world, now_.world.processes[client]);
  if (finished == finished_[client]) return;
  finished_[client] = finished;
  if (finished) {
    ++finished_count_;
  } else {
    --finished_count_;
  }
}

bool History::everybody_is_done() const {
  if (finished_count_ < now_.world.processes.size()) return false;
  if (!now_.script.done(*now_.world.scenario)) return false;
  return std::all_of(now_.world.links.begin(), now_.world.links.end(), [](const sim::Link& link) {
    return std::all_of(link.queue.begin(), link.queue.end(),
                       [](const sim::InFlight& message) { return is_heartbeat(*message.packet); });
  });
}

trace::Ending History::out_of_time() const {
  trace::Ending ending = {trace::EndKind::kTimeUp};
  if (!now_.script.done(*now_.world.scenario))
    ending.step = static_cast<int64_t>(now_.script.next_step()) + 1;
  return ending;
}

TimeUs History::next_due() {
  const std::optional<sim::Enabled> next = scheduler_.next(now_.world);
  const TimeUs by_scheduler = next ? next->due_us : sim::kNever;
  return std::min(by_scheduler, now_.script.due().value_or(sim::kNever));
}

}  // namespace lockstep::play
