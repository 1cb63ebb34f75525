// What a lesson shows is what the rules gave: its trace is the world, at every event of every variant.
#include <sstream>

#include "../sim/mirror.h"
#include "catch.h"
#include "course/reading.h"
#include "play/history.h"
#include "play/run.h"
#include "scenario/reading.h"

using namespace lockstep;

namespace {

std::string bytes_of(const trace::Trace& trace) {
  std::ostringstream out;
  trace::write_json_lines(trace, out);
  return out.str();
}

void hold_against_world(const scenario::Scenario& scenario) {
  play::History history(scenario);
  while (history.step()) continue;
  sim::World world = sim::initial_world(scenario);
  trace::Trace trace = sim::trace_of(world);
  toy::Mirror mirror(trace);
  for (const sim::Choice& choice : history.choices()) sim::apply(world, choice, &mirror);
  CHECK(trace.size() == history.trace().size());
  CHECK(trace.last() == history.trace().last());
  CHECK(bytes_of(history.trace()) == bytes_of(play::play_to_end(scenario)));
}

}  // namespace

TEST_CASE("every lesson's trace is the world at every event, and the same bytes each time") {
  const auto files = course::lesson_files(scenario::data_folder() + "/lessons");
  REQUIRE(files.ok());
  REQUIRE(files.value().size() >= 4);
  for (const std::string& file : files.value()) {
    CAPTURE(file);
    const auto lesson = course::load_lesson(file);
    REQUIRE(lesson.ok());
    hold_against_world(lesson.value().scenario);
    for (const course::Variant& variant : lesson.value().variants) {
      CAPTURE(variant.id);
      hold_against_world(variant.scenario);
    }
  }
}
