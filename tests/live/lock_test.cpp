// The recipe on real servers: what it promises, and what faults on the way make of it.
#include <unistd.h>

#include <set>

#include "catch.h"
#include "live/ensemble.h"
#include "live/folder.h"
#include "live/servers.h"
#include "scenarios.h"
#include "trace/facts.h"

using namespace lockstep;
using namespace lockstep::live_tests;
using trace::EventKind;

namespace {

/// The tokens in the order of the grants.
std::vector<int64_t> granted(const trace::Trace& trace) {
  std::vector<int64_t> tokens;
  for (int64_t i = 0; i < trace.size(); ++i) {
    if (trace.kind_at(i) == EventKind::kAcquired) tokens.push_back(trace.event(i).data.token);
  }
  return tokens;
}

void check_mutex(const trace::Trace& trace, int grants) {
  const std::vector<int64_t> tokens = granted(trace);
  CHECK(tokens.size() == static_cast<size_t>(grants));
  CHECK(std::is_sorted(tokens.begin(), tokens.end()));
  CHECK(std::set<int64_t>(tokens.begin(), tokens.end()).size() == tokens.size());
  trace::Cursor cursor(trace);
  for (int64_t i = 0; i < trace.size(); ++i) {
    cursor.seek(i);
    const trace::Facts facts = trace::facts_of(cursor.snapshot(), trace.lock_path());
    if (facts.believers > 1 || facts.dangerous > 0) FAIL("more than one holder at event " << i);
    if (facts.counters.woken_by_last_release > 1) FAIL("more than one woken at event " << i);
  }
  CHECK(trace::queue_of(trace.last(), trace.lock_path()).empty());
}

}  // namespace

TEST_CASE("five clients, four rounds each: grants in czxid order, no node left", "[live]") {
  const Scratch scratch;
  const trace::Trace trace = played(crowd({.clients = 5, .rounds = 4}), options());
  INFO(told(trace));
  check_mutex(trace, 20);
  CHECK(trace.last().watches.empty());
  for (const auto& [id, client] : trace.last().clients) {
    CHECK(client.rounds_done == 4);
    CHECK(client.belief == trace::Belief::kReleased);
  }
}

TEST_CASE("three servers: the same, with truth by majority", "[live]") {
  const Scratch scratch;
  live::LiveOptions with = options();
  with.servers = 3;
  const trace::Trace trace = played(crowd({.clients = 3, .rounds = 2}), with);
  INFO(told(trace));
  check_mutex(trace, 6);
  CHECK(trace.last().servers.size() == 3);
  int leaders = 0;
  for (const auto& [id, server] : trace.last().servers) {
    if (server.role == trace::ServerRole::kLeading) ++leaders;
  }
  CHECK(leaders == 1);
}

TEST_CASE("foreign servers: truth is sampled and marked so, and nothing is left on them",
          "[live]") {
  const Scratch scratch;
  auto folder = live::Folder::make();
  REQUIRE(folder.ok());
  auto servers =
      live::Servers::start({.tick_us = 250 * kMillisecond, .folder = folder.value().path()});
  REQUIRE(servers.ok());
  live::LiveOptions with = options();
  with.connect = servers.value().connect_string();
  const trace::Trace trace = played(gc_pause(scenario::RegisterRule::kGreaterOrEqual), with);
  INFO(told(trace));
  CHECK(trace.header().source == trace::Source::kSampled);
  CHECK(trace.last().counters.stale_writes_refused == 1);
  CHECK(trace.last().counters.sessions_expired == 1);
  CHECK(trace.last().sessions.at("A#1").life == trace::SessionLife::kExpired);
  live::ZookeeperSession session({.connect = with.connect, .timeout_us = 5 * kSecond});
  REQUIRE(session.open().empty());
  zk::Reply reply;
  REQUIRE(live::call(session, {.op = zk::Op::kExists, .path = "/locks"}, 5 * kSecond, reply));
  CHECK(reply.error == zk::Error::kNoNode);
}

