// Merging: what reaches us late and by different ways becomes one order, by time and by cause.
#include "live/recorder.h"

#include "catch.h"
#include "live/ping_counter.h"
#include "scenarios.h"

using namespace lockstep;
using namespace lockstep::live;
using namespace lockstep::live_tests;
using trace::EventKind;

namespace {

constexpr zk::SessionId kSession = 77;
const std::string kNode = "/locks/sku-1/_c_0-lock-0000000000";

/// A recorder that begins with the lock's parent at zxid 2.
struct Fixture {
  Fixture() {
    Truth truth;
    truth.apply({.zxid = 1, .kind = TxnKind::kCreate, .path = "/locks"});
    truth.apply({.zxid = 2, .kind = TxnKind::kCreate, .path = "/locks/sku-1"});
    recorder = std::make_unique<Recorder>(
        RecorderOptions{.scenario = gc_pause(scenario::RegisterRule::kNone), .servers = {"zk1"}},
        std::move(truth));
    recorder->take();
  }

  void says(TimeUs time_us, EventKind kind, ClientReport report = {}) {
    report.time_us = time_us;
    report.event = kind;
    recorder->see(ClientSaid{"A", std::move(report)});
  }

  std::vector<trace::Event> settled(TimeUs now_us) {
    while (recorder->settle(now_us)) continue;
    std::vector<trace::Event> events;
    for (Recorded& one : recorder->take()) events.push_back(std::move(one.event));
    return events;
  }

  /// A is connected, and knows its session.
  void connect() {
    recorder->see(900, Txn{.session = kSession,
                           .cxid = 0,
                           .zxid = 3,
                           .kind = TxnKind::kCreateSession,
                           .timeout_ms = 1500});
    says(1000, EventKind::kStarted);
    says(1100, EventKind::kConnected, {.session_id = kSession});
    settled(kSecond);
  }

  Txn creation(zk::Zxid zxid) const {
    return {.session = kSession,
            .cxid = 5,
            .zxid = zxid,
            .kind = TxnKind::kCreate,
            .path = kNode,
            .ephemeral = true};
  }

  std::unique_ptr<Recorder> recorder;
};

std::vector<EventKind> kinds(const std::vector<trace::Event>& events) {
  std::vector<EventKind> all;
  for (const trace::Event& event : events) all.push_back(event.kind);
  return all;
}

}  // namespace

TEST_CASE("nothing is taken before others can have arrived", "[live]") {
  Fixture fixture;
  fixture.says(1000, EventKind::kStarted);
  CHECK(fixture.settled(1000 + Recorder::kHoldback - 1).empty());
  fixture.says(500, EventKind::kLine);
  CHECK(kinds(fixture.settled(1000 + Recorder::kHoldback)) ==
        std::vector<EventKind>{EventKind::kLine, EventKind::kStarted});
}

TEST_CASE("a session belongs to the client that will hear of it", "[live]") {
  Fixture fixture;
  fixture.connect();
  const trace::Snapshot& now = fixture.recorder->snapshot();
  REQUIRE(now.sessions.count("A#1") == 1);
  CHECK(now.sessions.at("A#1").session_id == kSession);
  CHECK(now.sessions.at("A#1").timeout_us == 1500 * kMillisecond);
  CHECK(now.clients.at("A").session == "A#1");
}

TEST_CASE("a reply comes after the transaction that it reports, even if clocks say otherwise",
          "[live]") {
  Fixture fixture;
  fixture.connect();
  // The log knows the millisecond only, so the transaction seems to be later than its reply.
  fixture.says(2400, EventKind::kInput,
               {.data = {.what = "reply Ok", .path = kNode}, .needs_zxid = 4});
  fixture.recorder->see(2999, fixture.creation(4));
  const auto events = fixture.settled(kSecond);
  CHECK(kinds(events) == std::vector<EventKind>{EventKind::kCommitted, EventKind::kInput});
  CHECK(events[0].time_us == 2400);
  CHECK(fixture.recorder->snapshot().znodes.at(kNode).owner == "A#1");
}

TEST_CASE("a reply waits for its transaction, but not for ever", "[live]") {
  Fixture fixture;
  fixture.connect();
  const TimeUs time = kSecond;
  fixture.says(time, EventKind::kInput, {.needs_zxid = 4});
  CHECK(fixture.settled(time + Recorder::kPatience - 1).empty());
  CHECK(fixture.settled(time + Recorder::kPatience).size() == 1);
}

