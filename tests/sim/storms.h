// Random runs: any enabled choice, early or late, may come next, and anything may be done to any part.
#pragma once

#include <algorithm>

#include "worlds.h"

namespace lockstep::toy {

struct Storm {
  scenario::Scenario scenario;
  uint64_t seed = 1;
  int steps = 3000;
};

inline scenario::Scenario stormy(uint64_t seed, int servers = 1) {
  scenario::Scenario scenario = clients(2 + static_cast<int>(seed % 4));
  scenario.servers.clear();
  for (int i = 1; i <= servers; ++i) scenario.servers.push_back({"zk" + std::to_string(i)});
  scenario.seed = seed;
  for (size_t i = 0; i < scenario.clients.size(); ++i) {
    scenario::ClientSpec& client = scenario.clients[i];
    client.session_timeout_us = 4 * kSecond;
    client.options.rounds = 3;
    client.options.job.writes = {1, 2};
    client.options.after_expiry = recipes::AfterExpiry::kRequeue;
    if (i % 3 == 1) client.profile = scenario::Profile::kJava;
    if (i % 3 == 2) client.options.acquire_timeout_us = 6 * kSecond;
    const uint64_t bits = mix64(seed * 31 + i);
    if (bits % 5 == 0) client.options.watch = recipes::WatchTarget::kChildren;
    if (bits % 5 == 1) client.options.watch = recipes::WatchTarget::kSmallest;
    if (bits % 7 == 0) client.options.ignore_session_events = true;
    if (bits % 11 == 0) client.options.check_in_client = true;
  }
  return scenario;
}

/// Plays with random interventions; any enabled choice, early or late, may come next.
template <class Visit>
void storm(const Storm& how, sim::World& world, sim::Observer* observer, Visit&& each) {
  uint64_t bits = how.seed;
  const auto draw = [&](size_t below) {
    bits = mix64(bits);
    return static_cast<size_t>(bits % below);
  };
  for (int i = 0; i < how.steps; ++i) {
    sim::Choice choice;
    if (draw(12) == 0) {
      const auto possible = sim::possible_interventions(world);
      choice.intervention = possible[draw(possible.size())];
    } else {
      auto all = sim::enabled(world);
      if (all.empty()) continue;
      std::stable_sort(all.begin(), all.end(),
                       [](const sim::Enabled& a, const sim::Enabled& b) { return a.due_us < b.due_us; });
      choice = all[draw(std::min<size_t>(all.size(), 2))].choice;
    }
    sim::apply(world, choice, observer);
    each(choice);
  }
}

}  // namespace lockstep::toy
