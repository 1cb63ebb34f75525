// Files changed at random, opened in this process as every command opens them: each is taken, or refused with
// a message. What is taken is told to its end, as `play` would tell it.
#include <algorithm>
#include <iostream>
#include <random>
#include <sstream>

#include "catch.h"
#include "cli/process.h"
#include "course/opening.h"
#include "play/run.h"
#include "scenario/reading.h"
#include "trace/json.h"
#include "trace/text.h"

using namespace lockstep;
using cli_tests::bytes_of;
using cli_tests::lesson;
using cli_tests::Scratch;

namespace {

/// Changes to bytes, of the kinds that find their way into files.
class Mutator {
 public:
  explicit Mutator(uint64_t seed) : bits_(seed) {}

  std::string changed(std::string text) {
    for (size_t i = 0, count = 1 + below(3); i < count && !text.empty(); ++i) change(text);
    return text;
  }

 private:
  size_t below(size_t bound) { return static_cast<size_t>(bits_() % bound); }

  void change(std::string& text) {
    static constexpr const char* kPieces[] = {"null",
                                              "-1",
                                              "1e309",
                                              "99999999999999999999",
                                              "\"\"",
                                              "[]",
                                              "{}",
                                              "true",
                                              "0.5",
                                              "\\u0000",
                                              "\"/\"",
                                              "~2",
                                              "9223372036854775807",
                                              "-9223372036854775808",
                                              ",",
                                              "}",
                                              "]",
                                              ":"};
    const size_t at = below(text.size());
    const size_t most = std::min<size_t>(text.size() - at, 40);
    switch (below(7)) {
      case 0: text[at] = static_cast<char>(below(256)); return;
      case 1: text[at] = static_cast<char>(text[at] ^ (1 << below(8))); return;
      case 2: text.erase(at, 1 + below(most)); return;
      case 3: text.insert(at, text, below(text.size()), 1 + below(60)); return;
      case 4: text.resize(at); return;
      case 5: replace_value(text, at, kPieces[below(std::size(kPieces))]); return;
      default: swap_values(text, at); return;
    }
  }

  /// From one delimiter to the next, so that what comes out is mostly JSON still.
  static std::pair<size_t, size_t> value_near(const std::string& text, size_t at) {
    const size_t begin = text.find_first_of(":[,", at);
    if (begin == std::string::npos) return {at, 0};
    const size_t end = text.find_first_of(",]}\n", begin + 1);
    return {begin + 1, (end == std::string::npos ? text.size() : end) - begin - 1};
  }
  static void replace_value(std::string& text, size_t at, const std::string& piece) {
    const auto [begin, size] = value_near(text, at);
    text.replace(begin, size, piece);
  }
  void swap_values(std::string& text, size_t at) {
    const auto [begin, size] = value_near(text, at);
    const auto [from, length] = value_near(text, below(text.size()));
    text.replace(begin, size, std::string(text, from, length));
  }

  std::mt19937_64 bits_;
};

/// Some hundred changed files: most are refused, and about one in fifty still means something.
struct Tally {
  int taken = 0;
  int refused = 0;
};

/// Opens the bytes; a refusal must name the file and say something.
void open_and_tell(const Scratch& scratch, const std::string& bytes, Tally& tally) {
  const std::string path = scratch.file("f.json", bytes);
  const scenario::Result<course::Opened> opened = course::open_file(path);
  if (!opened) {
    ++tally.refused;
    REQUIRE_FALSE(opened.problems().empty());
    for (const scenario::Problem& problem : opened.problems()) {
      REQUIRE(problem.file.rfind(path, 0) == 0);
      REQUIRE_FALSE(problem.message.empty());
      REQUIRE(scenario::describe(problem).find('\n') == std::string::npos);
    }
    return;
  }
  ++tally.taken;
  if (!opened.value().recorded) return;
  const trace::Trace& trace = *opened.value().recorded;
  std::ostringstream told;
  trace::write_text(trace, trace::Language::kZh, told);
  trace::write_json_lines(trace, told);
  told << trace::transcript(trace.snapshot(trace.size() - 1), trace.lock_path(),
                            trace::Language::kEn);
  REQUIRE(told.good());
}

/// A fresh seed for every run of the tests; the one that failed is printed.
uint64_t fresh_seed() { return std::random_device{}(); }

Tally fuzz(const std::string& bytes, int rounds) {
  const Scratch scratch;
  const uint64_t seed = fresh_seed();
  Tally tally;
  for (int round = 0; round < rounds; ++round) {
    const uint64_t number = seed + static_cast<uint64_t>(round);
    INFO("seed " << number);
    open_and_tell(scratch, Mutator(number).changed(bytes), tally);
  }
  return tally;
}

/// A short run with everything that rows of a trace can hold, so that most changes hit something of interest.
std::string short_trace() {
  const Scratch scratch;
  const std::string scenario = scratch.file("s.json", R"({"seed": 3,
      "clients": [{"id": "A", "job": {"work_ms": 20, "writes": [7, 8]}}, {"id": "B", "profile": "java"}],
      "resource": {"id": "db", "label": {"zh": "库存", "en": "stock"}, "rule": "greater_or_equal", "initial": 9},
      "steps": [{"at_line": {"client": "A", "line": "write"}, "do": ["hold A>db", "pause A"]}, {"after_ms": 9000, "do": ["resume A", "let go A>db"]}]})");
  const scenario::Result<course::Opened> opened = course::open_file(scenario);
  REQUIRE(opened.ok());
  std::ostringstream out;
  trace::write_json_lines(play::play_to_end(opened.value().scenario), out);
  return out.str();
}

const char* const kLessons[] = {"L03-five-steps", "L08-herd", "L18-gc-pause", "L19-first-token"};

const char* const kScenario =
    R"({"name": "s", "seed": 1, "tick_ms": 500, "servers": ["zk1"], "lock_path": "/a/b",
    "clients": [{"id": "A", "profile": "java", "session_timeout_ms": 4000, "start_ms": 1.5,
      "options": {"rounds": 3, "token": "sequence", "watch": "smallest"}, "job": {"work_ms": 90, "writes": [70, -60]}},
      {"ids": {"prefix": "C", "count": 3, "start_every_ms": 10}}],
    "latency_ms": [1, 2], "step_ms": [0.1, 0.25], "time_max_ms": 9000,
    "steps": [{"when": [{"at": "/clients/C1/belief", "is": "waiting"}], "do": ["pause A", "cut A-zk1"]}]})";

}  // namespace

TEST_CASE("changed lessons are read or refused") {
  for (const char* name : kLessons) {
    const Tally tally = fuzz(bytes_of(lesson(name)), 100);
    CHECK(tally.refused > 30);
    CHECK(tally.taken > 0);
  }
}

TEST_CASE("changed scenarios are read or refused") {
  const Tally tally = fuzz(kScenario, 600);
  CHECK(tally.refused > 200);
  CHECK(tally.taken > 0);
}

TEST_CASE("changed traces are read or refused, and what is read can be told") {
  const Tally tally = fuzz(short_trace(), 600);
  CHECK(tally.refused > 200);
  CHECK(tally.taken > 0);
}

TEST_CASE("files changed in very many ways are read or refused", "[slow]") {
  for (const char* name : kLessons) fuzz(bytes_of(lesson(name)), 3000);
  fuzz(kScenario, 20000);
  fuzz(short_trace(), 20000);
}
