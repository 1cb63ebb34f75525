// JSON to scenario: defaults, every member, and each complaint at its exact place.
#include <nlohmann/json.hpp>

#include "catch.h"
#include "scenario/reading.h"

using namespace lockstep;
using namespace lockstep::scenario;
using nlohmann::json;

namespace {

/// What reading `text`, which stands at /scenario of a file, complains about: "POINTER: message" lines.
std::vector<std::string> complaints(const std::string& text) {
  const auto read = scenario_from_json(json::parse(text), "f.json", "/scenario");
  std::vector<std::string> lines;
  if (read) return lines;
  for (const Problem& problem : read.problems()) {
    CHECK(problem.file == "f.json");
    lines.push_back(problem.pointer + ": " + problem.message);
  }
  return lines;
}

/// The pointer of the only complaint about a scenario with one client A and these members beside.
std::string place_of(const std::string& members) {
  const auto lines = complaints("{\"clients\": [{\"id\": \"A\"}], " + members + "}");
  REQUIRE(lines.size() == 1);
  return lines[0].substr(0, lines[0].find(": "));
}

std::string place_of_client(const std::string& client) {
  const auto lines = complaints("{\"clients\": [" + client + "]}");
  REQUIRE(lines.size() == 1);
  return lines[0].substr(0, lines[0].find(": "));
}

Scenario read(const std::string& text) {
  auto result = scenario_from_json(json::parse(text), "f.json", "");
  for (const Problem& problem : result.ok() ? std::vector<Problem>{} : result.problems())
    UNSCOPED_INFO(describe(problem));
  REQUIRE(result.ok());
  return std::move(result.value());
}

const char* const kFull = R"({
  "name": "full", "seed": 7, "tick_ms": 500, "servers": ["z"], "lock_path": "/a/b",
  "sequence_overflow": "as_documented", "sequence_start": 2147483640,
  "clients": [
    {"id": "A", "recipe": "fair_lock", "profile": "java", "session_timeout_ms": 4000, "start_ms": 1.5,
     "options": {"rounds": 3, "token": "sequence", "acquire_timeout_ms": 250, "after_expiry": "requeue",
                 "watch": "smallest", "vanished_predecessor": "take_for_lock", "believe_wake_up": true,
                 "ignore_session_events": true, "check_in_client": true, "leave_node_on_timeout": true,
                 "lost_create_reply": "create_again", "queue_order": "whole_name", "after_reconnect": "believe",
                 "released_node": "smallest", "forget_early_events": true, "clock_ahead_ms": -20},
     "job": {"work_ms": 90, "writes": [70, -60]}},
    {"ids": {"prefix": "C", "count": 3, "start_every_ms": 10}, "start_ms": 100}
  ],
  "resource": {"id": "row", "label": {"zh": "库存", "en": "stock"}, "rule": "greater", "initial": 100},
  "latency_ms": [1, 2], "resource_latency_ms": [3, 4], "step_ms": [0.1, 0.25], "time_max_ms": 9000,
  "steps": [
    {"when": [{"at": "/clients/C1/belief", "is": "waiting"}, {"at": "/clients/A/node", "not": null},
              {"at": "/facts/holders", "min": 1}, {"at": "/facts/believers", "max": 2},
              {"at": "/clients/A/token", "same_as": "/resources/row/token_max"}],
     "at_line": {"client": "A", "line": "write", "visit": 2}, "after_ms": 5,
     "do": ["pause A", "cut A-z", "hold A>row", "rule row greater_or_equal", "add D"]},
    {"do": ["let go A>row", "heal z>A", "expire A", "deliver row>A"]}
  ]
})";

}  // namespace

TEST_CASE("a minimal scenario is short: the rest are the defaults of scenario.h") {
  Scenario expected;
  expected.servers.push_back({"zk1"});
  expected.clients.emplace_back();
  expected.clients.back().id = "A";
  CHECK(read(R"({"clients": [{"id": "A"}]})") == expected);
}

