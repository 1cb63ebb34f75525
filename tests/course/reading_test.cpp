// Lessons as JSON: what is refused, and at which place.
#include "course/reading.h"

#include <algorithm>
#include <functional>

#include "scenario/reading.h"
#include "tiny.h"

using namespace lockstep;
using namespace lockstep::course;
using nlohmann::json;

namespace {

/// The places of the complaints about the tiny lesson after `change`.
std::vector<std::string> places_after(const std::function<void(json&)>& change) {
  json lesson = tiny();
  change(lesson);
  const scenario::Result<Lesson> read = lesson_from_json(lesson, "tiny.json");
  std::vector<std::string> places;
  if (read) return places;
  for (const scenario::Problem& problem : read.problems()) places.push_back(problem.pointer);
  return places;
}

/// The same for one value that is put at `pointer`.
std::vector<std::string> places_with(const std::string& pointer, const std::string& value) {
  return places_after(
      [&](json& lesson) { lesson[json::json_pointer(pointer)] = json::parse(value); });
}

using Places = std::vector<std::string>;

}  // namespace

TEST_CASE("the tiny lesson is read whole") {
  const Lesson lesson = lesson_of(tiny());
  CHECK(lesson.id == "L99");
  CHECK(lesson.title.zh == "小课");
  REQUIRE(lesson.beats.size() == 5);
  REQUIRE(lesson.beats[0].predict);
  CHECK(lesson.beats[0].predict->moment.at_end);
  CHECK(lesson.beats[0].predict->options[1].value == scenario::Value{int64_t{0}});
  CHECK(lesson.beats[3].only_in == std::vector<std::string>{"no-write"});
  REQUIRE(lesson.variants.size() == 3);
  CHECK(lesson.variants[0].scenario.clients[0].options.job.writes.empty());
  CHECK(lesson.variants[1].scenario.clients.size() == 1);
  CHECK(lesson.scenario.clients.size() == 2);
}

TEST_CASE("a missing or empty translation is refused where it should stand") {
  CHECK(places_with("/title", R"({"zh": "小课"})") == Places{"/title"});
  CHECK(places_with("/beats/1/text/en", R"("")") == Places{"/beats/1/text/en"});
  CHECK(places_with("/beats/0/predict/options/1", R"({"en": "Zero", "value": 0})") ==
        Places{"/beats/0/predict/options/1"});
  CHECK(places_after([](json& lesson) { lesson.erase("summary"); }) == Places{""});
}

TEST_CASE("unknown keys are refused, with the place in the scenario too") {
  CHECK(places_with("/beats/1/untill", "[]") == Places{"/beats/1/untill"});
  CHECK(places_with("/scenario/clients/0/optoins", "{}") == Places{"/scenario/clients/0/optoins"});
  CHECK(places_with("/claims/0/maximum", "1") == Places{"/claims/0/maximum"});
}

TEST_CASE("pointers must be able to lead somewhere") {
  CHECK(places_with("/beats/1/until/0/at", R"("/clients/B/beleif")") ==
        Places{"/beats/1/until/0/at"});
  CHECK(places_with("/beats/1/until/0/at", R"("/clients/Q/belief")") ==
        Places{"/beats/1/until/0/at"});
  CHECK(places_with("/beats/1/focus", R"("/client/B")") == Places{"/beats/1/focus"});
  CHECK(places_with("/beats/0/predict/answer/at", R"("/resources/dbx/value")") ==
        Places{"/beats/0/predict/answer/at"});
  CHECK(places_with("/claims/1/at", R"("/facts/waitors")") == Places{"/claims/1/at"});
  CHECK(places_with("/scenario/steps",
                    R"([{"when": [{"at": "/facts/x", "is": 1}], "do": ["pause A"]}])") ==
        Places{"/scenario/steps/0/when/0/at"});
}

