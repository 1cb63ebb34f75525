// What an ensemble does to sessions when it is broken, measured on real servers.
#include <unistd.h>

#include <iostream>

#include "catch.h"
#include "scenario_file.h"
#include "scenarios.h"
#include "trace/facts.h"

using namespace lockstep;
using namespace lockstep::live_tests;
using trace::EventKind;

namespace {

/// When an intervention was done; -1: never.
TimeUs time_of(const trace::Trace& trace, const std::string& intervention) {
  for (int64_t i = 0; i < trace.size(); ++i) {
    if (trace.kind_at(i) == EventKind::kIntervened &&
        trace.event(i).data.what == intervention && trace.event(i).data.error.empty()) {
      return trace.time_at(i);
    }
  }
  return -1;
}

double seconds(TimeUs time) { return static_cast<double>(time) / kSecond; }

/// How long after A crashed its node was gone.
double gone_after(const scenario::Scenario& scenario) {
  const trace::Trace trace = played(scenario, options());
  INFO(told(trace));
  const TimeUs crashed = time_of(trace, "crash A");
  REQUIRE(crashed >= 0);
  CHECK(trace.last().sessions.at("A#1").life == trace::SessionLife::kExpired);
  CHECK(trace::queue_of(trace.last(), trace.lock_path()).empty());
  return seconds(trace.last().sessions.at("A#1").expires_us - crashed);
}

}  // namespace

TEST_CASE("behind a partitioned follower a client holds on while another one gets the lock", "[live]") {
  const Scratch scratch;
  const trace::Trace trace = played(measured_scenario("overlap"), options());
  INFO(told(trace));
  const TimeUs parted = time_of(trace, "partition zk1,A");
  const TimeUs healed = time_of(trace, "heal all");
  REQUIRE(parted >= 0);
  const int64_t acquired = index_of(trace, EventKind::kAcquired, "B");
  const int64_t unsure = index_of(trace, EventKind::kDisconnected, "A");
  const int64_t learned = index_of(trace, EventKind::kExpired, "A");
  REQUIRE(acquired != trace::kNoEvent);
  REQUIRE(unsure != trace::kNoEvent);
  REQUIRE(learned != trace::kNoEvent);
  const double until_b = seconds(trace.time_at(acquired) - parted);
  const double until_a = seconds(trace.time_at(unsure) - parted);
  std::cout << "B got the lock " << until_b
            << " s after the partition; A was connected, and sure of it, until " << until_a << " s: both held for " << until_a - until_b << " s\n";
  CHECK(until_b > 0.4);
  CHECK(until_b < 2.5);
  CHECK(until_a > 2.2);
  CHECK(until_a < 4.5);
  const trace::Snapshot both = trace.snapshot(acquired);
  CHECK(both.clients.at("A").belief == trace::Belief::kHolding);
  CHECK(both.clients.at("A").connection == trace::Connection::kConnected);
  CHECK(both.clients.at("B").belief == trace::Belief::kHolding);
  CHECK(both.sessions.at("A#1").life == trace::SessionLife::kExpired);
  CHECK(both.servers.at("zk1").role == trace::ServerRole::kFollowing);
  CHECK(both.servers.at("zk1").logged < both.servers.at("zk2").logged);
  CHECK(both.links.at("zk1>zk3").cut);
  CHECK(both.links.at("zk2>A").cut);
  CHECK_FALSE(both.links.at("A>zk1").cut);
  CHECK_FALSE(both.links.at("zk2>zk3").cut);
  CHECK_FALSE(both.links.at("A>db").cut);
  CHECK(trace.time_at(learned) > healed);
  CHECK(trace.last().servers.at("zk1").role == trace::ServerRole::kFollowing);
  CHECK_FALSE(trace.last().links.at("zk1>zk3").cut);
  CHECK(children_of(getpid()).empty());
  CHECK(scratch.left().empty());
}

TEST_CASE("a new leader gives every session its whole time anew", "[live][slow]") {
  const Scratch scratch;
  scenario::Scenario scenario = measured_scenario("failover");
  const double with = gone_after(scenario);
  scenario.steps.pop_back();
  const double without = gone_after(scenario);
  std::cout << "the node of a dead client was gone after " << without << " s, and with a failover at 5 s after "
            << with << " s\n";
  CHECK(without > 7);
  CHECK(without < 11);
  CHECK(with > 12.5);
  CHECK(with < 18);  // Electing takes no time to speak of.
  CHECK(with - without > 3);
}

TEST_CASE("whatever state servers are in, nothing of them is left", "[live]") {
  const Scratch scratch;
  scenario::Scenario scenario = crowd({.clients = 1});
  scenario.servers = {{"zk1"}, {"zk2"}, {"zk3"}};
  scenario.clients.front().options.job.work_us = 30 * kSecond;
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
  const auto process_is = [&](const char* server, trace::Process process) {
    return [server, process](const trace::Snapshot& now) {
      return now.servers.count(server) > 0 && now.servers.at(server).process == process;
    };
  };
  const auto intervene = [&](const char* name) {
    run.intervene(scenario::intervention_named(name).value());
  };
  REQUIRE(until(process_is("zk3", trace::Process::kRunning)));
  intervene("crash zk1");
  CHECK(until(process_is("zk1", trace::Process::kCrashed)));
  intervene("restart zk1");
  CHECK(until([](const trace::Snapshot& now) {
    const trace::ServerRow& row = now.servers.at("zk1");
    return row.process == trace::Process::kRunning && row.role == trace::ServerRole::kFollowing;
  }));
  intervene("crash zk1");
  intervene("pause zk2");
  CHECK(until(process_is("zk2", trace::Process::kPaused)));
  CHECK(until(process_is("zk1", trace::Process::kCrashed)));
  run.stop();
  run.poll();
  CHECK(run.problems().empty());
  CHECK(children_of(getpid()).empty());
  CHECK(scratch.left().empty());
}
