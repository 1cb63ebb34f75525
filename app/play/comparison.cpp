#include "play/comparison.h"

#include <algorithm>

#include "play/matcher.h"
#include "sim/projection.h"

namespace lockstep::play {
namespace {

/// How many forks are taken back before it gives up.
constexpr int kTriesMax = 4000;

/// The world that one real run could be: nothing takes time but what the recording says.
scenario::Scenario timeless(const trace::Trace& recorded) {
  scenario::Scenario scenario = recorded.header().scenario;
  scenario.link = scenario.server_link = scenario.resource_link = scenario.step = {.min_us = 0, .max_us = 0};
  const auto servers = recorded.snapshot(recorded.size() - 1).servers;  // They may have been started only then.
  if (!servers.empty() && servers.size() != scenario.servers.size()) {
    scenario.servers.clear();
    for (const auto& [id, row] : servers) scenario.servers.push_back({id});
  }
  return scenario;
}

}  // namespace

Matcher::Matcher(const trace::Trace& recorded) {
  start_ = now_.world = sim::initial_world(timeless(recorded));
  for (const scenario::ServerSpec& server : now_.world.scenario->servers) servers_.push_back(server.id);
  for (int64_t i = 0; i < recorded.size(); ++i) {
    auto seen = observation_of(recorded.event(i), servers_);
    if (!seen) continue;
    lanes_[seen->lane].push_back(observations_.size());
    observations_.push_back(std::move(*seen));
  }
}

Comparison Matcher::run() {
  Comparison result;
  result.observations = static_cast<int64_t>(observations_.size());
  int tries = 0;
  for (;;) {
    if (go_on()) break;
    if (now_.next >= furthest_.next) furthest_ = now_;
    if (forks_.empty() || ++tries > kTriesMax || is_exhausted()) {
      result.gave_up = !forks_.empty() || is_exhausted();
      tell_failure(result);
      return result;
    }
    take_back();
  }
  result.agrees = true;
  result.matched = result.observations;
  result.simulated = replay(now_);
  return result;
}

trace::Trace Matcher::replay(const State& state) const {
  sim::World world = start_;
  trace::Trace trace = sim::trace_of(world);
  sim::Recorder recorder(trace);
  for (const sim::Choice& choice : state.choices) sim::apply(world, choice, &recorder);
  return trace;
}

void Matcher::tell_failure(Comparison& result) const {
  State state = furthest_;
  result.matched = static_cast<int64_t>(state.next);
  const auto parted = parted_.find(state.next);
  result.event = std::max(observations_[state.next].event, parted == parted_.end() ? -1 : parted->second);
  settle(state, observations_[state.next].time_us);
  for (const sim::Enabled& one : sim::enabled(state.world)) {
    result.enabled.push_back(sim::name_of(state.world, one.choice));
  }
  result.simulated = replay(furthest_);
}

Comparison compare(const trace::Trace& recorded) { return Matcher(recorded).run(); }

}  // namespace lockstep::play
