#include "trace/json.h"

#include <sstream>

#include <nlohmann/json.hpp>

#include "catch.h"
#include "random_trace.h"
#include "scenario/schema.h"
#include "trace/writer.h"

using namespace lockstep;
using namespace lockstep::trace;
using namespace lockstep::trace::testing;
using nlohmann::json;

namespace {

std::string written(const Trace& trace) {
  std::ostringstream out;
  write_json_lines(trace, out);
  return out.str();
}

scenario::Result<Trace> read(const std::string& text) {
  std::istringstream in(text);
  return read_json_lines(in, "run.jsonl");
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// A header and one event that puts a client's row.
std::string header() { return lines_of(written(random_trace(1, 0).trace)).at(0) + "\n"; }

/// The problem that reading the header and then `line` meets.
std::string problem_with(const std::string& line) {
  const auto result = read(header() + line + "\n");
  return result ? "no problem" : scenario::describe(result.problems().front());
}

std::string event_with(const std::string& more) {
  return R"({"i":0,"t_us":5,"lane":"A","kind":"line")" + more + "}";
}

}  // namespace

TEST_CASE("a trace written and read is the same trace, byte for byte") {
  for (const uint64_t seed : {21u, 22u, 23u}) {
    CAPTURE(seed);
    const Recorded recorded = random_trace(seed, 150);
    const std::string text = written(recorded.trace);
    const auto result = read(text);
    if (!result) FAIL(scenario::describe(result.problems().front()));
    const Trace& again = result.value();
    REQUIRE(again.header() == recorded.trace.header());
    REQUIRE(again.size() == recorded.trace.size());
    for (int64_t index = 0; index < again.size(); ++index) {
      REQUIRE(again.event(index) == recorded.trace.event(index));
    }
    for (int64_t index = kNoEvent; index < again.size(); index += 9) {
      REQUIRE(again.snapshot(index) == recorded.trace.snapshot(index));
    }
    REQUIRE(written(again) == text);
  }
}

TEST_CASE("merging the patches over the initial snapshot gives each snapshot's JSON") {
  const Recorded recorded = random_trace(31, 80);
  const std::vector<std::string> lines = lines_of(written(recorded.trace));
  REQUIRE(lines.size() == 81);
  json merged = json::parse(lines[0]).at("initial");
  for (size_t i = 1; i < lines.size(); ++i) {
    CAPTURE(i);
    const json line = json::parse(lines[i]);
    if (line.contains("delta")) merged.merge_patch(line.at("delta"));
    const Snapshot snapshot = recorded.trace.snapshot(static_cast<int64_t>(i) - 1);
    REQUIRE(merged == json(snapshot_to_json(snapshot, recorded.trace.lock_path())));
  }
}

TEST_CASE("every line fits the schema") {
  const Recorded recorded = random_trace(41, 60);
  for (const std::string& line : lines_of(written(recorded.trace))) {
    const auto problems =
        scenario::check_against_schema(json::parse(line), "trace.schema.json", {});
    CAPTURE(line);
    for (const scenario::Problem& problem : problems) FAIL(scenario::describe(problem));
  }
  json line = json::parse(event_with(""));
  REQUIRE(scenario::check_against_schema(line, "trace.schema.json", {}).empty());
  line["delta"]["clients"]["A"]["belief"] = "hoping";
  REQUIRE_FALSE(scenario::check_against_schema(line, "trace.schema.json", {}).empty());
}

TEST_CASE("what was put and taken back within one event is not told") {
  Recorded recorded = random_trace(1, 0);
  Writer writer(recorded.trace);
  writer.put(&Snapshot::clients, "A", {.token = 1});
  writer.commit({.kind = EventKind::kStarted});
  writer.put(&Snapshot::clients, "A", {.token = 2});
  writer.put(&Snapshot::clients, "A", {.token = 1});
  writer.put(&Snapshot::messages, "1", {});
  writer.erase(&Snapshot::messages, "1");
  writer.commit({.kind = EventKind::kLine});
  const std::string text = written(recorded.trace);
  REQUIRE_FALSE(json::parse(lines_of(text).at(2)).contains("delta"));
  const auto again = read(text);
  REQUIRE(again.ok());
  REQUIRE(written(again.value()) == text);
}

TEST_CASE("numbers of 64 bits survive") {
  Recorded recorded = random_trace(1, 0);
  Snapshot snapshot = recorded.trace.last();
  snapshot.sessions["A#1"].session_id = 0x7fedcba987654321;
  snapshot.znodes["/x"].stat.ephemeral_owner = std::numeric_limits<int64_t>::min();
  Trace trace(recorded.trace.header(), snapshot);
  const auto again = read(written(trace));
  REQUIRE(again.ok());
  REQUIRE(again.value().last() == trace.last());
}

TEST_CASE("what is no header is refused") {
  const auto problem = [](const std::string& text) {
    const auto result = read(text);
    return result ? "no problem" : scenario::describe(result.problems().front());
  };
  REQUIRE(problem("") ==
          "run.jsonl: the file is empty: expected a trace's header in its first line");
  REQUIRE(problem(event_with("") + "\n")
              .find("run.jsonl:1: the member \"lockstep_trace\" is missing") == 0);
  REQUIRE(problem("[1]\n").find("run.jsonl:1: expected an object") == 0);
  json head = json::parse(header());
  head["lockstep_trace"] = 2;
  REQUIRE(problem(head.dump()).find("run.jsonl:1#/lockstep_trace: this is format 2 of traces") ==
          0);
  head["lockstep_trace"] = 1;
  head["source"] = "guessed";
  REQUIRE(problem(head.dump()) ==
          "run.jsonl:1#/source: \"guessed\" is no source: expected one of simulated, explored, "
          "live, sampled");
  head["source"] = "live";
  head["scenario"]["clients"] = json::array();
  REQUIRE(problem(head.dump()).find("run.jsonl:1#/scenario/clients") == 0);
}

TEST_CASE("hostile lines are refused, naming line, place and what was expected") {
  REQUIRE(problem_with(event_with("")) == "no problem");
  REQUIRE(problem_with(R"({"i":1,"t_us":5,"lane":"A","kind":"line"})") ==
          "run.jsonl:2#/i: this is event 1, but event 0 comes next: lines are missing, doubled or "
          "out of order");
  REQUIRE(
      problem_with(R"({"i":0,"t_us":-5,"lane":"A","kind":"line"})").find("run.jsonl:2#/t_us: ") ==
      0);
  REQUIRE(problem_with(R"({"i":0,"t_us":5,"lane":"A","kind":"exploded"})")
              .find("run.jsonl:2#/kind: \"exploded\" is no kind of event: expected one of started, "
                    "line, ") == 0);
  REQUIRE(problem_with(R"({"i":0,"t_us":5,"kind":"line"})") ==
          "run.jsonl:2: the member \"lane\" is missing: expected where it happened");
  REQUIRE(problem_with(R"({"i":0,"t_us":5,"lane":"A","kind":"li)")
              .find("run.jsonl:2: column ") == 0);
  REQUIRE(problem_with("") == "run.jsonl:2: the line is empty: expected one JSON object a line");
  REQUIRE(problem_with("\xff").find("run.jsonl:2: ") == 0);
  REQUIRE(problem_with(std::string(5000, '[')).find("run.jsonl:2: ") == 0);
  REQUIRE(problem_with(event_with(R"(,"cause":0)")).find("run.jsonl:2#/cause: ") == 0);
  REQUIRE(problem_with(event_with(R"(,"colour":1)")).find("run.jsonl:2#/colour: ") == 0);
}

TEST_CASE("hostile members are refused at their place") {
  const auto place = [](const std::string& more) {
    const std::string problem = problem_with(event_with(more));
    return problem.substr(0, problem.find(": "));
  };
  REQUIRE(place(R"(,"data":{"token":1e400})") == "run.jsonl:2");
  REQUIRE(place(R"(,"data":{"token":9223372036854775808})") == "run.jsonl:2");
  REQUIRE(place(R"(,"data":{"token":1.5})") == "run.jsonl:2#/data/token");
  REQUIRE(place(R"(,"data":{"line":2147483648})") == "run.jsonl:2#/data/line");
  REQUIRE(place(R"(,"data":{"line":-2147483649})") == "run.jsonl:2#/data/line");
  REQUIRE(place(R"(,"data":{"stale":1})") == "run.jsonl:2#/data/stale");
  REQUIRE(place(R"(,"data":{"waht":"x"})") == "run.jsonl:2#/data/waht");
  REQUIRE(place(R"(,"data":[])") == "run.jsonl:2#/data");
  REQUIRE(place(R"(,"delta":{"clients":{"A":{"belief":"hoping"}}})") ==
          "run.jsonl:2#/delta/clients/A/belief");
  REQUIRE(place(R"(,"delta":{"clients":{"A":{"token":null}}})") ==
          "run.jsonl:2#/delta/clients/A/token");
  REQUIRE(place(R"(,"delta":{"clients":{"nobody":null}})") == "run.jsonl:2#/delta/clients/nobody");
  REQUIRE(place(R"(,"delta":{"clients":7})") == "run.jsonl:2#/delta/clients");
  REQUIRE(place(R"(,"delta":{"znodes":{"/a/~b":{"stat":{"czxid":"1"}}}})") ==
          "run.jsonl:2#/delta/znodes/~1a~1~0b/stat/czxid");
  REQUIRE(place(R"(,"delta":{"klients":{}})") == "run.jsonl:2#/delta/klients");
  REQUIRE(problem_with(event_with(R"(,"delta":{"clients":{"A":{"belive":"idle"}}})")) ==
          "run.jsonl:2#/delta/clients/A/belive: there is no such member here; did you mean "
          "\"belief\"?");
}

TEST_CASE("a file with a few bytes changed is read or refused, and what is read can be told") {
  const uint64_t seed = 51;
  CAPTURE(seed);
  const std::string text = written(random_trace(seed, 12).trace);
  Dice dice(seed);
  const std::string bytes = "\"{}[]:,0719-ne\n\\ ";
  int64_t refused = 0;
  for (int i = 0; i < 300; ++i) {
    std::string changed = text;
    for (uint64_t left = 1 + dice.below(3); left > 0; --left) {
      changed[dice.below(changed.size())] = bytes[dice.below(bytes.size())];
    }
    if (dice.below(5) == 0) changed.resize(dice.below(changed.size()));
    const auto result = read(changed);
    if (!result) {
      ++refused;
      REQUIRE(result.problems().front().file.find("run.jsonl") == 0);
      REQUIRE_FALSE(result.problems().front().message.empty());
      continue;
    }
    REQUIRE(read(written(result.value())).ok());
  }
  REQUIRE(refused > 200);
}

TEST_CASE("counters from which counting cannot go on are refused") {
  json head = json::parse(header());
  head["initial"]["facts"]["watch_events"] = std::numeric_limits<int64_t>::max();
  const auto result = read(head.dump());
  REQUIRE_FALSE(result.ok());
  REQUIRE(result.problems().front().pointer == "/initial/facts/watch_events");
}