TEST_CASE("every member is read") {
  const Scenario s = read(kFull);
  CHECK(s.name == "full");
  CHECK(s.seed == 7);
  CHECK(s.tick_us == 500 * kMillisecond);
  CHECK(s.lock_path == "/a/b");
  CHECK(s.sequence_overflow == SequenceOverflow::kAsDocumented);
  CHECK(s.sequence_start == 2147483640);
  REQUIRE(s.clients.size() == 4);
  const ClientSpec& a = s.clients[0];
  CHECK(a.profile == Profile::kJava);
  CHECK(a.session_timeout_us == 4 * kSecond);
  CHECK(a.start_us == 1500);
  CHECK(a.options.rounds == 3);
  CHECK(a.options.token == recipes::TokenSource::kSequence);
  CHECK(a.options.acquire_timeout_us == 250 * kMillisecond);
  CHECK(a.options.after_expiry == recipes::AfterExpiry::kRequeue);
  CHECK(a.options.watch == recipes::WatchTarget::kSmallest);
  CHECK(a.options.vanished_predecessor == recipes::VanishedPredecessor::kTakeForLock);
  CHECK(a.options.believe_wake_up);
  CHECK(a.options.lost_create_reply == recipes::LostCreateReply::kCreateAgain);
  CHECK(a.options.queue_order == recipes::QueueOrder::kWholeName);
  CHECK(a.options.after_reconnect == recipes::AfterReconnect::kBelieve);
  CHECK(a.options.released_node == recipes::ReleasedNode::kSmallest);
  CHECK(a.options.forget_early_events);
  CHECK(a.options.clock_ahead_us == -20 * kMillisecond);
  CHECK(a.options.ignore_session_events);
  CHECK(a.options.check_in_client);
  CHECK(a.options.leave_node_on_timeout);
  CHECK(a.options.job.work_us == 90 * kMillisecond);
  CHECK(a.options.job.writes == std::vector<int64_t>{70, -60});
  CHECK(s.clients[1].id == "C1");
  CHECK(s.clients[3].id == "C3");
  CHECK(s.clients[3].start_us == 120 * kMillisecond);
  CHECK(s.resource.label.zh == "库存");
  CHECK(s.resource.rule == RegisterRule::kGreater);
  CHECK(s.resource.initial_value == 100);
  CHECK(s.link == Latency{1000, 2000});
  CHECK(s.resource_link == Latency{3000, 4000});
  CHECK(s.step == Latency{100, 250});
  CHECK(s.time_max_us == 9 * kSecond);
  REQUIRE(s.steps.size() == 2);
  const Step& step = s.steps[0];
  CHECK(step.client == "A");
  CHECK(step.at_line == "write");
  CHECK(step.visit == 2);
  CHECK(step.after_us == 5 * kMillisecond);
  REQUIRE(step.when.size() == 5);
  CHECK(step.when[1].test == Test::kNot);
  CHECK(step.when[1].operand == Value{});
  CHECK(step.when[4].operand == Value{std::string("/resources/row/token_max")});
  REQUIRE(step.actions.size() == 5);
  CHECK(step.actions[3] == Intervention{Action::kSetRule, "row", "greater_or_equal"});
  CHECK(s.steps[1].actions[0] == Intervention{Action::kLetGo, "A>row", ""});
}

TEST_CASE("what is written reads back equal") {
  for (const Scenario& scenario :
       {read(kFull), read(R"({"clients": [{"ids": {"prefix": "C", "count": 12}}]})")}) {
    const auto again = scenario_from_json(scenario_to_json(scenario), "f.json", "");
    REQUIRE(again.ok());
    CHECK(again.value() == scenario);
  }
}

TEST_CASE("a misspelt key is reported where it stands, with the one that was meant") {
  CHECK(complaints(R"({"clients": [{"id": "A", "optoins": {}}]})") ==
        std::vector<std::string>{
            "/scenario/clients/0/optoins: unknown key; did you mean \"options\"?"});
  CHECK(complaints(R"({"clients": [{"id": "A", "jbo": {}}]})") ==
        std::vector<std::string>{"/scenario/clients/0/jbo: unknown key; did you mean \"job\"?"});
  CHECK(complaints(R"({"clients": [{"id": "A"}], "colour": 1, "latency_m": [1, 2]})").size() == 2);
  CHECK(place_of(R"("a/b~c": 1)") == "/scenario/a~1b~0c");
}

