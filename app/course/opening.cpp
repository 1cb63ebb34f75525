#include "course/opening.h"

#include <nlohmann/json.hpp>

#include <sstream>

#include "course/file_kind.h"
#include "course/reading.h"
#include "scenario/reading.h"
#include "trace/json.h"

namespace lockstep::course {
namespace {

using scenario::Problem;
using scenario::Result;
using scenario::Scenario;

Result<Opened> open_trace(std::string bytes, const std::string& path) {
  std::istringstream in(std::move(bytes));
  Result<trace::Trace> recorded = trace::read_json_lines(in, path);
  if (!recorded) return recorded.problems();
  Opened opened;
  opened.scenario = recorded.value().header().scenario;
  opened.recorded = std::move(recorded.value());
  return opened;
}

Result<Opened> open_lesson(const nlohmann::json& json, const std::string& path) {
  Result<Lesson> lesson = lesson_from_json(json, path);
  if (!lesson) return lesson.problems();
  Opened opened;
  opened.lesson = std::make_shared<const Lesson>(std::move(lesson.value()));
  opened.scenario = opened.lesson->scenario;
  return opened;
}

Result<Opened> open_scenario(const nlohmann::json& json, const std::string& path) {
  Result<Scenario> scenario = scenario::scenario_from_json(json, path, "");
  if (!scenario) return scenario.problems();
  std::vector<Problem> problems = check_pointers(scenario.value(), scenario::Place{path, ""});
  if (!problems.empty()) return problems;
  Opened opened;
  opened.scenario = std::move(scenario.value());
  return opened;
}

Result<Opened> open_bytes(std::string bytes, const std::string& path) {
  if (is_trace(bytes)) return open_trace(std::move(bytes), path);
  const Result<nlohmann::json> json = scenario::parse_json(bytes, path);
  if (!json) return json.problems();
  const FileKind kind = kind_of(json.value());
  switch (kind) {
    case FileKind::kLesson: return open_lesson(json.value(), path);
    case FileKind::kScenario: return open_scenario(json.value(), path);
    case FileKind::kTrace: return Problem{path, "", "is a trace, but not as it was written; a line holds one event, the first line the header"};
    case FileKind::kScript:
    case FileKind::kOther: break;
  }
  return wrong_kind(path, kind, "a lesson (which has \"beats\"), a scenario (which has \"clients\") or a trace");
}

}  // namespace

Result<Opened> open_file(const std::string& path) {
  Result<std::string> bytes = scenario::read_file(path);
  if (!bytes) return bytes.problems();
  Result<Opened> opened = open_bytes(std::move(bytes.value()), path);
  if (opened) opened.value().file = path;
  return opened;
}

Result<Scenario> scenario_of(const Opened& opened, const std::string& variant) {
  if (variant.empty()) return opened.scenario;
  Problem problem;
  problem.file = "--variant " + variant;
  if (!opened.lesson) {
    problem.message = opened.file + " is no lesson, and only lessons have variants; leave --variant out";
    return problem;
  }
  const size_t index = index_of(opened.lesson->variants, variant);
  if (index < opened.lesson->variants.size()) return opened.lesson->variants[index].scenario;
  problem.message = "the lesson has no such variant; it has";
  for (const Variant& one : opened.lesson->variants) problem.message += " " + one.id;
  return problem;
}

}  // namespace lockstep::course
