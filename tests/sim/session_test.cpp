// Sessions in time. Expected values: the formulas of ZooKeeper 3.8 and what was measured on real servers
// (curriculum.md section 0, zookeeper.md A4, A5, A7).
#include "catch.h"
#include "sim/server.h"
#include "worlds.h"

using namespace lockstep;
using toy::Bench;
using trace::EventKind;

namespace {

scenario::Scenario one_client(TimeUs timeout_us, TimeUs tick_us = 2 * kSecond) {
  scenario::Scenario scenario = toy::clients(1);
  scenario.tick_us = tick_us;
  scenario.clients[0].session_timeout_us = timeout_us;
  scenario.clients[0].options.job.writes = {};
  scenario.clients[0].options.job.work_us = 600 * kSecond;  // holds all the time
  return scenario;
}

bool holds(const Bench& bench, const std::string& id) {
  return bench.client(id).belief == recipes::Belief::kHolding;
}

}  // namespace

TEST_CASE("the server clamps the timeout to 2..20 ticks") {
  // Measured at a tick of 2 s: 1 s -> 4 s, 3 s -> 4 s, 10 s -> 10 s, 60 s -> 40 s.
  CHECK(sim::negotiated_timeout(1 * kSecond, 2 * kSecond) == 4 * kSecond);
  CHECK(sim::negotiated_timeout(3 * kSecond, 2 * kSecond) == 4 * kSecond);
  CHECK(sim::negotiated_timeout(10 * kSecond, 2 * kSecond) == 10 * kSecond);
  CHECK(sim::negotiated_timeout(60 * kSecond, 2 * kSecond) == 40 * kSecond);
  Bench bench(one_client(3 * kSecond));
  bench.run_until(kSecond);
  CHECK(bench.trace.last().sessions.at("A#1").timeout_us == 4 * kSecond);
}

TEST_CASE("a silent session ends at the tick after its timeout, later than T and by T + tick") {
  for (const TimeUs pause_at : {1'100'000, 2'300'000, 3'999'000, 5'000'000}) {
    Bench bench(one_client(6 * kSecond));
    bench.run_until(pause_at);
    bench.interfere("pause A");
    REQUIRE(bench.run_while_not([&] { return !bench.session_lives("A#1"); }));
    const trace::SessionRow& session = bench.trace.last().sessions.at("A#1");
    const TimeUs silence = session.expires_us - session.heard_us;
    CHECK(silence > 6 * kSecond);
    CHECK(silence <= 8 * kSecond);
    CHECK(session.expires_us % (2 * kSecond) == 0);
    CHECK(session.expires_us == ((session.heard_us + 6 * kSecond) / (2 * kSecond) + 1) * 2 * kSecond);
  }
}

TEST_CASE("a client that is cut off is warned after two thirds of its timeout, and told of expiry only on return") {
  Bench bench(one_client(6 * kSecond));
  REQUIRE(bench.run_while_not([&] { return holds(bench, "A"); }));
  bench.run_until(3 * kSecond);
  bench.interfere("cut A-zk1");
  const int64_t cut = bench.trace.size();
  bench.run_until(20 * kSecond);
  const TimeUs disconnected = bench.time_of(EventKind::kDisconnected, "A", cut);
  const TimeUs expired = bench.time_of(EventKind::kSessionExpired, "zk1", cut);
  REQUIRE(disconnected > 0);
  REQUIRE(expired > 0);
  // It last heard a pong at most a third of the timeout before the cut.
  CHECK(disconnected - 3 * kSecond <= 4 * kSecond + 10 * kMillisecond);
  CHECK(disconnected - 3 * kSecond >= 2 * kSecond - 10 * kMillisecond);
  CHECK(disconnected < expired);
  CHECK(bench.time_of(EventKind::kExpired, "A") == -1);  // nobody can have told it
  CHECK(bench.client("A").belief == recipes::Belief::kSuspended);
  bench.interfere("heal A-zk1");
  bench.run_until(30 * kSecond);
  CHECK(bench.time_of(EventKind::kExpired, "A") > 20 * kSecond);
  CHECK(bench.client("A").belief == recipes::Belief::kLost);
}