TEST_CASE("an expiry is told with what it deletes, and fires the watch that waits for it",
          "[live]") {
  Fixture fixture;
  fixture.connect();
  fixture.recorder->see(3000, fixture.creation(4));
  fixture.says(4000, EventKind::kInput, {.watch_path = kNode});
  fixture.settled(kSecond);
  CHECK(fixture.recorder->snapshot().watches.count("A#1 data " + kNode) == 1);
  SECTION("of another session: the watch fires") {
    fixture.recorder->see(
        kSecond, Txn{.session = 78, .cxid = 3, .zxid = 5, .kind = TxnKind::kDelete, .path = kNode});
    const auto events = fixture.settled(2 * kSecond);
    REQUIRE(kinds(events) == std::vector<EventKind>{EventKind::kCommitted, EventKind::kWatchFired});
    CHECK(events[1].cause == events[0].index);
    CHECK(fixture.recorder->snapshot().watches.empty());
  }
  SECTION("of its own: the watch goes with the session") {
    fixture.recorder->see(
        kSecond, Txn{.session = kSession, .cxid = 0, .zxid = 5, .kind = TxnKind::kCloseSession});
    const auto events = fixture.settled(2 * kSecond);
    REQUIRE(kinds(events) == std::vector<EventKind>{EventKind::kSessionExpired});
    CHECK(events[0].data.path == kNode);
    CHECK(fixture.recorder->snapshot().znodes.count(kNode) == 0);
    CHECK(fixture.recorder->snapshot().watches.empty());
  }
}

TEST_CASE("what a watch tells comes after the change, and a watch that has fired before we hear of it has fired", "[live]") {
  const std::string parent = "/locks/sku-1";
  Fixture fixture;
  fixture.connect();
  const auto list = [&](TimeUs time_us, zk::Zxid shown) {
    fixture.says(time_us, EventKind::kInput,
                 {.data = {.what = "reply Ok", .path = parent, .zxid = shown},
                  .needs_zxid = shown,
                  .watch_path = parent,
                  .watch_table = trace::WatchTable::kChildren});
  };
  const auto hears = [&](TimeUs time_us, zk::Zxid shown) {
    fixture.says(time_us, EventKind::kInput,
                 {.data = {.what = "NodeChildrenChanged", .path = parent}, .needs_change = parent, .changed_after = shown});
  };
  SECTION("the transaction seems to be later than the event of it") {
    list(2000, 2);
    hears(2400, 2);
    fixture.recorder->see(2999, fixture.creation(4));
    const auto events = fixture.settled(kSecond);
    REQUIRE(kinds(events) == std::vector<EventKind>{EventKind::kInput, EventKind::kCommitted, EventKind::kWatchFired,
                                                    EventKind::kInput});
    CHECK(events[2].cause == events[1].index);
    CHECK(events[3].cause == events[2].index);
  }
  SECTION("the reply is told after the transaction that it has not seen") {
    fixture.recorder->see(2000, fixture.creation(4));
    list(2400, 2);
    hears(2500, 2);
    const auto events = fixture.settled(kSecond);
    REQUIRE(kinds(events) == std::vector<EventKind>{EventKind::kCommitted, EventKind::kInput, EventKind::kWatchFired,
                                                    EventKind::kInput});
    CHECK(events[2].cause == events[0].index);
    CHECK(fixture.recorder->snapshot().watches.empty());
  }
  SECTION("a reply that has seen it leaves its watch armed") {
    fixture.recorder->see(2000, fixture.creation(4));
    list(2400, 4);
    CHECK(kinds(fixture.settled(kSecond)) == std::vector<EventKind>{EventKind::kCommitted, EventKind::kInput});
    CHECK(fixture.recorder->snapshot().watches.size() == 1);
  }
}

TEST_CASE("a write is stale if its sender does not hold the lock when it is judged", "[live]") {
  Fixture fixture;
  fixture.connect();
  const auto judged = [&](TimeUs time_us, int64_t request) {
    Judgement judgement = {.time_us = time_us,
                           .request = {.client = "A", .request = request, .token = 4, .value = 9}};
    judgement.answer = {.request = request, .accepted = true, .value = 9, .token_max = 4};
    fixture.recorder->see(judgement);
  };
  fixture.recorder->see(3000, fixture.creation(4));
  judged(5000, 1);
  fixture.recorder->see(
      6000, Txn{.session = kSession, .cxid = 0, .zxid = 5, .kind = TxnKind::kCloseSession});
  judged(7000, 2);
  fixture.settled(kSecond);
  const auto& ledger = fixture.recorder->snapshot().ledger;
  REQUIRE(ledger.size() == 2);
  CHECK_FALSE(ledger.at("1").stale);
  CHECK(ledger.at("2").stale);
}

TEST_CASE("pings are counted whatever portions their bytes come in", "[live]") {
  const std::string ping("\0\0\0\x08\xff\xff\xff\xfe\0\0\0\x0b", 12);
  const std::string request("\0\0\0\x09\0\0\0\x01\0\0\0\x0b!", 13);
  const std::string all = ping + request + ping + ping + request;
  for (size_t portion = 1; portion <= all.size(); ++portion) {
    PingCounter counter;
    int pings = 0;
    for (size_t at = 0; at < all.size(); at += portion)
      pings += counter.feed(std::string_view(all).substr(at, portion));
    CHECK(pings == 3);
  }
}
