// Files that are none of ours, or not whole: each is refused with one line that names it.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <thread>

#include "catch.h"
#include "cli/process.h"
#include "scenario/reading.h"

using namespace lockstep::cli_tests;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

const std::string kLesson = lesson("L18-gc-pause");

/// What `lockstep play` says about a file with these bytes, after the file's name.
std::string about(const std::string& bytes) {
  const Scratch scratch;
  const std::string path = scratch.file("f.json", bytes);
  const std::string said = complaint(run({"play", path}), 2);
  CHECK_THAT(said, StartsWith(path));
  return said.substr(path.size());
}

std::string trace_of(const std::string& file) {
  const Outcome played = run({"play", file, "--format", "json"});
  REQUIRE(played.code == 0);
  REQUIRE(played.out.size() > 1000);
  return played.out;
}

}  // namespace

TEST_CASE("standard input can be the file, whichever it is") {
  const Scratch scratch;
  for (const std::string& file : {kLesson, scratch.file("t.jsonl", trace_of(kLesson))}) {
    Start start;
    start.arguments = {"play", "-", "--lang", "en"};
    start.in = file;
    const Outcome played = run(start);
    CHECK(played.code == 0);
    CHECK_THAT(played.out, Contains("A acquires the lock"));
  }
  CHECK_THAT(complaint(run({"play", "-"}), 2), StartsWith("standard input: "));
}

TEST_CASE("a trace that has been cut off between two lines is played, and told") {
  const Scratch scratch;
  const std::string whole = trace_of(kLesson);
  const size_t cut = whole.rfind('\n', whole.size() / 2) + 1;
  const int missing = static_cast<int>(
      std::count(whole.begin() + static_cast<std::ptrdiff_t>(cut), whole.end(), '\n'));
  const std::string path = scratch.file("t.jsonl", whole.substr(0, cut));
  const Outcome played = run({"play", path});
  CHECK(played.code == 0);
  CHECK(played.out.size() > 1000);
  CHECK_THAT(played.err, StartsWith("lockstep: " + path + ": has been cut off: of its ") &&
                             Contains("the last " + std::to_string(missing) + " are missing"));
  CHECK(run({"play", scratch.file("w.jsonl", whole)}).err.empty());
}

TEST_CASE("files that cannot be read are named") {
  CHECK_THAT(complaint(run({"play", "no-such-file.json"}), 2),
             StartsWith("no-such-file.json: there is no such file"));
  CHECK_THAT(complaint(run({"play", ""}), 2), Contains("no name of a file"));
  CHECK_THAT(complaint(run({"play", kLesson + "/x.json"}), 2),
             Contains("there is no directory " + kLesson));
  CHECK_THAT(complaint(run({"play", lesson("L18")}), 2), Contains("did you mean " + kLesson + "?"));
  const Scratch scratch;
  CHECK_THAT(complaint(run({"play", scratch.folder()}), 2), Contains("is a directory"));
  CHECK_THAT(complaint(run({"check", scratch.folder()}), 2), Contains("holds no lesson"));
  CHECK_THAT(complaint(run({"draw", scratch.folder(), "--out", scratch.path("p.png")}), 2),
             Contains("is a directory"));
  CHECK(scratch.names().empty());
}

TEST_CASE("files that hold no JSON are refused where they go wrong") {
  CHECK(about("") == ": is empty; expected JSON");
  CHECK_THAT(about(std::string("\x7f"
                               "ELF\x02\x01\0\0\0",
                               9)),
             Contains("this is no text file"));
  CHECK(about("{\"clients\": [{\"id\": \"\xc3\x28\"}]}") ==
        ": line 1, column 22: this byte is not UTF-8; save the file as UTF-8");
  for (const char* bad :
       {"\xff", "\xe4\xb8\"", "\xf0\x9f\x98\"", "\x80"}) {  // after one good character
    CHECK_THAT(about("[\"\xe4\xb8\xad" + std::string(bad) + "\"]"),
               StartsWith(": line 1, column 4: this byte is not UTF-8"));
  }
  CHECK_THAT(about("{\"clients\": [{\"id\": \"A\"},]}"),
             Contains("line 1, column 26: not JSON: a comma stands before this ]"));
  CHECK_THAT(about("{\"clients\": [{\"id\": \"A\"}]} trailing"),
             Contains("something follows after the end"));
  CHECK_THAT(about(R"({"clients": [{"id": "A"}], "seed": 1, "seed": 2})"),
             Contains("the key \"seed\" stands twice"));
  CHECK_THAT(about(std::string(100000, '[')), Contains("nested deeper than 64 levels"));
  CHECK_THAT(about("{\"a\": " + std::string(100000, '[') + std::string(100000, ']') + "}"),
             Contains("line 1, column 70: nested deeper"));
}

TEST_CASE("a byte order mark is no reason to refuse a file") {
  const Scratch scratch;
  const std::string path = scratch.file("bom.json", "\xef\xbb\xbf{\"clients\": [{\"id\": \"A\"}]}");
  CHECK(run({"play", path}).code == 0);
}

