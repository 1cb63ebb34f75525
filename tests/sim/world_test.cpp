// The world as a value, and its trace as a faithful copy.
#include "sim/world.h"

#include <algorithm>
#include <set>

#include "catch.h"
#include "mirror.h"
#include "storms.h"

using namespace lockstep;
using toy::Bench;
using toy::storm;
using toy::stormy;

TEST_CASE("folding the deltas gives the projected world, at every event, whatever is done to it") {
  for (uint64_t seed = 1; seed <= 25; ++seed) {
    CAPTURE(seed);
    const scenario::Scenario scenario = stormy(seed);
    sim::World world = sim::initial_world(scenario);
    trace::Trace trace = sim::trace_of(world);
    CHECK(trace.last() == sim::project(world));
    toy::Mirror mirror(trace);
    storm({scenario, seed, 1500}, world, &mirror, [](const sim::Choice&) {});
    CHECK(trace.size() == world.events);
  }
}

TEST_CASE("invariants of the service hold in every storm") {
  for (uint64_t seed = 101; seed <= 125; ++seed) {
    CAPTURE(seed);
    const scenario::Scenario scenario = stormy(seed);
    sim::World world = sim::initial_world(scenario);
    zk::Zxid zxid = 0;
    TimeUs now = 0;
    storm({scenario, seed, 1500}, world, nullptr, [&](const sim::Choice&) {
      const sim::Server& server = world.servers.front();
      REQUIRE(server.database.zxid >= zxid);
      REQUIRE(world.now_us >= now);
      zxid = server.database.zxid;
      now = world.now_us;
      for (const auto& [path, node] : server.database.tree.nodes()) {
        REQUIRE(server.database.tree.stat_of(path).num_children == static_cast<int32_t>(node.children.size()));
        if (node.stat.ephemeral_owner == 0) continue;
        uint32_t session = 0;
        REQUIRE(sim::session_index(world, node.stat.ephemeral_owner, session));
        REQUIRE(world.sessions[session].life == trace::SessionLife::kLive);
        REQUIRE(node.children.empty());
      }
      for (const sim::Link& link : world.links) {
        REQUIRE(std::is_sorted(link.queue.begin(), link.queue.end(), [](const auto& a, const auto& b) {
          return a.number < b.number;
        }));
      }
    });
  }
}

TEST_CASE("a copy of a world is equal, hashes alike, and does not change with the original") {
  Bench bench(toy::clients(3));
  bench.run_until(kSecond);
  const sim::World copy = bench.world;
  const uint64_t hash = hash_of(copy);
  CHECK(copy == bench.world);
  CHECK(hash_of(bench.world) == hash);
  REQUIRE(bench.step());
  CHECK_FALSE(copy == bench.world);
  CHECK(hash_of(bench.world) != hash);
  CHECK(hash_of(copy) == hash);
}

TEST_CASE("observed or not, the same choices lead to the same world") {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    const scenario::Scenario scenario = stormy(seed);
    sim::World watched = sim::initial_world(scenario);
    sim::World alone = watched;
    trace::Trace trace = sim::trace_of(watched);
    sim::Recorder recorder(trace);
    storm({scenario, seed, 800}, watched, &recorder, [&](const sim::Choice& choice) { sim::apply(alone, choice); });
    CHECK(watched == alone);
  }
}

TEST_CASE("choices have stable names, which lead back to them") {
  Bench bench(toy::clients(3));
  for (int i = 0; i < 200; ++i) {
    std::set<std::string> names;
    for (const sim::Enabled& one : sim::enabled(bench.world)) {
      const std::string name = sim::name_of(bench.world, one.choice);
      CHECK(names.insert(name).second);  // no two alike
      const auto found = sim::choice_named(bench.world, name);
      REQUIRE(found);
      CHECK(*found == one.choice);
    }
    if (!bench.step()) break;
  }
  CHECK_FALSE(sim::choice_named(bench.world, "do something"));
}

TEST_CASE("an intervention that is offered can be made, and one that is not possible is not offered") {
  Bench bench(toy::clients(2));
  bench.run_until(300 * kMillisecond);
  const auto offered = [&](const std::string& name) {
    const auto all = sim::possible_interventions(bench.world);
    return std::any_of(all.begin(), all.end(), [&](const auto& one) { return scenario::name_of(one) == name; });
  };
  CHECK(offered("pause A"));
  CHECK_FALSE(offered("resume A"));
  CHECK_FALSE(offered("pause B"));  // has not started
  bench.interfere("pause A");
  CHECK(offered("resume A"));
  CHECK_FALSE(offered("pause A"));
  CHECK(offered("crash A"));
  CHECK(offered("rule db greater"));
  CHECK_FALSE(offered("rule db none"));  // it is
  CHECK_FALSE(sim::is_possible(bench.world, toy::action("pause nobody")));
  CHECK_FALSE(sim::is_possible(bench.world, toy::action("cut A-zk9")));
  CHECK(sim::is_possible(bench.world, toy::action("add Z")));
  CHECK_FALSE(sim::is_possible(bench.world, toy::action("add A")));
}

TEST_CASE("an intervention that is not possible is told, and changes nothing") {
  for (const char* name : {"restart zk1", "restart A", "partition A,zk1", "heal all", "let go A>db", "rule db none"}) {
    CAPTURE(name);
    scenario::Scenario scenario = toy::clients(1);
    scenario.resource.rule = scenario::RegisterRule::kNone;
    Bench bench(scenario);
    REQUIRE(bench.run_while_not([&] { return bench.client("A").belief == recipes::Belief::kHolding; }));
    bench.run_until(bench.world.now_us);
    sim::World before = bench.world;
    bench.interfere(name);
    const trace::Event told = bench.trace.event(bench.trace.size() - 1);
    CHECK(told.kind == trace::EventKind::kIntervened);
    CHECK(told.data.error == trace::kNotPossible);
    before.events = bench.world.events;
    CHECK(before == bench.world);
  }
}

TEST_CASE("one may ask for what a client no longer does: it is told, and nothing comes of it") {
  Bench bench(toy::clients(2));
  REQUIRE(bench.run_while_not([&] { return bench.client("B").belief == recipes::Belief::kWaiting; }));
  bench.run_until(bench.world.now_us);
  const auto offered = sim::possible_interventions(bench.world);
  CHECK(std::find(offered.begin(), offered.end(), toy::action("cancel A")) == offered.end());
  bench.interfere("cancel A");
  CHECK(bench.trace.event(bench.trace.size() - 1).data.error.empty());
  REQUIRE(bench.run_while_not([&] { return bench.client("B").belief == recipes::Belief::kHolding; }));
  CHECK(bench.time_of(trace::EventKind::kReleased, "A") > 0);
  CHECK(bench.time_of(trace::EventKind::kCancelled, "A") < 0);
}
