// Holding a recorded run against the simulator. The recordings here are the simulator's own, with latencies that
// the comparison does not know: it must find its way through any of them, and through none that was tampered with.
#include <sstream>

#include "catch.h"
#include "play/comparison.h"
#include "play/run.h"
#include "trace/json.h"

using namespace lockstep;

namespace {

scenario::Scenario busy(uint64_t seed, int servers) {
  scenario::Scenario scenario;
  scenario.name = "busy";
  scenario.seed = seed;
  scenario.tick_us = 500 * kMillisecond;
  for (int i = 1; i <= servers; ++i) scenario.servers.push_back({"zk" + std::to_string(i)});
  for (int i = 0; i < 4; ++i) {
    scenario::ClientSpec client;
    client.id = std::string(1, static_cast<char>('A' + i));
    client.start_us = i * 7 * kMillisecond;
    client.session_timeout_us = 2 * kSecond;
    client.options.rounds = 2;
    client.options.job.work_us = 20 * kMillisecond;
    client.options.job.writes = {i + 1};
    client.options.after_expiry = recipes::AfterExpiry::kRequeue;
    scenario.clients.push_back(client);
  }
  scenario.time_max_us = 20 * kSecond;
  return scenario;
}

scenario::Step step(TimeUs after_us, const std::string& action) {
  return {.after_us = after_us, .actions = {*scenario::intervention_named(action)}};
}

/// What was compared, for whoever looks at a failure.
std::string told(const play::Comparison& comparison, const trace::Trace& recorded) {
  if (comparison.agrees) return "agrees";
  std::ostringstream out;
  out << "parts after " << comparison.matched << " of " << comparison.observations << " at event "
      << comparison.event << " " << recorded.lane_at(comparison.event) << " "
      << trace::name_of(recorded.kind_at(comparison.event)) << " " << recorded.event(comparison.event).data.what
      << "; enabled:";
  for (const std::string& choice : comparison.enabled) out << " " << choice << ";";
  return out.str();
}

/// The same trace with one event changed.
trace::Trace with(const trace::Trace& trace, int64_t index, const std::function<void(trace::Event&)>& change) {
  trace::Trace made(trace.header(), trace.snapshot(trace::kNoEvent));
  for (int64_t i = 0; i < trace.size(); ++i) {
    trace::Event event = trace.event(i);
    if (i == index) change(event);
    made.append(event, trace.snapshot(i));
  }
  return made;
}

}  // namespace

TEST_CASE("a run is found again, whatever its latencies were, alone and in an ensemble") {
  for (const int servers : {1, 3}) {
    for (uint64_t seed = 1; seed <= 12; ++seed) {
      CAPTURE(servers, seed);
      scenario::Scenario scenario = busy(seed, servers);
      if (seed % 3 == 1) scenario.steps = {step(60 * kMillisecond, "pause A"), step(4 * kSecond, "resume A")};
      if (seed % 3 == 2) scenario.steps = {step(50 * kMillisecond, "crash B"), step(3 * kSecond, "restart B")};
      const trace::Trace recorded = play::play_to_end(scenario);
      const play::Comparison comparison = play::compare(recorded);
      INFO(told(comparison, recorded));
      CHECK(comparison.agrees);
      CHECK(comparison.observations > 100);
      CHECK(comparison.simulated.size() > comparison.observations);
    }
  }
}

TEST_CASE("a lost connection is found again") {
  for (const int servers : {1, 3}) {
    CAPTURE(servers);
    scenario::Scenario scenario = busy(5, servers);
    for (scenario::ClientSpec& client : scenario.clients) client.server = "zk1";
    scenario.steps = {step(60 * kMillisecond, "cut A-zk1"), step(5 * kSecond, "heal A-zk1")};
    const trace::Trace recorded = play::play_to_end(scenario);
    const play::Comparison comparison = play::compare(recorded);
    INFO(told(comparison, recorded));
    CHECK(comparison.agrees);
  }
}

TEST_CASE("what the simulator cannot produce is named, with what it could have done") {
  const scenario::Scenario scenario = busy(3, 1);
  const trace::Trace recorded = play::play_to_end(scenario);
  int64_t second = -1;  // the second grant
  int64_t accepted = -1;
  for (int64_t i = 0, grants = 0; i < recorded.size() && second < 0; ++i) {
    if (recorded.kind_at(i) == trace::EventKind::kWriteAccepted) accepted = i;
    if (recorded.kind_at(i) == trace::EventKind::kAcquired && ++grants == 2) second = i;
  }
  REQUIRE(accepted >= 0);
  // Another token than its own node's.
  const trace::Trace other_token = with(recorded, second, [](trace::Event& event) { event.data.token += 1; });
  play::Comparison comparison = play::compare(other_token);
  CHECK_FALSE(comparison.agrees);
  CHECK(comparison.event == second);
  CHECK_FALSE(comparison.enabled.empty());
  // A list that shows an older state than it can: the client's own node is newer.
  int64_t list = -1;
  for (int64_t i = 1; i < recorded.size() && list < 0; ++i) {
    const trace::Event event = recorded.event(i);
    if (event.kind == trace::EventKind::kInput && event.data.what == "reply Ok" && event.lane == "B" &&
        recorded.event(event.cause).data.path == scenario.lock_path) {
      list = i;
    }
  }
  REQUIRE(list > 0);
  const trace::Trace stale = with(recorded, list, [&](trace::Event& event) {
    event.data.zxid = recorded.snapshot(trace::kNoEvent).znodes.at(scenario.lock_path).stat.pzxid;
  });
  comparison = play::compare(stale);
  CHECK_FALSE(comparison.agrees);
  CHECK(comparison.event == list);
  // A verdict that the rule does not give.
  const trace::Trace refused =
      with(recorded, accepted, [](trace::Event& event) { event.kind = trace::EventKind::kWriteRefused; });
  comparison = play::compare(refused);
  CHECK_FALSE(comparison.agrees);
  CHECK(comparison.event == accepted);
}

TEST_CASE("a run by another recipe is told from this one's") {
  scenario::Scenario scenario = busy(2, 1);
  for (scenario::ClientSpec& client : scenario.clients) client.options.watch = recipes::WatchTarget::kChildren;
  const trace::Trace recorded = play::play_to_end(scenario);
  trace::Header header = recorded.header();
  for (scenario::ClientSpec& client : header.scenario.clients) client.options.watch = recipes::WatchTarget::kPredecessor;
  trace::Trace claimed(header, recorded.snapshot(trace::kNoEvent));
  for (int64_t i = 0; i < recorded.size(); ++i) claimed.append(recorded.event(i), recorded.snapshot(i));
  CHECK_FALSE(play::compare(claimed).agrees);
}
