// Real runs, held against the simulator: it must be able to produce every one of them.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "catch.h"
#include "cli/process.h"

using namespace lockstep::cli_tests;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

TEST_CASE("compare refuses what is no recording of a real run") {
  const Scratch scratch;
  const std::string trace = scratch.path("simulated.jsonl");
  REQUIRE(run({"play", lesson("L03-five-steps"), "--format", "json", "--out", trace}).code == 0);
  CHECK_THAT(complaint(run({"compare", trace}), 2), Contains("is a trace, but not of a live run"));
  CHECK_THAT(complaint(run({"compare", "no-such-file.json"}), 2), Contains("there is no such file"));
}

#if LOCKSTEP_WITH_LIVE

namespace {

Outcome compare(const std::string& file, const std::vector<std::string>& more) {
  Start start;
  start.arguments = {"compare", file, "--lang", "en"};
  start.arguments.insert(start.arguments.end(), more.begin(), more.end());
  start.seconds = 120;
  return run(start);
}

std::vector<std::string> lesson_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(lesson("L")).parent_path())) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem());
  }
  REQUIRE(names.size() >= 4);
  return names;
}

/// The ids of a lesson's variants, and before them the lesson itself: "".
std::vector<std::string> variants_of(const std::string& name) {
  std::vector<std::string> ids = {""};
  const auto json = nlohmann::json::parse(bytes_of(lesson(name)));
  for (const auto& variant : json.value("variants", nlohmann::json::array())) ids.push_back(variant.at("id"));
  return ids;
}

/// One run in a thousand parts, where a leader shows what it has committed later than a follower does (app/sim/README.md):
/// it is made once more.
void check_agreement(const std::string& name, const std::vector<std::string>& more) {
  std::string asked = name;
  for (const std::string& word : more) asked += " " + word;
  Outcome outcome = compare(lesson(name), more);
  if (outcome.code == 1) {
    UNSCOPED_INFO(asked << "\n" << outcome.out << "Once more:");
    outcome = compare(lesson(name), more);
  }
  INFO(asked << "\n" << outcome.out << outcome.err);
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.out, StartsWith("They agree: the simulator produces all "));
}

}  // namespace

// At a tick of 100 ms a lesson's session time-outs are 0.3 s, and it takes a second of everybody's time.
TEST_CASE("the simulator produces a real run of L03") { check_agreement("L03-five-steps", {"--tick", "100"}); }
TEST_CASE("the simulator produces a real run of L08") { check_agreement("L08-herd", {"--tick", "100"}); }
TEST_CASE("the simulator produces a real run of L18") { check_agreement("L18-gc-pause", {"--tick", "100"}); }
TEST_CASE("the simulator produces a real run of L18 without a check") {
  check_agreement("L18-gc-pause", {"--variant", "no-check", "--tick", "100"});
}
TEST_CASE("the simulator produces a real run of L19") { check_agreement("L19-first-token", {"--tick", "100"}); }
TEST_CASE("the simulator produces real runs on three servers") {
  check_agreement("L18-gc-pause", {"--servers", "3", "--tick", "100"});
  check_agreement("../tests/measured/overlap", {"--tick", "100"});
}
TEST_CASE("the simulator produces real runs of all lessons and their variants, on one server and on three", "[slow]") {
  for (const std::string& name : lesson_names()) {
    for (const std::string& variant : variants_of(name)) {
      for (const std::vector<std::string>& servers : {{}, std::vector<std::string>{"--servers", "3"}}) {
        std::vector<std::string> more = {"--tick", "100"};
        more.insert(more.end(), servers.begin(), servers.end());
        if (!variant.empty()) more.insert(more.end(), {"--variant", variant});
        check_agreement(name, more);
      }
    }
  }
}

TEST_CASE("a recording that was tampered with is told from a real run, where it was") {
  const Scratch scratch;
  const std::string recording = scratch.path("live.jsonl");
  const Outcome made = compare(lesson("L03-five-steps"), {"--tick", "100", "--out", recording});
  REQUIRE(made.code == 0);
  CHECK(compare(recording, {}).out == made.out);
  // The second client claims the first one's token.
  std::string bytes;
  std::istringstream lines(bytes_of(recording));
  int grants = 0;
  for (std::string line; std::getline(lines, line);) {
    const bool grant = line.find("\"kind\":\"acquired\"") != std::string::npos;
    const size_t token = line.find("\"token\":");
    if (grant && ++grants == 2 && token != std::string::npos) line.insert(token + 8, "9");
    bytes += line + "\n";
  }
  REQUIRE(grants > 1);
  const Outcome outcome = compare(scratch.file("tampered.jsonl", bytes), {});
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.out, StartsWith("They part after "));
  CHECK_THAT(outcome.out, Contains("acquires the lock, token 0x"));
  CHECK_THAT(outcome.out, Contains("The simulator could do one of\n  "));
}

#endif
