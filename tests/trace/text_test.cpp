#include "trace/text.h"

#include <set>
#include <sstream>

#include "catch.h"
#include "random_trace.h"
#include "trace/ending.h"

using namespace lockstep;
using namespace lockstep::trace;

namespace {

const std::string kNode = "/locks/sku-1/_c_01234567-89ab-cdef-0123-456789abcdef-lock-0000000041";

std::string zh(const Event& event) { return sentence(event, Language::kZh); }
std::string en(const Event& event) { return sentence(event, Language::kEn); }

}  // namespace

TEST_CASE("sentences say what happened, in both languages") {
  Event event{.lane = "zk1",
              .kind = EventKind::kSessionExpired,
              .data = {.path = kNode, .peer = "A", .session = "A#1"}};
  REQUIRE(zh(event) == "A 的会话 A#1 在 zk1 上过期，节点 lock-0000000041 随之删除");
  REQUIRE(en(event) == "A's session A#1 expires on zk1; its node lock-0000000041 is deleted");
  event.data.path.clear();
  REQUIRE(en(event) == "A's session A#1 expires on zk1");

  event = {.lane = "db",
           .kind = EventKind::kWriteAccepted,
           .data = {.peer = "A", .token = 0x101, .value = 60}};
  REQUIRE(zh(event) == "db 接受 A 的写入 60，令牌 0x101");
  event.data.stale = true;
  REQUIRE(zh(event) == "db 接受 A 的写入 60，令牌 0x101。但这是过时的写入：A 已不持有锁");
  REQUIRE(en(event) ==
          "db accepts A's write of 60, token 0x101; it is stale: A does not hold the lock");
  event.kind = EventKind::kWriteRefused;
  event.data.token = -1;
  REQUIRE(en(event) == "db refuses A's write of 60; it is stale: A does not hold the lock");

  event = {.lane = "A", .kind = EventKind::kIntervened, .data = {.what = "let go A>db"}};
  REQUIRE(en(event) == "Intervention: the messages on A>db may go on");
  event.data.what = "add D";
  REQUIRE(en(event) == "Intervention: D joins");
  event.data.what = "pause A";
  REQUIRE(zh(event) == "干预：暂停 A");
  event.data.what = "something new";
  REQUIRE(en(event) == "Intervention: something new");
  event.data = {.what = "restart zk1", .error = std::string(trace::kNotPossible)};
  REQUIRE(en(event) == "Intervention without effect: restart zk1");
  REQUIRE(zh(event) == "干预没有效果：restart zk1");

  event = {.lane = "zk1",
           .kind = EventKind::kArrived,
           .data = {.what = "getChildren", .path = "/locks/sku-1", .peer = "B"}};
  REQUIRE(zh(event) == "zk1 收到 B 发来的 getChildren（/locks/sku-1）");
  event = {.lane = "B", .kind = EventKind::kInput, .data = {.what = "reply NoNode"}};
  REQUIRE(en(event) == "B takes the reply: NoNode");
  event = {.lane = "A", .kind = EventKind::kSent, .data = {.what = "FIN", .peer = "zk1"}};
  REQUIRE(en(event) ==
          "A closes its TCP connection to zk1 (FIN), which says nothing of the session");
  event = {.lane = "zk1",
           .kind = EventKind::kSessionOpened,
           .data = {.peer = "A", .session = "A#1", .value = 6 * kSecond}};
  REQUIRE(en(event) == "zk1 opens a session for A: A#1, timeout 6.000 s");
}

TEST_CASE("every kind of event has a sentence of its own in each language, with or without data") {
  std::set<std::string> told;
  size_t kinds = 0;
  each_enumerator<EventKind>([&](EventKind kind) {
    ++kinds;
    Event event{.lane = "L", .kind = kind};
    event.data = {.what = "W",
                  .path = "/P",
                  .peer = "Q",
                  .session = "S",
                  .error = "E",
                  .zxid = 3,
                  .token = 2,
                  .value = 7};
    for (const Language language : {Language::kZh, Language::kEn}) {
      for (const EventData& data : {event.data, EventData{}}) {
        event.data = data;
        const std::string text = sentence(event, language);
        CAPTURE(text);
        REQUIRE_FALSE(text.empty());
        REQUIRE(text.find_first_of("[]{}") == std::string::npos);
        REQUIRE(text.find("  ") == std::string::npos);
        if (data.what == "W") REQUIRE(told.insert(text).second);
      }
    }
  });
  REQUIRE(kinds == static_cast<size_t>(EventKind::kEnded) + 1);
}