TEST_CASE("wrong types and bounds say what stands there and what was expected") {
  CHECK(
      complaints(R"({"clients": [{"id": 7}]})") ==
      std::vector<std::string>{
          "/scenario/clients/0/id: is 7; expected an id: 1 to 32 letters, digits, \"_\" or \"-\""});
  CHECK(complaints(R"({"clients": [{"id": "A", "options": {"believe_wake_up": 1}}]})") ==
        std::vector<std::string>{
            "/scenario/clients/0/options/believe_wake_up: is 1; expected true or false"});
  CHECK(complaints(R"({"clients": [{"id": "A", "options": {"watch": "all"}}]})") ==
        std::vector<std::string>{
            "/scenario/clients/0/options/watch: is \"all\"; expected what a waiter watches: "
            "\"predecessor\", \"smallest\" or \"children\""});
  CHECK(place_of(R"("tick_ms": 0)") == "/scenario/tick_ms");
  CHECK(place_of(R"("sequence_overflow": "wraps")") == "/scenario/sequence_overflow");
  CHECK(place_of(R"("sequence_start": -1)") == "/scenario/sequence_start");
  CHECK(place_of(R"("sequence_start": 2147483648)") == "/scenario/sequence_start");
  CHECK(place_of(R"("seed": -1)") == "/scenario/seed");
  CHECK(place_of(R"("latency_ms": [1])") == "/scenario/latency_ms");
  CHECK(place_of(R"("steps": [{"when": []}])") == "/scenario/steps/0");
  CHECK(place_of_client(R"({"id": "A", "job": {"writes": [1, "2"]}})") ==
        "/scenario/clients/0/job/writes/1");
  CHECK(place_of_client(R"({"id": "A", "options": {"rounds": 1.5}})") ==
        "/scenario/clients/0/options/rounds");
  CHECK(complaints("[]").front().rfind(": ", 0) == std::string::npos);
}

TEST_CASE("there is at least one client, and at most ten thousand") {
  CHECK(complaints(R"({"clients": []})") ==
        std::vector<std::string>{
            "/scenario/clients: is empty; expected a list of clients, one at least"});
  CHECK(complaints("{}").size() == 1);
  CHECK(read(R"({"clients": [{"ids": {"prefix": "C", "count": 10000}}]})").clients.size() == 10000);
  CHECK(place_of_client(R"({"ids": {"prefix": "C", "count": 10000}}, {"id": "A"})") ==
        "/scenario/clients");
  CHECK(place_of_client(R"({"ids": {"prefix": "C", "count": 10001}})") ==
        "/scenario/clients/0/ids/count");
  CHECK(place_of_client("{}") == "/scenario/clients/0");
  CHECK(place_of_client(R"({"id": "A", "ids": {"prefix": "C", "count": 2}})") ==
        "/scenario/clients/0");
}

TEST_CASE("ids are unique over clients, servers and the resource") {
  CHECK(place_of_client(R"({"id": "A"}, {"id": "A"})") == "/scenario/clients/1/id");
  CHECK(place_of_client(R"({"id": "C2"}, {"ids": {"prefix": "C", "count": 2}})") ==
        "/scenario/clients/1/ids");
  CHECK(place_of_client(R"({"id": "db"})") == "/scenario/clients/0/id");
  CHECK(place_of(R"("resource": {"id": "zk1"})") == "/scenario/resource/id");
  CHECK(complaints(R"({"clients": [{"id": "A"}], "servers": ["zk1", "db"]})") ==
        std::vector<std::string>{"/scenario/servers/1: the id \"db\" is taken by a resource; choose another"});
  CHECK(place_of_client(R"({"id": "a b"})") == "/scenario/clients/0/id");
  CHECK(place_of_client("{\"id\": \"" + std::string(33, 'x') + "\"}") == "/scenario/clients/0/id");
}

