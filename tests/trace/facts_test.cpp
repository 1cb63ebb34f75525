#include "trace/facts.h"

#include "catch.h"
#include "trace/trace.h"
#include "trace/writer.h"

using namespace lockstep;
using namespace lockstep::trace;

namespace {

const std::string kLock = "/locks/sku-1";
const std::string kNodeA = kLock + "/_c_a-lock-0000000007";
const std::string kNodeB = kLock + "/_c_b-lock-0000000008";

/// A holds the lock and knows it; B waits for A's node and watches it.
Snapshot calm() {
  Snapshot snapshot;
  for (const std::string id : {"A", "B"}) {
    ClientRow& client = snapshot.clients[id];
    client.process = Process::kRunning;
    client.connection = Connection::kConnected;
    client.session = id + "#1";
    snapshot.sessions[id + "#1"].client = id;
  }
  snapshot.znodes[kLock];
  snapshot.znodes[kNodeA].owner = "A#1";
  snapshot.znodes[kNodeB].owner = "B#1";
  snapshot.clients["A"].belief = Belief::kHolding;
  snapshot.clients["A"].node = kNodeA;
  snapshot.clients["B"].belief = Belief::kWaiting;
  snapshot.clients["B"].node = kNodeB;
  snapshot.clients["B"].waits_for = "_c_a-lock-0000000007";
  snapshot.watches["B#1 data " + kNodeA] = {"B#1", WatchTable::kData, kNodeA, "zk1"};
  snapshot.links["zk1>B"] = {.from = "zk1", .to = "B"};
  snapshot.links["B>zk1"] = {.from = "B", .to = "zk1"};
  return snapshot;
}

/// A's session is over, its node and B's watch with it; nobody has heard yet.
Snapshot expired() {
  Snapshot snapshot = calm();
  snapshot.sessions["A#1"].life = SessionLife::kExpired;
  snapshot.znodes.erase(kNodeA);
  snapshot.watches.clear();
  return snapshot;
}

Danger danger(const Snapshot& snapshot, const char* client) {
  return danger_of(snapshot, kLock, client);
}

}  // namespace

TEST_CASE("the queue is in order of the signed numbers, whatever stands before them") {
  Snapshot snapshot;
  for (const char* name : {"z-lock-0000000002", "a-lock-0000000010", "m-lock--000000003", "plain",
                           "a-lock-2147483647", "b-lock-2147483647"}) {
    snapshot.znodes[kLock + "/" + name];
  }
  snapshot.znodes[kLock + "/z-lock-0000000002/deeper-0000000001"];
  snapshot.znodes["/locks/sku-10000000001"];
  REQUIRE(queue_of(snapshot, kLock) ==
          std::vector<std::string>{"m-lock--000000003", "z-lock-0000000002", "a-lock-0000000010",
                                   "a-lock-2147483647", "b-lock-2147483647"});
}

TEST_CASE("the holder is the owner of the first node, if its session lives") {
  Snapshot snapshot = calm();
  REQUIRE(holder_of(snapshot, kLock) == "A");
  REQUIRE(place_of(truth_of(snapshot, kLock), "A") == 0);
  REQUIRE(place_of(truth_of(snapshot, kLock), "B") == 1);
  REQUIRE(place_of(truth_of(snapshot, kLock), "C") == -1);
  REQUIRE(holder_of(expired(), kLock) == "B");
  snapshot.sessions["A#1"].life = SessionLife::kClosed;  // its node is about to go
  REQUIRE(holder_of(snapshot, kLock).empty());
  snapshot.znodes[kNodeA].owner = "";
  REQUIRE(holder_of(snapshot, kLock).empty());
  REQUIRE(holder_of({}, kLock).empty());
}

TEST_CASE("danger: who believes to hold and does not, never less, never more") {
  REQUIRE(danger(calm(), "A") == Danger::kNone);
  REQUIRE(danger(calm(), "B") == Danger::kNone);
  REQUIRE(danger(calm(), "nobody") == Danger::kNone);

  // A still believes: dangerous, paused or not. B holds and has not heard: behind.
  Snapshot snapshot = expired();
  REQUIRE(danger(snapshot, "A") == Danger::kDangerous);
  REQUIRE(danger(snapshot, "B") == Danger::kBehind);
  snapshot.clients["A"].process = Process::kPaused;
  REQUIRE(danger(snapshot, "A") == Danger::kDangerous);
  // A dead process believes nothing.
  snapshot.clients["A"].process = Process::kCrashed;
  REQUIRE(danger(snapshot, "A") == Danger::kNone);

  // Not sure is no claim to hold: it has only not heard that it is over.
  snapshot = expired();
  snapshot.clients["A"].belief = Belief::kSuspended;
  REQUIRE(danger(snapshot, "A") == Danger::kBehind);
  snapshot.clients["A"].belief = Belief::kLost;
  snapshot.clients["A"].connection = Connection::kExpired;
  REQUIRE(danger(snapshot, "A") == Danger::kNone);

  // Nobody holds at all.
  snapshot = expired();
  snapshot.znodes.erase(kNodeB);
  REQUIRE(danger(snapshot, "A") == Danger::kDangerous);
}

