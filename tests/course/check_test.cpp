// Checking: what a lesson must hold, each rule seen to fail.
#include "course/check.h"

#include <functional>
#include <sstream>

#include "course/report_table.h"
#include "scenario/reading.h"
#include "tiny.h"

using namespace lockstep;
using namespace lockstep::course;
using nlohmann::json;

namespace {

/// "PLACE: MESSAGE" of each problem of the tiny lesson after `change`.
std::vector<std::string> problems_after(const std::function<void(json&)>& change) {
  json lesson = tiny();
  change(lesson);
  std::vector<std::string> lines;
  for (const scenario::Problem& problem : check_lesson(lesson_of(lesson)).problems) {
    lines.push_back(problem.pointer + ": " + problem.message);
  }
  return lines;
}

void patch(json& lesson, const char* pointer, const char* value) {
  lesson[json::json_pointer(pointer)] = json::parse(value);
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("the tiny lesson passes, and its report says how") {
  const LessonReport report = check_lesson(lesson_of(tiny()));
  CHECK(report.problems.empty());
  REQUIRE(report.claims.size() == 3);
  CHECK(report.claims[0].base.verdict == Verdict::kHolds);
  CHECK(report.claims[0].base.value == scenario::Value{int64_t{7}});
  CHECK(report.claims[0].variants[0].verdict == Verdict::kBroken);
  CHECK(report.claims[1].variants[1].verdict == Verdict::kBroken);
  CHECK(report.claims[2].variants[2].verdict == Verdict::kBroken);
  REQUIRE(report.answers.size() == 1);
  CHECK(report.answers[0].base->value == scenario::Value{int64_t{7}});
  CHECK(report.answers[0].base->event.has_value());
  CHECK(report.answers[0].variants[0]->value == scenario::Value{int64_t{0}});
}

TEST_CASE("a claim that does not hold is reported with what was found") {
  CHECK(problems_after([](json& l) { patch(l, "/claims/0/is", "8"); }).front() ==
        "/claims/0: \"value\" does not hold in the lesson itself: found 7 after event " +
            std::to_string(*check_lesson(lesson_of(tiny())).claims[0].base.at));
}

TEST_CASE("a variant that does not break what it names is reported") {
  CHECK(problems_after([](json& l) { patch(l, "/variants/0/breaks", R"(["value", "quiet"])"); }) ==
        Lines{"/variants/0/breaks: variant \"no-write\" does not break \"quiet\", which it names"});
}

TEST_CASE("a variant that breaks what it does not name is reported") {
  const Lines lines =
      problems_after([](json& l) { patch(l, "/variants/2/breaks", R"(["quiet"])"); });
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].find(
            "/variants/2/breaks: variant \"crash\" breaks \"value\", which it does not name") == 0);
}

TEST_CASE("a claim that no variant breaks is reported") {
  CHECK(problems_after([](json& l) { l["variants"].erase(1); }) ==
        Lines{"/claims/1: no variant breaks \"waits\"; a claim that cannot fail says nothing"});
}

TEST_CASE("an answer that never differs is reported, unless the lesson says why") {
  const auto same_answer = [](json& l) {
    patch(l, "/beats/0/predict/answer/at", R"("/facts/writes_refused")");
    patch(l, "/beats/0/predict/events", R"(["acquired"])");
  };
  CHECK(problems_after(same_answer) ==
        Lines{"/beats/0/predict/answer: is the same in every variant; add a variant "
              "that changes it, or say why in \"same_because\""});
  CHECK(problems_after([&](json& l) {
          same_answer(l);
          patch(l, "/beats/0/predict/same_because",
                R"({"zh": "没有检查", "en": "There is no check"})");
        }).empty());
  CHECK(problems_after([](json& l) {
          patch(l, "/beats/0/predict/same_because", R"({"zh": "x", "en": "x"})");
        }) ==
        Lines{"/beats/0/predict/same_because: the answer does differ in a variant; remove this"});
}