TEST_CASE("one to seven servers make an ensemble, and one at least has a vote") {
  CHECK(complaints(R"({"clients": [{"id": "A"}], "servers": ["z1", "z2", {"id": "z3", "observer": true}]})").empty());
  CHECK(complaints(R"({"clients": [{"id": "A"}], "servers": [{"id": "z1", "observer": true}]})") ==
        std::vector<std::string>{"/scenario/servers: has observers only, which have no vote; expected one server at "
                                 "least that is none"});
  CHECK(complaints(R"({"clients": [{"ids": {"prefix": "C", "count": 3}, "server": "zk9"}], "servers": ["zk1"]})") ==
        std::vector<std::string>{"/scenario/clients/0/server: there is no server \"zk9\"; expected \"zk1\""});
  CHECK(complaints(R"({"clients": [{"id": "A"}], "servers": [{"id": "zk1", "observer": "yes"}]})") ==
        std::vector<std::string>{"/scenario/servers/0/observer: is \"yes\"; expected true or false"});
  CHECK(complaints(R"({"clients": [{"id": "A"}], "servers": [{"id": "zk1", "observr": true}]})") ==
        std::vector<std::string>{"/scenario/servers/0/observr: unknown key; did you mean \"observer\"?"});
  CHECK(complaints(R"({"clients": [{"id": "A"}], "servers": ["1","2","3","4","5","6","7","8"]})") ==
        std::vector<std::string>{
            "/scenario/servers: has 8 servers; at most 7 make an ensemble here"});
}

TEST_CASE("a link that does not exist is told with some that do, and each complaint once") {
  const auto complaints_about = [](const std::string& action) {
    return complaints(R"({"clients": [{"id": "A"}], "servers": ["zk1", "zk2"], "steps": [{"do": [")" + action + R"("]}]})");
  };
  CHECK(complaints_about("cut zk1>db") ==
        std::vector<std::string>{"/scenario/steps/0/do/0: there is no link \"zk1>db\"; expected one such as \"A>db\", "
                                 "\"zk1>zk2\" (one way) or \"A-zk1\" (both ways)"});
  CHECK(complaints_about("partition ,").size() == 1);
}

TEST_CASE("what a step names must exist") {
  CHECK(place_of(R"("steps": [{"do": ["pause B"]}])") == "/scenario/steps/0/do/0");
  CHECK(place_of(R"("steps": [{"do": ["pause A", "stop A"]}])") == "/scenario/steps/0/do/1");
  CHECK(place_of(R"("steps": [{"do": ["cut A-zk2"]}])") == "/scenario/steps/0/do/0");
  CHECK(place_of(R"("steps": [{"do": ["crash zk2"]}])") == "/scenario/steps/0/do/0");
  CHECK(place_of(R"("steps": [{"do": ["crash zk1", "partition zk1,A", "heal all", "partition zk1,B"]}])") ==
        "/scenario/steps/0/do/3");
  CHECK(place_of(R"("steps": [{"do": ["hold A-db"]}])") == "/scenario/steps/0/do/0");
  CHECK(place_of(R"("steps": [{"do": ["rule db"]}])") == "/scenario/steps/0/do/0");
  CHECK(place_of(R"("steps": [{"do": ["rule db bigger"]}])") == "/scenario/steps/0/do/0");
  CHECK(place_of(R"("steps": [{"do": ["add A"]}])") == "/scenario/steps/0/do/0");
  CHECK(
      place_of(R"("steps": [{"at_line": {"client": "B", "line": "write"}, "do": ["pause A"]}])") ==
      "/scenario/steps/0/at_line/client");
  CHECK(
      complaints(R"({"clients": [{"id": "A"}],
                       "steps": [{"at_line": {"client": "A", "line": "check"}, "do": ["pause A"]}]})") ==
      std::vector<std::string>{
          "/scenario/steps/0/at_line/line: client \"A\" has no line \"check\" in its listing; "
          "expected \"create\", "
          "\"find\", \"list\", \"look\", \"watch\", \"wait\", \"work\", \"write\" or \"release\""});
}

