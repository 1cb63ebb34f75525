// Where output goes: whole files or none, stdout for machines, one line for people when it cannot be.
#include <signal.h>

#include <cstdlib>
#include <filesystem>

#include "catch.h"
#include "cli/process.h"

using namespace lockstep::cli_tests;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

const std::string kLesson = lesson("L18-gc-pause");

std::vector<std::string> playing_to(const std::string& out) {
  return {"play", kLesson, "--out", out};
}
std::vector<std::string> drawing_to(const std::string& out) {
  return {"draw", kLesson, "--out", out};
}

}  // namespace

TEST_CASE("what is asked for is on stdout or in the file, and stderr is silent") {
  const Scratch scratch;
  const Outcome text = run({"play", kLesson, "--lang", "en"});
  CHECK(text.code == 0);
  CHECK(text.err.empty());
  CHECK_THAT(text.out, Contains("A acquires the lock"));
  for (const std::string format : {"text", "json"}) {
    const Outcome shown = run({"play", kLesson, "--lang", "en", "--format", format});
    const Outcome kept =
        run({"play", kLesson, "--lang", "en", "--format", format, "--out", scratch.path("kept")});
    CHECK(kept.out.empty());
    CHECK(kept.err.empty());
    CHECK(bytes_of(scratch.path("kept")) == shown.out);
  }
  CHECK(scratch.names() == std::vector<std::string>{"kept"});
}

TEST_CASE("standard output can be named as a file is") {
  const Outcome shown = run({"play", kLesson, "--lang", "en"});
  CHECK(run({"play", kLesson, "--lang", "en", "--out", "-"}).out == shown.out);
  CHECK_FALSE(std::filesystem::exists("-"));
}

TEST_CASE("text and --at count steps as the window does") {
  CHECK_THAT(run({"play", kLesson, "--lang", "en"}).out, Contains("  1  0.000 s  A    A starts"));
  const Scratch scratch;
  for (const auto& [step, shown] : std::vector<std::pair<std::string, std::string>>{
           {"149", "step 149 of "}, {"1", "step 1 of "}, {"0", "step 0 of "}}) {
    REQUIRE(
        run({"draw", kLesson, "--lang", "en", "--at", step, "--out", scratch.path("p.svg")}).code ==
        0);
    CHECK_THAT(bytes_of(scratch.path("p.svg")), Contains(shown));
  }
}

TEST_CASE("why a run has ended is said in the reader's language") {
  const Scratch scratch;
  const std::string scenario = scratch.file(
      "s.json", R"({"clients": [{"id": "A", "job": {"work_ms": 60000}}], "time_max_ms": 1000})");
  CHECK_THAT(run({"play", scenario, "--lang", "zh"}).err,
             StartsWith("lockstep: 场景的时间已用完（"));
}

TEST_CASE("a run that leaves something undone says so") {
  const Scratch scratch;
  const std::string scenario = scratch.file(
      "s.json", R"({"clients": [{"id": "A", "job": {"work_ms": 60000}}], "time_max_ms": 1000,
      "steps": [{"when": [{"at": "/clients/A/belief", "is": "released"}], "do": ["crash A"]}]})");
  const Outcome played = run({"play", scenario});
  CHECK(played.code == 0);
  CHECK_THAT(
      played.err,
      StartsWith("lockstep: the scenario's time is up; step 1 of its script never came to pass"));
}

TEST_CASE("every kind of picture is written whole") {
  const Scratch scratch;
  for (const auto& [name, magic] : std::vector<std::pair<std::string, std::string>>{
           {"p.png", "\x89PNG"}, {"p.svg", "<"}, {"p.PDF", "%PDF"}}) {
    const Outcome drawn =
        run({"draw", kLesson, "--at", "8.9s", "--out", scratch.path(name), "--client", "A"});
    CHECK(drawn.code == 0);
    CHECK(drawn.out + drawn.err == "");
    CHECK_THAT(bytes_of(scratch.path(name)), StartsWith(magic));
  }
  CHECK(scratch.names().size() == 3);
}