TEST_CASE("an answer that is no option is reported, for the lesson and for variants") {
  CHECK(problems_after([](json& l) { patch(l, "/beats/0/predict/options/0/value", "9"); }) ==
        Lines{"/beats/0/predict/options: under variant \"alone\" the answer is 7, which is none of "
              "the options",
              "/beats/0/predict/options: the answer is 7, which is none of the options"});
  CHECK(problems_after([](json& l) { patch(l, "/beats/0/predict/options/1/value", "9"); }).size() ==
        2);
}

TEST_CASE("a question that is put too late, or whose moment never comes, is reported") {
  const auto until = [](const char* conditions) {
    return problems_after([&](json& l) { patch(l, "/beats/0/predict/answer/until", conditions); });
  };
  CHECK(until(R"([{"at": "/facts/holders", "is": 0}])").front() ==
        "/beats/0/predict/answer: is there already when the question is put; ask earlier, or wait "
        "for something later");
  CHECK(until(R"([{"at": "/facts/holders", "is": 5}])").front() ==
        "/beats/0/predict/answer: never comes: its moment is not reached after the question");
}

TEST_CASE("a beat that is never reached is reported, for variants too") {
  const std::string why = "what it waits for does not happen after the beat before it";
  CHECK(problems_after([](json& l) { patch(l, "/beats/1/until/0/is", R"("failed")"); }) ==
        Lines{"/beats/1: is never reached: " + why});
  CHECK(problems_after([](json& l) { patch(l, "/beats/3/only_in", R"(["crash"])"); }) ==
        Lines{"/beats/3/only_in: is never reached in variant \"crash\": " + why});
}

TEST_CASE("a deciding event that did not happen is reported") {
  CHECK(
      problems_after(
          [](json& l) { patch(l, "/beats/0/predict/events", R"(["write_refused"])"); }) ==
      Lines{
          "/beats/0/predict/events: no event of these kinds has happened when the answer is read"});
}

TEST_CASE("a sweep holds a number over a table of inputs") {
  const auto sweep = [](const char* second) {
    return problems_after([&](json& l) {
      l["sweeps"] = json::parse(
          R"([{"id": "values", "text": {"zh": "写几得几", "en": "What is written is read"},
        "at": "/resources/db/value", "cases": [
          {"title": {"zh": "1", "en": "1"}, "is": 1,
           "patch": [{"op": "replace", "path": "/clients/0/job/writes", "value": [1]}]},
          {"title": {"zh": "2", "en": "2"}, "is": 2,
           "patch": [{"op": "replace", "path": "/clients/0/job/writes", "value": [2]}]}]}])");
      patch(l, "/sweeps/0/cases/1/is", second);
    });
  };
  CHECK(sweep("2").empty());
  CHECK(sweep("3") == Lines{"/sweeps/0/cases/1/is: expected 3; found 2"});
}

TEST_CASE("the table has a column for each variant, aligned in both languages") {
  CourseReport report;
  report.lessons.push_back(check_lesson(lesson_of(tiny())));
  CHECK(report.passed());
  std::ostringstream en;
  write_report(report, trace::Language::kEn, en);
  CHECK(en.str() ==
        "L99 Tiny     base   no-write  alone   crash   verdict\n"
        "claim value  holds  breaks    holds   breaks  ok\n"
        "claim waits  holds  holds     breaks  holds   ok\n"
        "claim quiet  holds  holds     holds   breaks  ok\n"
        "answer 1     7      0         7       0       ok\n"
        "\n"
        "1 lesson, 0 failed\n");
  std::ostringstream zh;
  write_report(report, trace::Language::kZh, zh);
  CHECK(zh.str().find("断言 value  成立  被打破    成立    被打破  通过\n") != std::string::npos);
  CHECK(columns_of("断言 a−b") == 8);

  json broken = tiny();
  broken["claims"][0]["is"] = 8;
  report.lessons.push_back(check_lesson(lesson_of(broken)));
  CHECK_FALSE(report.passed());
}

TEST_CASE("a file that is no lesson does not hide the others") {
  const CourseReport report =
      check_all({"no/such.json", scenario::data_folder() + "/lessons/L03-five-steps.json"});
  CHECK_FALSE(report.passed());
  CHECK(report.unreadable.size() == 1);
  CHECK(report.lessons.size() == 1);
}
