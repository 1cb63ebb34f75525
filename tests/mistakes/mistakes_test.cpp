// Each mistake does its harm in its scenario, and the same scenario without the mistake does none. README.md tells
// which is which.
#include <nlohmann/json.hpp>

#include "catch.h"
#include "play/run.h"
#include "scenario_file.h"
#include "trace/facts.h"
#include "trace/trace.h"

using namespace lockstep;
using trace::Belief;

namespace {

enum class Harm {
  kTwoHolders,     ///< two clients believe at the same time that they hold the lock
  kStaleAccepted,  ///< the resource takes a write from a client that does not hold the lock
  kNeverServed,    ///< the last client is never served, though nobody holds the lock any more
};

struct Case {
  const char* file;
  Harm harm;
  const char* repair;  ///< a JSON Patch
};

const Case kCases[] = {
    {"believe-wake-up", Harm::kTwoHolders, R"([["/clients/2/options/believe_wake_up", false]])"},
    {"vanished-taken-for-lock", Harm::kTwoHolders, R"([["/clients/2/options/vanished_predecessor", "look_again"]])"},
    {"vanished-ignored", Harm::kNeverServed, R"([["/clients/1/options/vanished_predecessor", "look_again"]])"},
    {"forget-early-events", Harm::kNeverServed, R"([["/clients/1/options/forget_early_events", false]])"},
    {"ignore-session-events", Harm::kTwoHolders, R"([["/clients/0/options/ignore_session_events", false]])"},
    {"believe-after-reconnect", Harm::kTwoHolders, R"([["/clients/0/options/after_reconnect", "look_again"]])"},
    {"sort-by-whole-name", Harm::kTwoHolders,
     R"([["/clients/0/options/queue_order", "number"], ["/clients/1/options/queue_order", "number"]])"},
    {"create-again", Harm::kNeverServed, R"([["/clients/0/options/lost_create_reply", "find_own"]])"},
    {"release-smallest", Harm::kNeverServed, R"([["/clients/1/options/released_node", "own"]])"},
    {"leave-node-on-timeout", Harm::kNeverServed, R"([["/clients/1/options/leave_node_on_timeout", false]])"},
    {"check-in-client", Harm::kStaleAccepted, R"([["/resource/rule", "greater_or_equal"]])"},
    {"token-uuid", Harm::kStaleAccepted,
     R"([["/clients/0/options/token", "czxid"], ["/clients/1/options/token", "czxid"]])"},
    {"token-clock", Harm::kStaleAccepted,
     R"([["/clients/0/options/token", "czxid"], ["/clients/1/options/token", "czxid"]])"},
};

/// The scenario, with each [pointer, value] of the repair put in.
scenario::Scenario repaired(const Case& one) {
  nlohmann::json json = nlohmann::json::parse(scenario::read_file(kept_file("mistakes", one.file)).value());
  for (const auto& change : nlohmann::json::parse(one.repair)) {
    json.at(nlohmann::json::json_pointer(change.at(0).get<std::string>())) = change.at(1);
  }
  auto read = scenario::scenario_from_json(json, one.file, "");
  if (!read) FAIL(scenario::describe(read.problems().front()));
  return std::move(read.value());
}

bool is_harmed(const trace::Trace& trace, Harm harm) {
  const trace::Snapshot& last = trace.last();
  switch (harm) {
    case Harm::kTwoHolders: return last.counters.believers_max > 1;
    case Harm::kStaleAccepted:
      for (const auto& [number, row] : last.ledger) {
        if (row.stale && row.accepted) return true;
      }
      return false;
    case Harm::kNeverServed: {
      const std::string& waiter = trace.header().scenario.clients.back().id;
      return last.clients.at(waiter).belief == Belief::kWaiting && last.counters.believers == 0;
    }
  }
  return false;
}

}  // namespace

TEST_CASE("each mistake does its harm, and none is done without it") {
  for (const Case& one : kCases) {
    CAPTURE(one.file);
    const trace::Trace wrong = play::play_to_end(kept_scenario("mistakes", one.file));
    CHECK(is_harmed(wrong, one.harm));
    const trace::Trace right = play::play_to_end(repaired(one));
    CHECK_FALSE(is_harmed(right, one.harm));
    CHECK_FALSE(is_harmed(right, Harm::kStaleAccepted));
    CHECK_FALSE(is_harmed(right, Harm::kNeverServed));
  }
}
