// What happens by itself, and what leads to the next observation.
#include <algorithm>

#include "play/matcher.h"
#include "sim/ensemble.h"

namespace lockstep::play {
namespace {

using sim::Mover;
using trace::EventKind;

/// How many inputs wait for applications.
size_t inputs_in(const sim::World& world) {
  size_t count = 0;
  for (const sim::Process& process : world.processes) count += process.inputs.size();
  return count;
}

/// Whether this choice may be made as soon as it can be: what nobody can tell from its being made later.
bool is_background(const sim::World& world, const sim::Choice& choice) {
  switch (choice.mover) {
    case Mover::kServer:
    case Mover::kIo: return true;
    case Mover::kDeliver: {
      const sim::Link& link = world.links[choice.index];
      if (link.kind == sim::LinkKind::kClientResource) return false;
      if (link.kind == sim::LinkKind::kServerServer || link.to_client) return true;
      const sim::PacketKind kind = link.queue.front().packet->kind;
      if (kind == sim::PacketKind::kConnect) return !sim::is_serving(world, link.server);  // It is turned away.
      return kind != sim::PacketKind::kRequest;
    }
    case Mover::kStart:
    case Mover::kInput:
    case Mover::kLine:
    case Mover::kDeadline:
    case Mover::kExpire: return false;
  }
  return false;
}

/// Whether the client's library has something to do that does not wait for a time-out.
bool has_work(const sim::World& world, uint32_t client) {
  const sim::Library& library = world.processes[client].library;
  return !library.socket.empty() || library.state == sim::LibraryState::kConnecting;
}

/// Whether the client's library does this to get a connection.
bool connects(const sim::World& world, const sim::Choice& choice, uint32_t client) {
  if (client == UINT32_MAX || world.processes[client].library.state == sim::LibraryState::kConnected) return false;
  if (choice.mover == Mover::kIo) return choice.index == client;
  if (choice.mover != Mover::kDeliver) return false;
  const sim::Link& link = world.links[choice.index];
  return link.kind == sim::LinkKind::kClientServer && link.client == client;
}

}  // namespace

bool Matcher::comes_too_late(const State& state, const sim::Choice& choice) const {
  if (choice.mover != Mover::kDeliver) return false;
  const sim::Link& link = state.world.links[choice.index];
  if (!link.to_client || link.queue.front().packet->kind != sim::PacketKind::kPong) return false;
  const Observation* told = head(state.heads, state.world.scenario->clients[link.client].id + kLibrary);
  if (told == nullptr || told->kind != EventKind::kDisconnected) return false;
  const TimeUs last_heard = told->time_us - sim::silence_limit(state.world.processes[link.client].library);
  return state.world.now_us > last_heard + kLibrarySkew;
}

void Matcher::settle(State& state, TimeUs time_us) const {
  for (bool moved = true; moved && !is_exhausted();) {
    moved = false;
    std::vector<sim::Enabled> all = sim::enabled(state.world);
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.due_us < b.due_us; });
    for (const sim::Enabled& one : all) {
      if (one.due_us > std::max(time_us, state.world.now_us)) break;
      if (!is_background(state.world, one.choice) || comes_too_late(state, one.choice)) continue;
      const size_t before = state.choices.size();
      const bool ready = serve_older_reads(state, one.choice, time_us);
      moved = state.choices.size() > before;
      if (moved) break;  // What was possible may be no more.
      if (!ready) continue;
      std::optional<Step> step = step_of(state, one.choice);
      if (!step || step->told || inputs_in(step->world) != inputs_in(state.world)) continue;
      take(state, std::move(*step));
      moved = true;
      break;
    }
  }
}

void Matcher::bring_verdict(State& state, const Observation& told) const {
  if (!told.lane.ends_with(kLibrary)) return;
  const uint32_t client = client_of(told);
  const Observation* next = next_input(state.heads, state.world.scenario->clients[client].id);
  if (next == nullptr || (next->what != "accepted" && next->what != "refused")) return;
  for (const sim::Enabled& one : sim::enabled(state.world)) {
    if (one.choice.mover != Mover::kDeliver) continue;
    const sim::Link& link = state.world.links[one.choice.index];
    if (link.kind != sim::LinkKind::kClientResource || !link.to_client || link.client != client) continue;
    (void)make_silently(state, one.choice);
    return;
  }
}