TEST_CASE("files that are too large are not read") {
  const Scratch scratch;
  const std::string path = scratch.file("large.json", "");
  REQUIRE(truncate(path.c_str(), off_t{300} << 20) == 0);
  Start start;
  start.arguments = {"play", path};
  start.seconds = 5;
  CHECK_THAT(complaint(run(start), 2), Contains("is larger than 256 MiB"));
  REQUIRE(truncate(path.c_str(), off_t{100} << 20) == 0);
  start.seconds = 20;
  CHECK_THAT(complaint(run(start), 2), Contains("is larger than 32 MiB"));
}

TEST_CASE("a file of another kind is refused by name") {
  const Scratch scratch;
  const std::string trace = scratch.file("run.jsonl", trace_of(kLesson));
  const std::string scenario = scratch.file("s.json", R"({"clients": [{"id": "A"}]})");
  const std::string script =
      scratch.file("d.json", R"({"steps": [{"open": "x.json"}, {"key": "space"}]})");
  CHECK(complaint(run({"check", trace}), 2) == trace + ": is a trace; expected a lesson");
  CHECK(complaint(run({"check", scenario}), 2) == scenario + ": is a scenario; expected a lesson");
  CHECK_THAT(complaint(run({"play", script}), 2),
             Contains("is a script for `lockstep drive`; expected a lesson"));
  CHECK_THAT(complaint(run({"drive", kLesson}), 2), Contains(kLesson));
  for (const char* other :
       {"[]", "7", "\"text\"", "null", "{}", R"({"openapi": "3.0", "paths": {}, "info": {}})"}) {
    INFO(other);
    CHECK_THAT(about(other), Contains("is none of Lockstep's files; expected a lesson"));
  }
  CHECK_THAT(
      complaint(run({"play", lockstep::scenario::data_folder() + "/assets/scenario.schema.json"}),
                2),
      Contains("is none of Lockstep's files"));
}

TEST_CASE("what a file names is told without obeying it") {
  CHECK_THAT(about(R"({"clients": [{"id": "A"}], "tick_ms": "[31m"})"), Contains("#/tick_ms"));
  CHECK_THAT(about("{\"clients\": [{\"id\": \"A\\u001b[31m\"}]}"), Contains("control character"));
  const std::string name = std::string("f\x1b[31m\n.json");
  const Scratch scratch;
  const Outcome refused = run({"play", scratch.file(name, "{")});
  CHECK(refused.err.find('\x1b') == std::string::npos);
  CHECK_THAT(complaint(refused, 2), Contains("f\\u001b[31m\\u000a.json"));
}

TEST_CASE("a trace that was cut off is refused where it ends") {
  const std::string whole = trace_of(kLesson);
  const size_t lines = static_cast<size_t>(std::count(whole.begin(), whole.end(), '\n'));
  const Scratch scratch;
  for (const size_t part : {1u, 3u, 50u, 97u}) {
    // In the middle of a line: after its first byte and before its last.
    size_t at = whole.size() * part / 100;
    while (whole[at - 1] == '\n' || whole[at] == '\n') ++at;
    const size_t line =
        1 + static_cast<size_t>(
                std::count(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    INFO("cut at byte " << at << " of " << whole.size());
    const std::string path = scratch.file("cut.jsonl", whole.substr(0, at));
    const std::string said = complaint(run({"play", path}), 2);
    CHECK_THAT(said, StartsWith(path + ":" + std::to_string(line) + ": column ") &&
                         Contains("was the file cut off?"));
  }
  const size_t third = whole.find('\n', whole.find('\n') + 1) + 1;
  const std::string path =
      scratch.file("gap.jsonl", whole.substr(0, third) + whole.substr(whole.find('\n', third) + 1));
  CHECK_THAT(complaint(run({"play", path}), 2),
             StartsWith(path + ":3#/i: this is event 2, but event 1 comes next"));
  CHECK(lines > 200);
}

TEST_CASE("a line of a trace has a longest length") {
  const std::string whole = trace_of(kLesson);
  const Scratch scratch;
  const std::string path = scratch.file("long.jsonl", whole.substr(0, whole.find('\n') + 1));
  REQUIRE(truncate(path.c_str(), off_t{1} << 30) == 0);
  Start start;
  start.arguments = {"play", path};
  start.seconds = 20;
  CHECK_THAT(complaint(run(start), 2), StartsWith(path + ":2: is larger than 32 MiB"));
}

TEST_CASE("a trace and a lesson can come through a pipe") {
  const Scratch scratch;
  for (const std::string& bytes : {trace_of(kLesson), bytes_of(kLesson)}) {
    const std::string path = scratch.path("pipe");
    REQUIRE(mkfifo(path.c_str(), 0600) == 0);
    std::thread writer([&] { std::ofstream(path, std::ios::binary) << bytes; });
    const Outcome played = run({"play", path, "--lang", "en"});
    writer.join();
    CHECK(played.code == 0);
    CHECK_THAT(played.out, Contains("A acquires the lock"));
    REQUIRE(unlink(path.c_str()) == 0);
  }
}

TEST_CASE("a trace that was saved as one pretty object is recognized") {
  CHECK_THAT(about("{\n  \"lockstep_trace\": 1,\n  \"events\": []\n}\n"),
             Contains("is a trace, but not as it was written"));
  CHECK_THAT(about("{\"lockstep_trace\": 7}\n"),
             Contains(":1#/lockstep_trace: this is format 7 of traces"));
}
