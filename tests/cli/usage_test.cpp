// The command line itself: help, and what is said about a command line that means nothing.
#include <sstream>

#include "catch.h"
#include "cli/process.h"

using namespace lockstep::cli_tests;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

const std::string kLesson = lesson("L18-gc-pause");

/// What is said about a command line, without the program's name.
std::string usage_complaint(const std::vector<std::string>& arguments) {
  return complaint(run(arguments), 2);
}

}  // namespace

TEST_CASE("every command explains itself, in words that can be typed") {
  for (const std::string command : {"", "open", "play", "check", "compare", "draw", "drive",
                                    "servers"}) {
    std::vector<std::string> arguments = {"--help"};
    if (!command.empty()) arguments.insert(arguments.begin(), command);
    const Outcome help = run(arguments);
    INFO("lockstep " << command << " --help\n" << help.out);
    CHECK(help.code == 0);
    CHECK(help.err.empty());
    CHECK_THAT(help.out, Contains("Usage: lockstep " + command));
    for (const char* internal : {"ENUM", "TEXT", "UINT", "INT:", "->"})
      CHECK_THAT(help.out, !Contains(internal));
  }
  CHECK_THAT(run({"--help"}).out,
             Contains("play") && Contains("servers") && Contains("Exit codes"));
  CHECK_THAT(run({"draw", "-h"}).out,
             Contains("dark|light|print") && Contains("zh|en") && Contains(".pdf"));
}

TEST_CASE("the help of drive lists every step, and complaints the same") {
  const std::string help = run({"drive", "--help"}).out;
  const Scratch scratch;
  const std::string said =
      usage_complaint({"drive", scratch.file("d.json", R"({"steps": [{"x": 1}]})")});
  const std::string before = "expected one of the steps ";
  const size_t at = said.find(before);
  REQUIRE(at != std::string::npos);
  std::istringstream names(said.substr(at + before.size()));
  int count = 0;
  for (std::string name; std::getline(names >> std::ws, name, ',');) {
    INFO(name);
    CHECK_THAT(help, Contains("  {\"" + name + "\": "));
    ++count;
  }
  CHECK(count > 20);
}

TEST_CASE("the version is one line") {
  const Outcome version = run({"--version"});
  CHECK(version.code == 0);
  CHECK_THAT(version.out, StartsWith("lockstep ") && Contains("."));
}

TEST_CASE("a misspelt command or option is answered with the one that was meant") {
  CHECK_THAT(usage_complaint({"chekc"}), Contains("chekc") && Contains("did you mean \"check\"?"));
  CHECK_THAT(usage_complaint({"frobnicate"}),
             Contains("neither a command nor a file") && Contains("\"play\""));
  CHECK_THAT(usage_complaint({"play", "--sede", "3", kLesson}),
             Contains("--sede: there is no such option; did you mean --seed?"));
  CHECK_THAT(usage_complaint({"play", "--frobnicate"}),
             Contains("--frobnicate: there is no such option; there are --"));
  CHECK_THAT(usage_complaint({"check", "--sede=3"}),
             Contains("--sede: there is no such option") && Contains("see lockstep check --help"));
}

TEST_CASE("what is missing or too much is named") {
  CHECK_THAT(usage_complaint({"play"}),
             Contains("FILE is missing: a lesson, a scenario or a trace") &&
                 Contains("see lockstep play --help"));
  CHECK_THAT(usage_complaint({"draw", kLesson}),
             Contains("--out is missing") && Contains(".png, .svg or .pdf"));
  CHECK_THAT(usage_complaint({"drive"}), Contains("SCRIPT is missing"));
  CHECK_THAT(usage_complaint({"play", kLesson, "again.json"}),
             Contains("again.json: expected nothing more here"));
  CHECK_THAT(usage_complaint({"play", kLesson, "--seed"}), Contains("--seed"));
  CHECK_THAT(usage_complaint({"play", kLesson, "--seed", "1", "--seed", "2"}), Contains("--seed"));
}