TEST_CASE("a cut for longer than the session: others go on, the client learns when it is healed",
          "[live]") {
  const Scratch scratch;
  scenario::Scenario scenario = gc_pause(scenario::RegisterRule::kGreaterOrEqual);
  scenario.clients.pop_back();
  scenario.clients[0].options.job.work_us = 20 * kSecond;  // It does nothing but hold.
  scenario.steps = {when("/clients/A/belief", std::string("holding"), "cut A-zk1"),
                    when("/clients/B/belief", std::string("released"), "heal A-zk1")};
  const trace::Trace trace = played(scenario, options());
  INFO(told(trace));
  const int64_t disconnected = index_of(trace, EventKind::kDisconnected, "A");
  const int64_t expired = index_of(trace, EventKind::kSessionExpired, "zk1");
  const int64_t acquired = index_of(trace, EventKind::kAcquired, "B");
  const int64_t learned = index_of(trace, EventKind::kExpired, "A");
  REQUIRE(disconnected != trace::kNoEvent);
  CHECK(disconnected < expired);
  CHECK(expired < acquired);
  CHECK(acquired < learned);
  CHECK(trace.event(expired).data.session == "A#1");
  // At two thirds of the timeout the client knows that it is unsure; suspended is not holding.
  CHECK(trace.snapshot(disconnected + 5).clients.at("A").belief == trace::Belief::kSuspended);
  CHECK(trace.snapshot(acquired).links.at("A>zk1").cut);
  CHECK_FALSE(trace.last().links.at("A>zk1").cut);
  CHECK(trace.last().clients.at("A").belief == trace::Belief::kLost);
  CHECK(trace.time_at(learned) > trace.time_at(acquired));
}

TEST_CASE("a write held back in the network arrives after the lock has moved on", "[live]") {
  const Scratch scratch;
  scenario::Scenario scenario = gc_pause(scenario::RegisterRule::kGreaterOrEqual);
  scenario.clients.pop_back();
  scenario.clients[0].options.job.writes = {70};
  scenario.steps = {when("/clients/A/belief", std::string("holding"), "hold A>db"),
                    when("/clients/A/writes_sent", int64_t{1}, "crash A"),
                    when("/resources/db/value", int64_t{40}, "let go A>db")};
  scenario.time_max_us = 6 * kSecond;
  const trace::Trace trace = played(scenario, options());
  INFO(told(trace));
  CHECK(trace.last().clients.at("A").process == trace::Process::kCrashed);
  CHECK(trace.last().sessions.at("A#1").life == trace::SessionLife::kExpired);
  REQUIRE(trace.last().ledger.size() == 2);
  CHECK(trace.last().ledger.at("2").client == "A");
  CHECK(trace.last().ledger.at("2").stale);
  CHECK_FALSE(trace.last().ledger.at("2").accepted);
  CHECK(trace.last().messages.empty());
}

TEST_CASE("by hand: crash, restart, expire, fencing, while it plays", "[live]") {
  const Scratch scratch;
  scenario::Scenario scenario = crowd({.clients = 2});
  for (auto& client : scenario.clients) client.options.job.work_us = 60 * kSecond;
  live::LiveRun run(scenario, options());
  run.start();
  const auto until = [&](auto condition) {
    for (int i = 0; i < 4000 && !run.finished(); ++i) {
      run.poll();
      if (condition(run.trace().last())) return true;
      usleep(5000);
    }
    UNSCOPED_INFO(told(run.trace()));
    return false;
  };
  const auto intervene = [&](const char* name) {
    run.intervene(scenario::intervention_named(name).value());
  };
  std::string first;
  REQUIRE(until([&](const trace::Snapshot& now) {
    first = trace::holder_of(now, scenario.lock_path);
    return !first.empty() && now.clients.at(first).belief == trace::Belief::kHolding;
  }));
  const std::string second = first == "A" ? "B" : "A";
  intervene(("expire " + first).c_str());
  CHECK(until([&](const trace::Snapshot& now) {
    return now.sessions.at(first + "#1").life == trace::SessionLife::kClosed &&
           now.clients.at(first).belief == trace::Belief::kLost &&
           now.clients.at(second).belief == trace::Belief::kHolding;
  }));
  intervene(("crash " + second).c_str());
  CHECK(until([&](const trace::Snapshot& now) {
    return now.clients.at(second).process == trace::Process::kCrashed;
  }));
  intervene(("restart " + second).c_str());
  intervene("rule db greater");
  CHECK(until([&](const trace::Snapshot& now) {
    return now.clients.at(second).session == second + "#2" &&
           now.resources.at("db").rule == scenario::RegisterRule::kGreater;
  }));
  run.stop();
  run.poll();
  CHECK(run.problems().empty());
  CHECK(run.trace().event(run.trace().size() - 1).data.what == "stopped");
  CHECK(children_of(getpid()).empty());
  CHECK(scratch.left().empty());
}
