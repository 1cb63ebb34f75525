// The steps of a scenario as wishes: in order, by conditions, with breaks armed when they should be.
#include "live/script.h"

#include "catch.h"
#include "scenarios.h"

using namespace lockstep;
using namespace lockstep::live;
using namespace lockstep::live_tests;

namespace {

trace::Snapshot with_value(int64_t value) {
  trace::Snapshot snapshot;
  snapshot.resources["db"].value = value;
  return snapshot;
}

std::string action_in(const std::vector<Wish>& wishes) {
  REQUIRE(wishes.size() == 1);
  return scenario::name_of(std::get<scenario::Intervention>(wishes[0]));
}

}  // namespace

TEST_CASE("a step waits for the one before it, and for its conditions", "[live]") {
  scenario::Scenario scenario = crowd({});
  scenario.steps = {when("/resources/db/value", int64_t{1}, "pause A"),
                    when("/resources/db/value", int64_t{2}, "resume A")};
  Script script(scenario);
  CHECK(script.next(with_value(2), 0).empty());
  CHECK(action_in(script.next(with_value(1), 1)) == "pause A");
  CHECK(script.next(with_value(1), 2).empty());
  CHECK_FALSE(script.done());
  CHECK(action_in(script.next(with_value(2), 3)) == "resume A");
  CHECK(script.done());
}

TEST_CASE("time passes after the conditions have come true, even if they no longer hold",
          "[live]") {
  scenario::Scenario scenario = crowd({});
  scenario.steps = {when("/resources/db/value", int64_t{1}, "pause A")};
  scenario.steps[0].after_us = kSecond;
  Script script(scenario);
  CHECK(script.next(with_value(1), 5 * kSecond).empty());
  CHECK(script.waits());
  CHECK(script.next(with_value(0), 6 * kSecond - 1).empty());
  CHECK(action_in(script.next(with_value(0), 6 * kSecond)) == "pause A");
}

TEST_CASE("a break is armed once, when the conditions hold, and the step waits for it", "[live]") {
  scenario::Scenario scenario = crowd({});
  scenario.steps = {when("/resources/db/value", int64_t{1}, "cut A-zk1")};
  scenario.steps[0].client = "A";
  scenario.steps[0].at_line = "write";
  scenario.steps[0].visit = 3;
  Script script(scenario);
  CHECK(script.next(with_value(0), 0).empty());
  const auto armed = script.next(with_value(1), 1);
  REQUIRE(armed.size() == 1);
  const auto& arm = std::get<ArmBreak>(armed[0]);
  const int line = recipes::line_named(scenario::recipe_of(scenario, scenario.clients[0]), "write");
  CHECK(arm.client == "A");
  CHECK(arm.line == line);
  CHECK(arm.visit == 3);
  CHECK(arm.then == AtBreak::kWait);
  CHECK(script.next(with_value(1), 2).empty());
  script.at_break("B", line);  // Somebody else.
  CHECK(script.next(with_value(1), 3).empty());
  script.at_break("A", line);
  const auto wishes = script.next(with_value(0), 4);
  REQUIRE(wishes.size() == 2);
  CHECK(scenario::name_of(std::get<scenario::Intervention>(wishes[0])) == "cut A-zk1");
  CHECK(std::get<LetGoOn>(wishes[1]).client == "A");
}

TEST_CASE("a client that is to be paused at a line stops itself there", "[live]") {
  scenario::Step step = gc_pause(scenario::RegisterRule::kNone).steps[0];
  CHECK(at_break_of(step) == AtBreak::kStopItself);
  step.actions = {scenario::intervention_named("hang A").value()};
  CHECK(at_break_of(step) == AtBreak::kHang);
  step.actions = {scenario::intervention_named("pause B").value()};
  CHECK(at_break_of(step) == AtBreak::kWait);
  step = gc_pause(scenario::RegisterRule::kNone).steps[0];
  step.after_us = 1;  // It has to wait there first.
  CHECK(at_break_of(step) == AtBreak::kWait);
}