TEST_CASE("places that cannot be written to are named, and nothing is left there") {
  const Scratch scratch;
  const std::string old = scratch.file("old.png", "old");
  for (const auto& command : {playing_to, drawing_to}) {
    CHECK_THAT(complaint(run(command(scratch.path("no/p.png"))), 2),
               Contains("no/p.png: ") && Contains("there is no directory"));
    CHECK_THAT(complaint(run(command(old + "/p.png")), 2), Contains("is no directory"));
    CHECK_THAT(complaint(run(command("/proc/lockstep.png")), 2),
               Contains("/proc/lockstep.png: cannot be written"));
    CHECK_THAT(complaint(run(command("")), 2), Contains("--out \"\": expected"));
  }
  CHECK_THAT(complaint(run(playing_to(scratch.folder())), 2), Contains("is a directory"));
  const std::string folder = scratch.path("folder.png");
  std::filesystem::create_directory(folder);
  CHECK_THAT(complaint(run(drawing_to(folder)), 2), Contains("is a directory"));
  CHECK(bytes_of(old) == "old");
  CHECK(scratch.names() == std::vector<std::string>{"folder.png", "old.png"});
}

TEST_CASE("a full disk is the environment's fault, and devices stay what they are") {
  CHECK_THAT(complaint(run(playing_to("/dev/full")), 3),
             Contains("/dev/full: cannot be written: No space left on device"));
  CHECK(run(playing_to("/dev/null")).code == 0);
  CHECK(std::filesystem::is_character_file("/dev/full"));
  CHECK(std::filesystem::is_character_file("/dev/null"));
  const Outcome piped = run(playing_to("/dev/stdout"));
  CHECK(piped.code == 0);
  CHECK(piped.out.size() > 1000);
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"play", kLesson}, {"check", kLesson}}) {
    Start start;
    start.arguments = arguments;
    start.out = Stdout::kFull;
    CHECK_THAT(complaint(run(start), 3),
               StartsWith("standard output: cannot be written to: No space left on device"));
  }
}

TEST_CASE("a closed stdout is told, and no file takes its place") {
  Start start;
  start.arguments = {"play", kLesson};
  start.out = Stdout::kClosed;
  CHECK_THAT(complaint(run(start), 3),
             StartsWith("standard output: cannot be written to: Bad file descriptor"));
}

TEST_CASE("a reader that has seen enough ends it quietly") {
  for (const bool ignored : {false, true}) {
    for (const std::string format : {"text", "json"}) {
      Start start;
      start.arguments = {"play", kLesson, "--format", format};
      start.out = Stdout::kReaderGone;
      start.ignore_sigpipe = ignored;
      const Outcome ended = run(start);
      CHECK(ended.err.empty());
      CHECK((ended.signal == SIGPIPE || ended.code == 0));
    }
  }
}

TEST_CASE("an interruption leaves nothing half-written behind") {
  const Scratch scratch;
  const std::string old = scratch.file("run.jsonl", "old");
  const std::string crowd = R"({"clients": [{"ids": {"prefix": "C", "count": 300}}]})";
  Start start;
  start.arguments = {"play", scratch.file("s.json", crowd), "--format", "json", "--out", old};
  start.interrupted_at = old + ".part";
  const Outcome ended = run(start);
  CHECK(ended.signal == SIGINT);
  CHECK(bytes_of(old) == "old");
  CHECK(scratch.names() == std::vector<std::string>{"run.jsonl", "s.json"});
}

#if LOCKSTEP_WITH_LIVE
TEST_CASE("a real run that is interrupted ends as any other, and leaves nothing behind") {
  const Scratch scratch;
  setenv("TMPDIR", scratch.folder().c_str(), 1);
  Start start;
  start.arguments = {"play", kLesson, "--backend", "live"};
  start.interrupted_at = scratch.folder();
  const Outcome ended = run(start);
  unsetenv("TMPDIR");
  CHECK(ended.signal == SIGINT);
  CHECK(scratch.names().empty());
}
#endif
