// As many clients as a scenario may have: the run ends, in bounded time and memory.
#include "catch.h"
#include "cli/process.h"

using namespace lockstep::cli_tests;
using Catch::Matchers::Contains;

namespace {

/// Ten thousand that all come at once, and time for a few of them to hold the lock.
const std::string kCrowd =
    R"({"clients": [{"ids": {"prefix": "C", "count": 10000}, "job": {"work_ms": 10}}], "time_max_ms": 1000})";

}  // namespace

TEST_CASE("ten thousand clients are played") {
  const Scratch scratch;
  Start start;
  start.arguments = {"play",  scratch.file("crowd.json", kCrowd), "--lang", "en",
                     "--out", scratch.path("crowd.txt")};
  const Outcome played = run(start);
  INFO(played.err);
  CHECK_FALSE(played.late);
  CHECK(played.code == 0);
  CHECK_THAT(played.err, Contains("time is up"));
  const std::string text = bytes_of(scratch.path("crowd.txt"));
  CHECK_THAT(text, Contains("C10000 starts") && Contains("acquires the lock"));
}