TEST_CASE("a short cut changes nothing but the connection: same session, same node, same token") {
  Bench bench(one_client(12 * kSecond));
  REQUIRE(bench.run_while_not([&] { return holds(bench, "A"); }));
  const std::string node = bench.client("A").node;
  const int64_t token = bench.client("A").token;
  bench.interfere("cut A-zk1");
  bench.run_until(10 * kSecond);  // past 8 s: disconnected, but not expired
  CHECK(bench.client("A").belief == recipes::Belief::kSuspended);
  CHECK(bench.session_lives("A#1"));
  bench.interfere("heal A-zk1");
  REQUIRE(bench.run_while_not([&] { return holds(bench, "A"); }));
  CHECK(bench.client("A").node == node);
  CHECK(bench.client("A").token == token);
  CHECK(bench.client("A").session == "A#1");
}

TEST_CASE("a crash leaves the session to time out, a hang keeps it alive") {
  Bench crashed(one_client(4 * kSecond));
  REQUIRE(crashed.run_while_not([&] { return holds(crashed, "A"); }));
  crashed.interfere("crash A");
  crashed.run_until(crashed.world.now_us + kSecond);
  CHECK(crashed.session_lives("A#1"));
  CHECK(crashed.trace.last().sessions.at("A#1").server.empty());
  crashed.run_until(crashed.world.now_us + 6 * kSecond);
  CHECK_FALSE(crashed.session_lives("A#1"));

  Bench hung(one_client(4 * kSecond));
  REQUIRE(hung.run_while_not([&] { return holds(hung, "A"); }));
  hung.interfere("hang A");
  hung.run_until(60 * kSecond);
  CHECK(hung.session_lives("A#1"));
}

TEST_CASE("operations under way when silence ends the connection: C says -7, Java says -4, both unknown") {
  for (const auto profile : {scenario::Profile::kC, scenario::Profile::kJava}) {
    scenario::Scenario scenario = one_client(6 * kSecond);
    scenario.clients[0].profile = profile;
    Bench bench(scenario);
    // The create is applied, its reply never arrives.
    REQUIRE(bench.run_while_not([&] {
      return bench.trace.size() > 0 && bench.trace.kind_at(bench.trace.size() - 1) == EventKind::kSent &&
             bench.trace.event(bench.trace.size() - 1).data.what == "create ok";
    }));
    bench.interfere("cut zk1>A");
    bench.run_until(6 * kSecond);
    std::string told;
    for (int64_t i = 0; i < bench.trace.size(); ++i) {
      const trace::Event event = bench.trace.event(i);
      if (event.kind == EventKind::kInput && event.data.what.starts_with("reply")) told = event.data.what;
    }
    CHECK(told == (profile == scenario::Profile::kC ? "reply OperationTimeout" : "reply ConnectionLoss"));
    CHECK(bench.client("A").node.empty());
    CHECK(bench.trace.last().znodes.size() == 4);  // "/", "/locks", "/locks/sku-1", and the node nobody knows of
    // Back within the session: found by its GUID, not made a second time.
    bench.interfere("heal zk1>A");
    REQUIRE(bench.run_while_not([&] { return holds(bench, "A"); }));
    CHECK(bench.trace.last().znodes.size() == 4);
  }
}

TEST_CASE("a watch fires once, missed while away, it is made up for on reattach") {
  scenario::Scenario scenario = toy::clients(2);
  scenario.clients[0].options.job.work_us = 5 * kSecond;
  scenario.clients[1].session_timeout_us = 20 * kSecond;
  Bench bench(scenario);
  REQUIRE(bench.run_while_not([&] { return bench.client("B").belief == recipes::Belief::kWaiting; }));
  bench.run_until(2 * kSecond);
  CHECK(bench.trace.last().watches.size() == 1);
  bench.interfere("cut B-zk1");
  bench.run_until(18 * kSecond);  // A releases; B is disconnected, its session lives
  CHECK(bench.session_lives("B#1"));
  CHECK(bench.client("B").belief != recipes::Belief::kHolding);
  bench.interfere("heal B-zk1");
  REQUIRE(bench.run_while_not([&] { return holds(bench, "B"); }));
}

