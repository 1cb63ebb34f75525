// What was measured on real servers, the simulator gives within a tick. README.md says what was measured.
#include "catch.h"
#include "play/run.h"
#include "scenario_file.h"
#include "trace/trace.h"

using namespace lockstep;
using trace::EventKind;

namespace {

trace::Trace played(const std::string& name) { return play::play_to_end(measured_scenario(name)); }

/// When this first happened in the lane, at or after `from_us`; fails if it did not.
TimeUs time_of(const trace::Trace& trace, EventKind kind, const std::string& lane, TimeUs from_us = 0) {
  for (int64_t i = 0; i < trace.size(); ++i) {
    if (trace.time_at(i) >= from_us && trace.kind_at(i) == kind && trace.lane_at(i) == lane) return trace.time_at(i);
  }
  FAIL("it did not happen in lane " << lane);
  return 0;
}

TimeUs time_of_intervention(const trace::Trace& trace, const std::string& name) {
  for (int64_t i = 0; i < trace.size(); ++i) {
    if (trace.kind_at(i) == EventKind::kIntervened && trace.event(i).data.what == name) return trace.time_at(i);
  }
  FAIL(name << " was not done");
  return 0;
}

TimeUs end_of_session(const trace::Trace& trace, const std::string& session) {
  const trace::SessionRow& row = trace.last().sessions.at(session);
  CHECK(row.life == trace::SessionLife::kExpired);
  for (int64_t i = 0; i < trace.size(); ++i) {
    if (trace.kind_at(i) == EventKind::kSessionExpired && trace.event(i).data.session == session) return trace.time_at(i);
  }
  FAIL(session << " did not expire");
  return 0;
}

void check_within(TimeUs told, TimeUs measured, TimeUs tolerance) {
  CAPTURE(told, measured, tolerance);
  CHECK(told > measured - tolerance);
  CHECK(told < measured + tolerance);
}

/// Watch events that waiters get from the first release on. Who watches the list while it holds is told of its own
/// release too; that is not counted here.
int64_t events_of_draining(const trace::Trace& trace) {
  int64_t events = 0;
  bool draining = false;
  for (int64_t i = 0; i < trace.size(); ++i) {
    draining = draining || (trace.kind_at(i) == EventKind::kCommitted && trace.event(i).data.what == "delete");
    if (!draining || trace.kind_at(i) != EventKind::kWatchFired) continue;
    const trace::Belief belief = trace.snapshot(i).clients.at(trace.event(i).data.peer).belief;
    if (belief == trace::Belief::kWaiting) ++events;
  }
  return events;
}

}  // namespace

TEST_CASE("measured: what a server gives of a time-out that is asked for") {
  const trace::Trace trace = played("negotiation");
  const auto given = [&](const std::string& client) { return trace.last().sessions.at(client + "#1").timeout_us; };
  CHECK(given("A") == 4 * kSecond);
  CHECK(given("B") == 4 * kSecond);
  CHECK(given("C") == 10 * kSecond);
  CHECK(given("D") == 40 * kSecond);
}

TEST_CASE("measured: when silence is noticed, by the client and by the server") {
  const trace::Trace trace = played("silence");
  const TimeUs cut = time_of_intervention(trace, "cut A-zk1");
  // What was heard last was a pong, up to a third of the time-out before.
  for (const auto& [client, timeout, measured] : {std::tuple("A", 6 * kSecond, 4010 * kMillisecond),
                                                  std::tuple("B", 12 * kSecond, 8000 * kMillisecond)}) {
    const TimeUs noticed = time_of(trace, EventKind::kDisconnected, client, cut) - cut;
    CHECK(noticed <= measured + 50 * kMillisecond);
    CHECK(noticed > measured - timeout / 3);
  }
  // The same here; and a session ends at the server's next tick.
  const TimeUs end = end_of_session(trace, "C#1");
  CHECK(end - cut < 5820 * kMillisecond + 2 * kSecond);
  CHECK(end - cut > 5270 * kMillisecond - 2 * kSecond);
  const TimeUs healed = time_of_intervention(trace, "heal C-zk1");
  CHECK(healed > end);
  CHECK(time_of(trace, EventKind::kDisconnected, "C") < end);
  CHECK(time_of(trace, EventKind::kExpired, "C") > healed);
}

TEST_CASE("measured: draining a queue of 30 costs 29 events, or 435 to 437") {
  CHECK(events_of_draining(played("herd")) == 29);
  CHECK(events_of_draining(played("herd-smallest")) == 435);
  const int64_t of_children = events_of_draining(played("herd-children"));
  CHECK(of_children >= 435);
  CHECK(of_children <= 437);
}

TEST_CASE("measured: how long two hold behind a partitioned follower") {
  const trace::Trace trace = played("overlap");
  constexpr TimeUs kTick = 500 * kMillisecond;
  const TimeUs parted = time_of_intervention(trace, "partition zk1,A");
  check_within(time_of(trace, EventKind::kAcquired, "B") - parted, 1410 * kMillisecond, kTick);
  check_within(time_of(trace, EventKind::kDisconnected, "A") - parted, 3 * kSecond, kTick);
  CHECK(time_of(trace, EventKind::kExpired, "A") > time_of_intervention(trace, "heal all"));
}

TEST_CASE("measured: when the node of a dead client is gone, without and with a new leader") {
  constexpr TimeUs kTick = 2 * kSecond;
  for (const auto& [name, measured] : {std::pair("dead-client", 8700 * kMillisecond),
                                       std::pair("failover", 14'700 * kMillisecond)}) {
    CAPTURE(name);
    const trace::Trace trace = played(name);
    check_within(end_of_session(trace, "A#1") - time_of_intervention(trace, "crash A"), measured, kTick);
    CHECK(trace.last().counters.watch_events == 0);
  }
}