TEST_CASE("claims, variants and what they name must exist, each once") {
  CHECK(places_with("/variants/0/breaks/0", R"("valeu")") == Places{"/variants/0/breaks/0"});
  CHECK(places_with("/claims/1/id", R"("value")") ==
        Places{"/claims/1/id", "/variants/1/breaks/0"});
  CHECK(places_with("/variants/1/id", R"("no-write")") == Places{"/variants/1/id"});
  CHECK(places_with("/beats/3/only_in/0", R"("no-wrote")") == Places{"/beats/3/only_in/0"});
  CHECK(places_with("/claims/0/when", R"("never")") == Places{"/claims/0/when"});
}

TEST_CASE("a patch must apply, change something, and leave a scenario that can be played") {
  CHECK(places_with("/variants/0/patch/0/path", R"("/clients/7/job")") ==
        Places{"/variants/0/patch/0"});
  CHECK(places_with("/variants/0/patch/0/value", "[7]") == Places{"/variants/0/patch/0"});
  CHECK(places_with("/variants/0/patch/0/value", R"(["x"])") == Places{"/variants/0/patch"});
  CHECK(places_after([](json& lesson) { lesson["variants"][0]["patch"][0].erase("value"); }) ==
        Places{"/variants/0/patch/0"});
}

TEST_CASE("the first beat waits for nothing, and a beat at the end for nothing else") {
  CHECK(places_with("/beats/0/until", R"([{"at": "/facts/holders", "is": 1}])") ==
        Places{"/beats/0"});
  CHECK(places_with("/beats/4/until", R"([{"at": "/facts/holders", "is": 1}])") ==
        Places{"/beats/4/at_end"});
  CHECK(places_with("/beats/1/at_line", R"({"client": "A", "line": "check"})") ==
        Places{"/beats/1/at_line/line"});
}

TEST_CASE("predictions have different options, and events of kinds that exist") {
  CHECK(places_with("/beats/0/predict/options/1/value", "7") ==
        Places{"/beats/0/predict/options/1/value"});
  CHECK(places_with("/beats/0/predict/events/0", R"("write_acepted")") ==
        Places{"/beats/0/predict/events/0"});
  CHECK(places_with("/beats/0/predict/options", R"([{"zh": "七", "en": "Seven", "value": 7}])") ==
        Places{"/beats/0/predict/options"});
}

TEST_CASE("markup that no panel can show is refused") {
  CHECK(places_with("/beats/1/text/en", R"("# Heading")") == Places{"/beats/1/text/en"});
  CHECK(places_with("/beats/1/text/zh", R"("**拒绝。**这次")") == Places{"/beats/1/text/zh"});
}

TEST_CASE("what beats do becomes the script, in the lesson and in each variant") {
  json value = tiny();
  value["beats"][2]["do"] = {"pause A"};
  value["beats"][4]["do"] = {"resume A"};
  value["variants"].erase(2);
  const Lesson lesson = lesson_of(value);
  const auto acts = [](const scenario::Scenario& scenario) {
    std::vector<std::string> names;
    for (const scenario::Step& step : scenario.steps) {
      names.push_back(step.actions.empty() ? "" : name_of(step.actions[0]));
    }
    return names;
  };
  // One step for each beat: it waits until the beat before is reached.
  const std::vector<std::string> expected = {"", "", "pause A", "", "resume A"};
  CHECK(acts(lesson.scenario) == expected);
  CHECK(acts(lesson.variants[0].scenario) == expected);
  CHECK(lesson.scenario.steps[2].when == lesson.beats[1].moment.until);

  value["scenario"]["steps"] = json::parse(R"([{"do": ["crash B"]}])");
  const auto both = lesson_from_json(value, "tiny.json");
  REQUIRE_FALSE(both.ok());
  CHECK(both.problems().front().pointer == "/beats/2/do");
}

TEST_CASE("lessons are found in the order of the course") {
  const auto missing = lesson_files("no/such/folder");
  REQUIRE_FALSE(missing.ok());
  CHECK(missing.problems().front().file == "no/such/folder");
  const auto files = lesson_files(scenario::data_folder() + "/lessons");
  REQUIRE(files.ok());
  CHECK(std::is_sorted(files.value().begin(), files.value().end()));
  CHECK(files.value().size() >= 4);
}