TEST_CASE("behind: late, and no danger") {
  Snapshot snapshot = calm();
  snapshot.clients["A"].belief = Belief::kAcquiring;  // the node is there, the reply is on its way
  REQUIRE(danger(snapshot, "A") == Danger::kBehind);
  snapshot.clients["A"].belief = Belief::kReleasing;  // it knows what it asked for
  REQUIRE(danger(snapshot, "A") == Danger::kNone);
  snapshot.znodes.erase(kNodeA);  // the delete is done, the reply is on its way
  REQUIRE(danger(snapshot, "A") == Danger::kBehind);

  snapshot = calm();
  snapshot.znodes[kLock + "/_c_c-lock-0000000006"].owner = "A#1";
  snapshot.clients["B"].waits_for = "_c_x-lock-0000000005";  // waits for what is gone
  REQUIRE(danger(snapshot, "B") == Danger::kBehind);

  snapshot = calm();
  snapshot.sessions["B#1"].life = SessionLife::kExpired;  // does not know
  REQUIRE(danger(snapshot, "B") == Danger::kBehind);
}

TEST_CASE("facts of a calm moment, and of a dangerous one") {
  Facts facts = facts_of(calm(), kLock);
  REQUIRE(facts.believers == 1);
  REQUIRE(facts.holders == 1);
  REQUIRE(facts.dangerous == 0);
  REQUIRE(facts.behind == 0);
  REQUIRE(facts.waiters == 1);
  REQUIRE(facts.stuck_waiters == 0);
  REQUIRE(facts.queue_length == 2);
  REQUIRE(facts.chain_breaks == 0);
  REQUIRE(facts.watches_on_first == 1);

  Snapshot snapshot = expired();
  snapshot.clients["B"].belief = Belief::kHolding;
  facts = facts_of(snapshot, kLock);
  REQUIRE(facts.believers == 2);
  REQUIRE(facts.holders == 1);
  REQUIRE(facts.dangerous == 1);
  REQUIRE(facts.queue_length == 1);
}

TEST_CASE("a waiter is stuck only if nothing will ever wake it") {
  // B's predecessor is gone and so is its watch: stuck, unless something is still on its way.
  REQUIRE(facts_of(expired(), kLock).stuck_waiters == 1);
  const auto stuck = [](const auto& rescue) {
    Snapshot snapshot = expired();
    rescue(snapshot);
    return facts_of(snapshot, kLock).stuck_waiters;
  };
  REQUIRE(stuck([](Snapshot& s) { s.messages["1"] = {.link = "zk1>B", .what = "NodeDeleted"}; }) ==
          0);
  REQUIRE(stuck([](Snapshot& s) { s.messages["1"] = {.link = "B>zk1", .what = "getChildren"}; }) ==
          0);
  REQUIRE(stuck([](Snapshot& s) { s.messages["1"] = {.link = "B>zk1", .what = "ping"}; }) == 1);
  REQUIRE(stuck([](Snapshot& s) { s.messages["1"] = {.link = "zk1>B", .what = "pong"}; }) == 1);
  REQUIRE(stuck([](Snapshot& s) { s.clients["B"].unread = 1; }) == 0);
  REQUIRE(stuck([](Snapshot& s) { s.clients["B"].inputs = 1; }) == 0);
  REQUIRE(stuck([](Snapshot& s) { s.clients["B"].at_line = true; }) == 0);
  REQUIRE(stuck([](Snapshot& s) { s.clients["B"].process = Process::kPaused; }) == 0);
  REQUIRE(stuck([](Snapshot& s) { s.clients["B"].connection = Connection::kConnecting; }) == 0);
  REQUIRE(stuck([](Snapshot& s) {
            s.watches["w"] = {"B#1", WatchTable::kChildren, kLock, "zk1"};
          }) == 0);
  // A watch of somebody else does not help.
  REQUIRE(stuck([](Snapshot& s) {
            s.watches["w"] = {"A#1", WatchTable::kData, kNodeB, "zk1"};
          }) == 1);
}