TEST_CASE("paused, a process reads nothing and its queue grows, resumed, it goes on at the very line") {
  scenario::Scenario scenario = toy::clients(2);
  Bench bench(scenario);
  REQUIRE(bench.run_while_not([&] {
    return bench.client("A").at_line && bench.client("A").line == static_cast<int>(recipes::FairLockLine::kWrite);
  }));
  bench.interfere("pause A");
  const int64_t paused = bench.trace.size();
  REQUIRE(bench.run_while_not([&] { return holds(bench, "B"); }));
  CHECK(bench.client("A").unread > 0);
  CHECK(bench.client("A").belief == recipes::Belief::kHolding);  // it has not heard
  for (int64_t i = paused; i < bench.trace.size(); ++i) {
    if (bench.trace.lane_at(i) == "A") CHECK(bench.trace.kind_at(i) == EventKind::kArrived);
  }
  bench.interfere("resume A");
  const int64_t resumed = bench.trace.size();
  REQUIRE(bench.run_while_not([&] { return bench.time_of(EventKind::kLine, "A", resumed) > 0; }));
  for (int64_t i = resumed; i < bench.trace.size(); ++i) {
    const trace::Event event = bench.trace.event(i);
    if (event.lane == "A" && event.kind == EventKind::kLine) CHECK(event.data.what == "write");
  }
}

TEST_CASE("a write held back in the network arrives late, and is judged then") {
  scenario::Scenario scenario = toy::clients(2);
  scenario.resource.rule = scenario::RegisterRule::kGreaterOrEqual;
  Bench bench(scenario);
  bench.interfere("hold A>db");
  REQUIRE(bench.run_while_not([&] { return bench.client("A").writes_sent == 1; }));
  bench.interfere("crash A");
  REQUIRE(bench.run_while_not([&] { return bench.trace.last().ledger.size() == 1; }));
  CHECK(bench.trace.last().ledger.at("1").client == "B");
  bench.interfere("let go A>db");
  REQUIRE(bench.run_while_not([&] { return bench.trace.last().ledger.size() == 2; }));
  const trace::LedgerRow& late = bench.trace.last().ledger.at("2");
  CHECK(late.client == "A");
  CHECK(late.stale);
  CHECK_FALSE(late.accepted);
}

TEST_CASE("the links are first in, first out, and a closed connection's packets are dropped") {
  Bench bench(one_client(4 * kSecond));
  REQUIRE(bench.run_while_not([&] { return holds(bench, "A"); }));
  bench.run_until(60 * kSecond);
  int64_t last = -1;
  for (int64_t i = 0; i < bench.trace.size(); ++i) {
    const trace::Event event = bench.trace.event(i);
    if (event.kind != EventKind::kArrived || event.lane != "zk1") continue;
    CHECK(event.data.message > last);
    last = event.data.message;
  }
  CHECK(bench.session_lives("A#1"));  // pings alone keep it
}

TEST_CASE("a session ended by a second handle deletes its node in one transaction") {
  scenario::Scenario scenario = toy::clients(2);
  scenario.clients[0].options.job.work_us = 60 * kSecond;
  Bench bench(scenario);
  REQUIRE(bench.run_while_not([&] { return bench.client("B").belief == recipes::Belief::kWaiting; }));
  const zk::Zxid before = bench.trace.last().servers.at("zk1").zxid;
  bench.interfere("expire A");
  CHECK(bench.trace.last().servers.at("zk1").zxid == before + 1);
  REQUIRE(bench.run_while_not([&] { return bench.client("A").belief == recipes::Belief::kLost; }));
  REQUIRE(bench.run_while_not([&] { return holds(bench, "B"); }));
}