bool Matcher::produce(State& state, size_t index) const {
  const Observation& wanted = observations_[index];
  if (wanted.kind == EventKind::kIntervened) {
    const auto intervention = scenario::intervention_named(wanted.what);
    if (!intervention) return false;
    std::optional<Step> step = step_of(state, {.intervention = *intervention, .at_us = wanted.time_us});
    if (!step || !is_produced(step->heads, index)) return false;
    take(state, std::move(*step));
    return true;
  }
  for (const sim::Enabled& one : sim::enabled(state.world)) {
    std::optional<Step> step = step_of(state, one.choice);
    if (!step || !is_produced(step->heads, index)) continue;
    take(state, std::move(*step));
    return true;
  }
  return false;
}

std::vector<sim::Choice> Matcher::helps(const State& state, const Observation& wanted) const {
  const sim::World& world = state.world;
  std::vector<sim::Choice> helps;
  const uint32_t client = client_of(wanted);
  if (client == UINT32_MAX) return helps;
  for (const sim::Enabled& one : sim::enabled(world)) {
    const Mover mover = one.choice.mover;
    if (one.due_us > std::max(wanted.time_us, world.now_us) + 2 * world.scenario->tick_us) continue;  // Too far ahead.
    const bool ends = wanted.kind == EventKind::kSessionExpired && mover == Mover::kExpire &&
                      world.sessions[one.choice.index / world.servers.size()].client == client;
    const bool moves = mover == Mover::kDeliver &&
                       world.links[one.choice.index].kind != sim::LinkKind::kServerServer &&
                       world.links[one.choice.index].client == client;
    const bool acts = mover == Mover::kIo && one.choice.index == client && has_work(world, client);
    if (ends || acts || (moves && !comes_too_late(state, one.choice))) helps.push_back(one.choice);
  }
  // Only if nothing else helps, since others may read before: a commit is applied where the client is, or goes out of
  // the way of the next proposal.
  for (const sim::Enabled& one : sim::enabled(world)) {
    if (commit_in(world, one.choice) == nullptr) continue;
    const bool of_client = world.links[one.choice.index].server == world.processes[client].library.server;
    if (of_client || changes_data(wanted.kind)) helps.push_back(one.choice);
  }
  return helps;
}

bool Matcher::hasten(State& state, size_t index) const {
  const Observation& wanted = observations_[index];
  const uint32_t client = client_of(wanted);
  const TimeUs horizon = std::max(wanted.time_us, state.world.now_us) + 2 * state.world.scenario->tick_us;
  State trial = state;
  for (;;) {
    std::vector<sim::Enabled> all = sim::enabled(trial.world);
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.due_us < b.due_us; });
    const bool moved = std::any_of(all.begin(), all.end(), [&](const sim::Enabled& one) {
      const bool runs_ahead = one.choice.mover == Mover::kServer || connects(trial.world, one.choice, client);
      return runs_ahead && one.due_us <= horizon && make_silently(trial, one.choice);
    });
    if (!moved || is_exhausted()) return false;
    if (!reach(trial, index, 1)) continue;
    state = std::move(trial);
    return true;
  }
}

bool Matcher::reach(State& state, size_t index, int help_left) const {
  settle(state, observations_[index].time_us);
  if (produce(state, index)) return true;
  if (help_left == 0 || is_exhausted()) return false;
  for (const sim::Choice& choice : helps(state, observations_[index])) {
    State trial = state;
    (void)serve_older_reads(trial, choice, observations_[index].time_us);
    const int cost = commit_in(state.world, choice) == nullptr ? 1 : 0;
    if (!make_silently(trial, choice) || !reach(trial, index, help_left - cost)) continue;
    state = std::move(trial);
    return true;
  }
  return false;
}

}  // namespace lockstep::play