TEST_CASE("a chain breaks where a waiter does not watch the node just before its own") {
  Snapshot snapshot = calm();
  const std::string third = kLock + "/_c_c-lock-0000000009";
  snapshot.clients["C"] = snapshot.clients["B"];
  snapshot.clients["C"].session = "C#1";
  snapshot.clients["C"].node = third;
  snapshot.znodes[third].owner = "C#1";
  snapshot.watches["C"] = {"C#1", WatchTable::kData, kNodeA,
                           "zk1"};  // the smallest, not the one before
  REQUIRE(facts_of(snapshot, kLock).chain_breaks == 1);
  REQUIRE(facts_of(snapshot, kLock).watches_on_first == 2);
  snapshot.watches["C"].path = kNodeB;
  REQUIRE(facts_of(snapshot, kLock).chain_breaks == 0);
  snapshot.watches["C"].table = WatchTable::kChildren;  // of its children, not of the node
  REQUIRE(facts_of(snapshot, kLock).chain_breaks == 1);
  // Who is only about to set its watch has broken nothing.
  snapshot.clients["C"].at_line = true;
  REQUIRE(facts_of(snapshot, kLock).chain_breaks == 0);
}

namespace {

/// Records events without rows and returns the counters after them.
class Counting {
 public:
  int64_t add(EventKind kind, EventData data = {}, int64_t cause = kNoEvent) {
    Event event;
    event.kind = kind;
    event.data = std::move(data);
    event.cause = cause;
    return writer_.commit(event);
  }
  const Counters& counters() const { return trace_.last().counters; }

 private:
  Trace trace_;
  Writer writer_{trace_};
};

}  // namespace

TEST_CASE("counters: grants, writes, expiries") {
  Counting run;
  run.add(EventKind::kAcquired, {.token = 5});
  run.add(EventKind::kAcquired, {.token = 9});
  run.add(EventKind::kConfirmed, {.token = 9});  // no grant: it had the lock already
  run.add(EventKind::kAcquired, {.token = 7});   // below an earlier one
  run.add(EventKind::kAcquired, {.token = 8});   // still below 9
  run.add(EventKind::kAcquired, {.token = 9});   // equal is not below
  run.add(EventKind::kWriteAccepted, {.token = 5, .stale = false});
  run.add(EventKind::kWriteAccepted, {.token = 5, .stale = true});
  run.add(EventKind::kWriteRefused, {.token = 5, .stale = true});
  run.add(EventKind::kWriteRefused, {.token = 9, .stale = false});
  run.add(EventKind::kSessionExpired);
  run.add(EventKind::kSessionClosed);
  run.add(EventKind::kExpired);  // hearing of it is no second expiry
  const Counters& counters = run.counters();
  REQUIRE(counters.grants == 5);
  REQUIRE(counters.grants_out_of_order == 2);
  REQUIRE(counters.token_granted_max == 9);
  REQUIRE(counters.writes_accepted == 2);
  REQUIRE(counters.writes_refused == 2);
  REQUIRE(counters.stale_writes_accepted == 1);
  REQUIRE(counters.stale_writes_refused == 1);
  REQUIRE(counters.sessions_expired == 1);
}

TEST_CASE("counters: woken by the last release are those whose watch that commit made fire") {
  Counting run;
  const int64_t create = run.add(EventKind::kCommitted, {.what = "create"});
  run.add(EventKind::kWatchFired, {}, create);
  REQUIRE(run.counters().woken_by_last_release == 0);
  REQUIRE(run.counters().watch_events == 1);

  const int64_t first = run.add(EventKind::kCommitted, {.what = "delete"});
  run.add(EventKind::kWatchFired, {}, first);
  run.add(EventKind::kWatchFired, {}, first);
  REQUIRE(run.counters().woken_by_last_release == 2);

  // A session without nodes releases nothing; one with a node does.
  run.add(EventKind::kSessionClosed);
  REQUIRE(run.counters().woken_by_last_release == 2);
  const int64_t second = run.add(EventKind::kSessionExpired, {.path = kNodeA});
  REQUIRE(run.counters().woken_by_last_release == 0);
  run.add(EventKind::kWatchFired, {}, first);  // late news of the release before
  run.add(EventKind::kWatchFired, {}, second);
  run.add(EventKind::kWatchFired);  // of no cause that is known
  REQUIRE(run.counters().woken_by_last_release == 1);
  REQUIRE(run.counters().watch_events == 6);
}

TEST_CASE("counters: the most believers at once, crashed ones not") {
  Trace trace({}, calm());
  REQUIRE(trace.last().counters.believers_max == 1);
  Snapshot snapshot = calm();
  snapshot.clients["B"].belief = Belief::kHolding;
  trace.append({}, snapshot);
  REQUIRE(trace.last().counters.believers_max == 2);
  snapshot.clients["A"].process = Process::kCrashed;
  trace.append({}, snapshot);
  REQUIRE(trace.last().counters.believers == 1);
  snapshot.clients["C"] = snapshot.clients["B"];
  trace.append({}, snapshot);
  snapshot.clients.erase("B");
  trace.append({}, snapshot);
  REQUIRE(trace.last().counters.believers == 1);
  REQUIRE(trace.last().counters.believers_max == 2);
  REQUIRE(trace.snapshot(kNoEvent).counters.believers_max == 1);
}
