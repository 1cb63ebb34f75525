// The scheduler keeps what is due in a heap, and renews what a choice may have changed. It must pick what looking at
// the whole world would pick.
#include "play/scheduler.h"

#include <algorithm>
#include <tuple>

#include "catch.h"
#include "scenario/scenario.h"
#include "sim/world.h"

using namespace lockstep;

namespace {

scenario::Scenario busy(int servers, uint64_t seed) {
  scenario::Scenario scenario;
  scenario.seed = seed;
  scenario.tick_us = 500 * kMillisecond;
  for (int i = 1; i <= servers; ++i) scenario.servers.push_back({"zk" + std::to_string(i)});
  for (int i = 0; i < 3; ++i) {
    scenario::ClientSpec client;
    client.id = std::string(1, static_cast<char>('A' + i));
    client.session_timeout_us = 2 * kSecond;
    client.options.rounds = 100;
    client.options.after_expiry = recipes::AfterExpiry::kRequeue;
    scenario.clients.push_back(client);
  }
  return scenario;
}

sim::Enabled first_of(const sim::World& world) {
  const auto all = sim::enabled(world);
  REQUIRE_FALSE(all.empty());
  const auto key = [&](const sim::Choice& choice) {  // What is overdue goes by when it was due.
    return std::tuple(sim::due_of(world, choice.mover, choice.index), choice.mover, choice.index);
  };
  return *std::min_element(all.begin(), all.end(),
                           [&](const auto& a, const auto& b) { return key(a.choice) < key(b.choice); });
}

}  // namespace

TEST_CASE("the scheduler picks what is due first in the whole world, whatever is done to it") {
  for (const int servers : {1, 2, 3, 4, 5}) {
    for (uint64_t seed = 1; seed <= 4; ++seed) {
      CAPTURE(servers, seed);
      sim::World world = sim::initial_world(busy(servers, seed));
      play::Scheduler scheduler(world);
      uint64_t bits = seed;
      for (int step = 0; step < 3000; ++step) {
        sim::Moved moved;
        bits = mix64(bits);
        const auto possible = sim::possible_interventions(world);
        if (bits % 60 == 0 && !possible.empty()) {
          sim::apply(world, {.intervention = possible[(bits >> 8) % possible.size()], .at_us = world.now_us}, nullptr, &moved);
          scheduler.renew(world, moved);
          continue;
        }
        if (sim::enabled(world).empty()) break;
        const sim::Enabled expected = first_of(world);
        const auto next = scheduler.next(world);
        REQUIRE(next.has_value());
        const std::string wanted = sim::name_of(world, expected.choice) + " at " + std::to_string(expected.due_us);
        REQUIRE(sim::name_of(world, next->choice) + " at " + std::to_string(next->due_us) == wanted);
        sim::apply(world, next->choice, nullptr, &moved);
        scheduler.renew(world, moved);
      }
    }
  }
}
