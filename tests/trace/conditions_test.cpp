#include "trace/conditions.h"

#include <nlohmann/json.hpp>

#include "catch.h"
#include "random_trace.h"
#include "trace/json.h"

using namespace lockstep;
using namespace lockstep::trace;
using scenario::Condition;
using scenario::Test;
using scenario::Value;

namespace {

const std::string kLock = "/locks/a~b";

Snapshot some() {
  Snapshot snapshot;
  snapshot.time_us = 8'004'000;
  snapshot.clients["A"].belief = Belief::kHolding;
  snapshot.clients["A"].process = Process::kRunning;
  snapshot.clients["A"].at_line = true;
  snapshot.clients["A"].token = 41;
  snapshot.sessions["A#1"].client = "A";
  ZnodeRow& znode = snapshot.znodes[kLock + "/x-lock-0000000001"];
  znode.owner = "A#1";
  znode.stat.czxid = 0x100000005;
  snapshot.resources["db"].value = 40;
  return snapshot;
}

Value at(const std::string& pointer) { return value_at(some(), kLock, pointer); }

bool held(Test test, const std::string& pointer, Value operand) {
  return holds({.at = pointer, .test = test, .operand = std::move(operand)}, some(), kLock);
}

}  // namespace

TEST_CASE("values are found by pointer") {
  REQUIRE(at("/time_us") == Value(int64_t{8'004'000}));
  REQUIRE(at("/clients/A/belief") == Value("holding"));
  REQUIRE(at("/clients/A/at_line") == Value(true));
  REQUIRE(at("/clients/A/token") == Value(int64_t{41}));
  REQUIRE(at("/clients/A/danger") == Value("none"));
  REQUIRE(at("/clients/A/place") == Value(int64_t{0}));
  REQUIRE(at("/clients/A") == Value(true));
  REQUIRE(at("/znodes/~1locks~1a~0b~1x-lock-0000000001/stat/czxid") == Value(int64_t{0x100000005}));
  REQUIRE(at("/resources/db/value") == Value(int64_t{40}));
  REQUIRE(at("/resources/db/rule") == Value("none"));
  REQUIRE(at("/facts/holders") == Value(int64_t{1}));
  REQUIRE(at("/facts/believers") == Value(int64_t{1}));
  REQUIRE(at("/facts/grants") == Value(int64_t{0}));
}

TEST_CASE("where nothing is, the value is nothing") {
  for (const char* pointer : {"/clients/B", "/clients/B/belief", "/clients/A/nonsense", "/nonsense",
                              "/clients/A/belief/deeper", "/znodes/~1locks~1a~b", "clients",
                              "/time_us/x", "/clients/A/danger/x", "/znodes/~2"}) {
    CAPTURE(pointer);
    REQUIRE(at(pointer) == Value());
  }
}

TEST_CASE("conditions hold or not") {
  REQUIRE(held(Test::kIs, "/clients/A/belief", "holding"));
  REQUIRE_FALSE(held(Test::kIs, "/clients/A/belief", "waiting"));
  REQUIRE(held(Test::kNot, "/clients/A/belief", "waiting"));
  REQUIRE(held(Test::kNot, "/clients/B/belief", "waiting"));
  REQUIRE_FALSE(held(Test::kIs, "/clients/A/token", "41"));  // a text is no number
  REQUIRE(held(Test::kMin, "/clients/A/token", int64_t{41}));
  REQUIRE_FALSE(held(Test::kMin, "/clients/A/token", int64_t{42}));
  REQUIRE(held(Test::kMax, "/clients/A/token", int64_t{41}));
  REQUIRE_FALSE(held(Test::kMax, "/clients/A/token", int64_t{40}));
  REQUIRE_FALSE(held(Test::kMax, "/clients/B/token", int64_t{100}));  // nothing is no number
  REQUIRE(held(Test::kSameAs, "/facts/holders", "/facts/believers"));
  REQUIRE_FALSE(held(Test::kSameAs, "/facts/holders", "/clients/A/token"));
  REQUIRE_FALSE(held(Test::kSameAs, "/clients/B/token", "/clients/C/token"));
}

TEST_CASE("a pointer that nothing could ever be at is told, with what was expected") {
  std::string why;
  REQUIRE(known_pointer("/clients/whoever/danger", why));
  REQUIRE(known_pointer("/znodes/~1locks/stat/ephemeralOwner", why));
  REQUIRE(known_pointer("/facts/stale_writes_accepted", why));
  REQUIRE(known_pointer("/ledger/1", why));
  REQUIRE(known_pointer("/time_us", why));

  REQUIRE_FALSE(known_pointer("/client/A/belief", why));
  REQUIRE(why ==
          "nothing is called \"client\" in a snapshot: expected one of time_us, facts, clients, "
          "znodes, "
          "sessions, watches, servers, links, messages, resources, ledger");
  REQUIRE_FALSE(known_pointer("/servers/zk1/zxd", why));
  REQUIRE(why == "nothing is called \"zxd\" in /servers/zk1: expected one of process, role, serving, zxid, logged, epoch, leader, vote");
  REQUIRE_FALSE(known_pointer("/clients/A/belief/x", why));
  REQUIRE(why == "/clients/A/belief is a single value: expected the pointer to end there");
  REQUIRE_FALSE(known_pointer("/clients/A/danger/x", why));
  REQUIRE_FALSE(known_pointer("/time_us/x", why));
  REQUIRE_FALSE(known_pointer("facts/holders", why));
  REQUIRE(why.find("not a JSON Pointer") == 0);
  REQUIRE_FALSE(known_pointer("/znodes/~x/data", why));
}

TEST_CASE("a pointer finds in a snapshot what it finds in the snapshot's JSON") {
  const testing::Recorded recorded = testing::random_trace(3, 60);
  const Snapshot& snapshot = recorded.trace.last();
  const nlohmann::json flat = nlohmann::json(snapshot_to_json(snapshot, "/locks")).flatten();
  REQUIRE(flat.size() > 100);
  for (const auto& [pointer, value] : flat.items()) {
    CAPTURE(pointer);
    std::string why;
    if (value.is_null()) continue;  // an empty table
    const Value found = value_at(snapshot, "/locks", pointer);
    if (value.is_boolean()) REQUIRE(found == Value(value.get<bool>()));
    if (value.is_number()) REQUIRE(found == Value(value.get<int64_t>()));
    if (value.is_string()) REQUIRE(found == Value(value.get<std::string>()));
    REQUIRE(known_pointer(pointer, why));
  }
}

TEST_CASE("values in words") {
  REQUIRE(to_text({}) == "nothing");
  REQUIRE(to_text(true) == "true");
  REQUIRE(to_text(int64_t{41}) == "41");
  REQUIRE(to_text(std::string("holding")) == "\"holding\"");
}
