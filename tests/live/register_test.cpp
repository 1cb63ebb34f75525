// The three rules of the register, as the database itself decides them.
#include "catch.h"
#include "live/register_database.h"
#include "scenarios.h"

using namespace lockstep;
using namespace lockstep::live_tests;
using scenario::RegisterRule;

namespace {

/// Writes tokens 5, 5, 4, 6 in this order and tells which were accepted.
std::vector<bool> accepted_by(RegisterRule rule) {
  const Scratch scratch;
  scenario::ResourceSpec spec;
  spec.rule = rule;
  spec.initial_value = 100;
  auto database = live::RegisterDatabase::open(scratch.path() + "/db", spec);
  REQUIRE(database.ok());
  std::vector<bool> results;
  int64_t value = 0;
  for (const int64_t token : {5, 5, 4, 6}) {
    bool accepted = false;
    live::RegisterState before;
    live::RegisterState after;
    REQUIRE(database.value().write({.token = token, .value = ++value}, accepted, before, after));
    CHECK(after.value == (accepted ? value : before.value));
    CHECK(after.token_max == (accepted ? std::max(before.token_max, token) : before.token_max));
    results.push_back(accepted);
  }
  return results;
}

}  // namespace

TEST_CASE("each rule accepts what it should", "[live]") {
  CHECK(accepted_by(RegisterRule::kNone) == std::vector<bool>{true, true, true, true});
  CHECK(accepted_by(RegisterRule::kGreater) == std::vector<bool>{true, false, false, true});
  CHECK(accepted_by(RegisterRule::kGreaterOrEqual) == std::vector<bool>{true, true, false, true});
}

TEST_CASE("a database that cannot be is named", "[live]") {
  const auto database = live::RegisterDatabase::open("/nowhere/db", {});
  REQUIRE_FALSE(database.ok());
  CHECK(database.problems().front().file == "/nowhere/db");
  CHECK(database.problems().front().kind == scenario::ProblemKind::kEnvironment);
}