TEST_CASE("why a run has ended is said in the reader's language") {
  REQUIRE(words_of({EndKind::kDone}, Language::kEn) == "everybody is done");
  REQUIRE(words_of({EndKind::kTimeUp, 2}, Language::kEn) ==
          "the scenario's time is up; step 2 of its script never came to pass");
  std::set<std::string> names;
  for (auto kind = EndKind::kDone; kind <= EndKind::kFailed;
       kind = static_cast<EndKind>(static_cast<int>(kind) + 1)) {
    const std::string name(name_of(kind));
    REQUIRE(names.insert(name).second);
    const std::string chinese = words_of({kind, 3}, Language::kZh);
    CAPTURE(chinese);
    for (const char c : chinese)
      REQUIRE((static_cast<unsigned char>(c) >= 0x80 || c == ' ' || c == '3'));
    const Event end{.lane = "zk1", .kind = EventKind::kEnded, .data = {.what = name}};
    REQUIRE(zh(end) == "运行结束：" + words_of({kind}, Language::kZh));
    REQUIRE(en(end) == "The run is over: " + words_of({kind}, Language::kEn));
  }
  const Event kept{.kind = EventKind::kEnded, .data = {.what = "done; kept in /tmp/x"}};
  REQUIRE(en(kept) == "The run is over: everybody is done; kept in /tmp/x");
}

TEST_CASE("short texts of times, names and tokens") {
  REQUIRE(time_text(8'004'000) == "8.004 s");
  REQUIRE(time_text(999) == "0.000 s");
  REQUIRE(time_text(61'050'999) == "61.050 s");
  REQUIRE(time_text(-1'500'000) == "-1.500 s");
  REQUIRE(time_text(std::numeric_limits<int64_t>::min()) == "-9223372036854.775 s");
  REQUIRE(short_name(kNode) == "lock-0000000041");
  REQUIRE(short_name("0123456789abcdef0123456789abcdef__lock__0000000002") == "lock__0000000002");
  REQUIRE(short_name("lock-0000000041") == "lock-0000000041");
  REQUIRE(short_name("/locks/sku-1") == "sku-1");
  REQUIRE(short_name("_c_short") == "_c_short");
  REQUIRE(token_text(0x101) == "0x101");
  REQUIRE(token_text(0) == "0x0");
  REQUIRE(token_text(-1) == "\u2013");
  REQUIRE(token_text(-2147483648) == "0xffffffff80000000");
}

TEST_CASE("a trace as text is one line an event, in columns") {
  Trace trace;
  trace.append({.time_us = 4000, .lane = "A", .kind = EventKind::kStarted}, {});
  trace.append({.time_us = 12'345'678,
                .lane = "zk1",
                .kind = EventKind::kEnded,
                .data = {.what = "all done"}},
               {});
  std::ostringstream out;
  write_text(trace, Language::kEn, out);
  REQUIRE(out.str() ==
          "1   0.004 s  A    A starts\n"
          "2  12.345 s  zk1  The run is over: all done\n");
}

TEST_CASE("a transcript says everything that the stage shows, danger first of all") {
  Snapshot snapshot;
  snapshot.time_us = 8'004'000;
  snapshot.clients["A"] = {.process = Process::kPaused,
                           .process_since_us = 1'000'000,
                           .connection = Connection::kConnected,
                           .belief = Belief::kHolding,
                           .token = 0x101,
                           .line = 9,
                           .at_line = true,
                           .session = "A#1",
                           .unread = 3};
  snapshot.clients["B"] = {
      .process = Process::kRunning, .belief = Belief::kWaiting, .waits_for = "lock-0000000040"};
  snapshot.sessions["A#1"] = {
      .client = "A", .life = SessionLife::kExpired, .expires_us = 7'000'000};
  snapshot.sessions["B#1"] = {.client = "B", .expires_us = 9'000'000};
  snapshot.znodes[kNode].owner = "B#1";
  snapshot.znodes[kNode].stat.czxid = 0x105;
  snapshot.links["A>db"].held = true;
  snapshot.messages["1"] = {.link = "A>db", .what = "write", .token = 0x101};
  snapshot.resources["db"] = {
      .rule = RegisterRule::kGreaterOrEqual, .value = 40, .token_max = 0x105};
  snapshot.ledger["1"] = {
      .client = "A", .token = 0x101, .value = 60, .accepted = false, .stale = true};

  REQUIRE(
      transcript(snapshot, "/locks/sku-1", Language::kEn) ==
      "8.004 s\n"
      "Belief\n"
      "  A: paused since 1.000 s, connected, believes that it holds the lock, token 0x101, DANGER: "
      "in truth it "
      "does not hold it, about to run line 9, packets unread: 3\n"
      "  B: running, no connection, believes that it waits for lock-0000000040, behind the truth\n"
      "Truth\n"
      "  Holder: B\n"
      "  1: lock-0000000041, of B#1, czxid 0x105\n"
      "  Session A#1: expired at 7.000 s\n"
      "  Session B#1: live, expires at 9.000 s if it stays silent, not connected\n"
      "Network\n"
      "  A>db: messages are held back\n"
      "  A>db: write, token 0x101, sent at 0.000 s\n"
      "Ledger\n"
      "  db: value 40, highest token 0x105, a token must not be smaller\n"
      "  #1: 0.000 s, A writes 60, token 0x101, refused: a stale write\n");
  const std::string chinese = transcript(snapshot, "/locks/sku-1", Language::kZh);
  REQUIRE(
      chinese.find(
          "  A：自 1.000 s 起暂停，已连接，认为自己持有锁，令牌 0x101，危险：事实上它不持有锁") !=
      std::string::npos);
}