TEST_CASE("a condition has a pointer and exactly one test") {
  const std::string at = "/scenario/steps/0/when/0";
  const auto place = [](const std::string& condition) {
    return place_of("\"steps\": [{\"when\": [" + condition + "], \"do\": [\"pause A\"]}]");
  };
  CHECK(place(R"({"at": "/facts/holders"})") == at);
  CHECK(place(R"({"at": "/facts/holders", "min": 1, "max": 2})") == at);
  CHECK(place(R"({"at": "facts/holders", "max": 2})") == at + "/at");
  CHECK(place(R"({"at": "/facts/holders", "max": "2"})") == at + "/max");
  CHECK(place(R"({"at": "/facts/holders", "same_as": "x"})") == at + "/same_as");
  CHECK(place(R"({"at": "/facts/holders", "is": [1]})") == at + "/is");
  CHECK(place(R"({"at": "/facts/holders", "maximum": 1})") == at + "/maximum");
  CHECK(condition_from_json(json{{"at", "/facts/holders"}, {"min", 1}}, "f.json", "").ok());
  CHECK_FALSE(
      condition_from_json(json{{"at", "/facts/holders"}, {"min", true}}, "f.json", "").ok());
}

TEST_CASE("lock paths follow ZooKeeper's rules, latencies their order") {
  for (const char* path : {"", "/", "locks", "/locks/", "/a//b", "/a/../b"}) {
    CHECK(place_of("\"lock_path\": \"" + std::string(path) + "\"") == "/scenario/lock_path");
  }
  CHECK(place_of(R"("step_ms": [5, 1])") == "/scenario/step_ms");
}

TEST_CASE("every intervention's name reads back as itself") {
  for (const char* name : {"pause A", "resume A", "hang A", "free A", "crash A", "restart A",
                           "cut A>zk1", "heal A-zk1", "hold A>db", "let go A>db", "release A",
                           "cancel A", "rule db greater", "expire A", "deliver A>db", "add D"}) {
    const auto intervention = intervention_named(name);
    REQUIRE(intervention);
    CHECK(name_of(*intervention) == name);
  }
  for (const char* name :
       {"", "pause", "pause ", "pause A B", "rule db", "rule db greater x", "letgo A>db"}) {
    CHECK_FALSE(intervention_named(name));
  }
}

TEST_CASE("clients differ in their GUIDs, and the seed changes them") {
  Scenario scenario = read(R"({"clients": [{"id": "A"}, {"id": "B"}], "lock_path": "/x"})");
  const auto seed_of = [&](size_t client) {
    return std::get<recipes::FairLock>(recipe_of(scenario, scenario.clients[client]))
        .options()
        .guid_seed;
  };
  CHECK(seed_of(0) != seed_of(1));
  const uint64_t before = seed_of(0);
  CHECK(seed_of(0) == before);
  scenario.seed = 2;
  CHECK(seed_of(0) != before);
  CHECK(recipes::lock_path(recipe_of(scenario, scenario.clients[0])) == "/x");
}

TEST_CASE("at another tick all times shrink alike, to whole milliseconds where real parts count so") {
  Scenario scenario = read(R"({
    "tick_ms": 2000, "time_max_ms": 30000, "latency_ms": [2, 8], "step_ms": [0, 0.001],
    "clients": [
      {"id": "A", "session_timeout_ms": 6000, "start_ms": 0, "job": {"work_ms": 500}},
      {"id": "B", "start_ms": 13, "options": {"acquire_timeout_ms": 1000}}
    ],
    "steps": [{"after_ms": 210, "do": ["pause A"]}]
  })");
  const Scenario fast = at_tick(scenario, 100 * kMillisecond);
  CHECK(fast.tick_us == 100 * kMillisecond);
  CHECK(fast.time_max_us == 1500 * kMillisecond);
  CHECK(fast.link == Latency{100, 400});
  CHECK(fast.step == Latency{0, 1});  // not nothing
  CHECK(fast.clients[0].session_timeout_us == 300 * kMillisecond);
  CHECK(fast.clients[0].start_us == 0);
  CHECK(fast.clients[0].options.job.work_us == 25 * kMillisecond);
  CHECK(fast.clients[0].options.acquire_timeout_us == 0);  // for ever, still
  CHECK(fast.clients[1].options.acquire_timeout_us == 50 * kMillisecond);
  CHECK(fast.clients[1].start_us == 1 * kMillisecond);
  CHECK(fast.steps[0].after_us == 11 * kMillisecond);  // 10.5
  CHECK(at_tick(scenario, 2 * kSecond) == scenario);
}