TEST_CASE("a bad value is named with what was expected") {
  const auto of_play = [](const std::string& option, const std::string& value) {
    return usage_complaint({"play", kLesson, option, value});
  };
  const std::string seeds = ": expected a whole number from 0 to 9223372036854775807";
  for (const std::string seed : {"x", "-1", "1.5", "9223372036854775808", "3 4", ""}) {
    INFO(seed);
    CHECK_THAT(of_play("--seed", seed), Contains((seed.empty() ? "\"\"" : seed) + seeds));
  }
  CHECK_THAT(of_play("--servers", "9"),
             Contains("--servers 9: expected a whole number from 1 to 5"));
  CHECK_THAT(of_play("--tick", "0"), Contains("--tick 0: expected a whole number from 1 to 60000"));
  CHECK_THAT(of_play("--connect", ""),
             Contains("--connect \"\": expected servers that run already"));
  CHECK_THAT(of_play("--lang", "fr"), Contains("--lang fr: expected \"zh\" or \"en\""));
  CHECK_THAT(of_play("--format", "pdf"), Contains("--format pdf: expected \"text\" or \"json\""));
  CHECK_THAT(of_play("--backend", "real"),
             Contains("--backend real: expected \"sim\" or \"live\""));
  CHECK_THAT(of_play("--variant", "no-chek"),
             Contains("--variant no-chek: ") && Contains("no-check"));
  CHECK_THAT(usage_complaint({"servers", "--count", "0"}),
             Contains("--count 0: expected a whole number from 1 to 5"));
}

TEST_CASE("pictures of no size, of no moment, of nobody, of no kind are refused") {
  const Scratch scratch;
  const auto of_draw = [&](const std::string& option, const std::string& value) {
    return usage_complaint({"draw", kLesson, "--out", scratch.path("p.png"), option, value});
  };
  for (const std::string size :
       {"0x0", "1280", "1280x", "99999x99999", "-5x-5", "1280x800x2", "99999999999x300"}) {
    CHECK_THAT(of_draw("--size", size), Contains("--size " + size + ": expected WIDTHxHEIGHT"));
  }
  CHECK_THAT(of_draw("--font", "3"), Contains("--font 3: expected") && Contains("12 to 40"));
  CHECK_THAT(of_draw("--font", "nan"), Contains("--font nan"));
  CHECK_THAT(of_draw("--theme", "pink"), Contains("\"dark\", \"light\" or \"print\""));
  CHECK_THAT(of_draw("--at", "1000000"),
             Contains("--at 1000000: expected a step from 0 (the start) to "));
  CHECK_THAT(of_draw("--at", "3600s"), Contains("--at 3600s: lies behind the last event"));
  CHECK_THAT(of_draw("--at", "-1"), Contains("--at -1: expected a step from 0"));
  CHECK_THAT(of_draw("--at", "soon"), Contains("--at soon"));
  CHECK_THAT(of_draw("--at", "-8s"), Contains("--at -8s"));
  CHECK_THAT(of_draw("--client", "Z"),
             Contains("--client Z: there is no such client; expected \"A\", \"B\" or \"C\""));
  CHECK_THAT(usage_complaint({"draw", kLesson, "--out", scratch.path("p.gif")}),
             Contains(".png, .svg or .pdf"));
  CHECK(scratch.names().empty());
}

TEST_CASE("options that mean nothing here are not passed over in silence") {
  CHECK_THAT(usage_complaint({"play", kLesson, "--servers", "1"}), Contains("add --backend live"));
  CHECK_THAT(usage_complaint({"play", kLesson, "--connect", "localhost:2181"}),
             Contains("add --backend live"));
  CHECK_THAT(usage_complaint({"play", kLesson, "--backend", "live", "--servers", "1", "--connect",
                              "localhost:2181"}),
             Contains("leave one of them out"));
  CHECK_THAT(usage_complaint({"play", kLesson, "--backend", "live", "--tick", "100", "--connect", "localhost:2181"}),
             Contains("--tick: is set where servers are started"));
  const Scratch scratch;
  const std::string trace = scratch.path("run.jsonl");
  REQUIRE(run({"play", kLesson, "--format", "json", "--out", trace}).code == 0);
  CHECK_THAT(usage_complaint({"play", trace, "--seed", "2"}),
             Contains("is a trace") && Contains("--seed"));
  CHECK_THAT(usage_complaint({"play", trace, "--tick", "100"}), Contains("is a trace") && Contains("--tick"));
  CHECK_THAT(usage_complaint({"--live", trace}),
             StartsWith(trace + ": is a trace, which has happened already: it takes no --live"));
  const std::string scenario = scratch.file("s.json", R"({"clients": [{"id": "A"}]})");
  CHECK_THAT(usage_complaint({"play", scenario, "--variant", "x"}),
             Contains("is no lesson") && Contains("--variant"));
}
