// Real runs, held against the simulator: it must be able to produce every one of them.
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

void check_agreement(const std::string& name, const std::vector<std::string>& more) {
  const Outcome outcome = compare(lesson(name), more);
  INFO(outcome.out << outcome.err);
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.out, StartsWith("They agree: the simulator produces all "));
}

}  // namespace

TEST_CASE("the simulator produces a real run of L03") { check_agreement("L03-five-steps", {}); }
TEST_CASE("the simulator produces a real run of L08") { check_agreement("L08-herd", {}); }
TEST_CASE("the simulator produces a real run of L18") { check_agreement("L18-gc-pause", {}); }
TEST_CASE("the simulator produces a real run of L18 without a check") {
  check_agreement("L18-gc-pause", {"--variant", "no-check"});
}
TEST_CASE("the simulator produces a real run of L19") { check_agreement("L19-first-token", {}); }
TEST_CASE("the simulator produces real runs of all lessons on three servers", "[slow]") {
  for (const char* name : {"L03-five-steps", "L08-herd", "L18-gc-pause", "L19-first-token"}) {
    check_agreement(name, {"--servers", "3"});
  }
}

TEST_CASE("a recording that was tampered with is told from a real run, where it was") {
  const Scratch scratch;
  const std::string recording = scratch.path("live.jsonl");
  const Outcome made = compare(lesson("L03-five-steps"), {"--out", recording});
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