TEST_CASE("a library with local expiry gives its session up after four thirds of the timeout, by its own clock") {
  // Java since 3.9.3; C and earlier Java wait for a server's word for ever (the test above).
  scenario::Scenario scenario = one_client(6 * kSecond);
  scenario.clients[0].profile = scenario::Profile::kJava;
  scenario.clients[0].local_expiry = true;
  Bench bench(scenario);
  REQUIRE(bench.run_while_not([&] { return holds(bench, "A"); }));
  bench.run_until(3 * kSecond);
  bench.interfere("cut A-zk1");
  bench.run_until(20 * kSecond);
  const TimeUs heard = bench.world.processes[0].library.alive_us;
  const TimeUs told = bench.time_of(EventKind::kExpired, "A");
  CHECK(told == heard + 8 * kSecond);
  CHECK(bench.client("A").connection == trace::Connection::kExpired);
  CHECK(bench.client("A").belief == recipes::Belief::kLost);
}

TEST_CASE("how long a library waits for an answer to connecting, and which server comes next") {
  const auto limit = [](scenario::Profile profile, uint32_t servers) {
    const sim::Library library{.timeout_us = 6 * kSecond};
    return sim::handshake_limit(library, {.profile = profile, .servers = servers});
  };
  CHECK(limit(scenario::Profile::kC, 3) == 4 * kSecond);
  CHECK(limit(scenario::Profile::kJava, 3) == 2 * kSecond);
  const auto order = [](scenario::Profile profile, uint32_t servers) {
    sim::Library library;
    std::vector<uint32_t> tried;
    for (int i = 0; i < 6; ++i) {
      sim::choose_server(library, 0, servers);
      tried.push_back(library.server);
      sim::note_failure(library, profile, servers);
    }
    return tried;
  };
  // The C library of 3.8 goes on by two: zookeeper.c moves on when it fails and again when it connects.
  CHECK(order(scenario::Profile::kC, 3) == std::vector<uint32_t>{0, 2, 1, 0, 2, 1});
  CHECK(order(scenario::Profile::kC, 2) == std::vector<uint32_t>{0, 0, 0, 0, 0, 0});
  CHECK(order(scenario::Profile::kJava, 3) == std::vector<uint32_t>{0, 1, 2, 0, 1, 2});
}

TEST_CASE("after a pause that was too long, the C library drops the connection before it sends what is asked for") {
  for (const auto profile : {scenario::Profile::kC, scenario::Profile::kJava}) {
    scenario::Scenario scenario = one_client(6 * kSecond);
    scenario.clients[0].profile = profile;
    scenario.clients[0].options.job.work_us = 20 * kMillisecond;
    Bench bench(scenario);
    REQUIRE(bench.run_while_not([&] { return holds(bench, "A"); }));
    bench.interfere("cut zk1>A");  // So that no pong waits in its socket.
    bench.interfere("pause A");
    bench.run_until(bench.world.now_us + 4200 * kMillisecond);  // more than two thirds, and less than the timeout
    bench.interfere("heal zk1>A");
    bench.interfere("resume A");
    const int64_t resumed = bench.trace.size();
    sim::World& world = bench.world;
    while (world.processes[0].library.outstanding.empty()) {  // The application runs first, until it asks for its release.
      const auto all = sim::enabled(world);
      const auto of_app = std::find_if(all.begin(), all.end(), [](const sim::Enabled& one) {
        return one.choice.mover == sim::Mover::kLine || one.choice.mover == sim::Mover::kDeadline ||
               one.choice.mover == sim::Mover::kInput;
      });
      REQUIRE(of_app != all.end());
      bench.apply(of_app->choice);
    }
    bool sent = false;
    for (int64_t i = resumed; i < bench.trace.size(); ++i) {
      sent = sent || (bench.trace.kind_at(i) == EventKind::kSent && bench.trace.event(i).data.what == "delete");
    }
    CHECK(sent == (profile == scenario::Profile::kJava));
    REQUIRE(bench.run_while_not([&] { return bench.time_of(EventKind::kReleased, "A") > 0; }));
    CHECK(bench.time_of(EventKind::kDisconnected, "A", resumed) > 0);
  }
}
