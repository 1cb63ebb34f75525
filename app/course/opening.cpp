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

/// So much of a file tells whether it is a trace.
constexpr size_t kStartBytes = 4096;

Result<Opened> open_trace(std::istream& in, const std::string& path) {
  Opened opened;
  Result<trace::Trace> recorded = trace::read_json_lines(in, path, &opened.missing_events);
  if (!recorded) return recorded.problems();
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

Result<Opened> open_json(const std::string& bytes, const std::string& path) {
  const Result<nlohmann::json> json = scenario::parse_json(bytes, path);
  if (!json) return json.problems();
  const FileKind kind = kind_of(json.value());
  switch (kind) {
    case FileKind::kLesson: return open_lesson(json.value(), path);
    case FileKind::kScenario: return open_scenario(json.value(), path);
    case FileKind::kTrace:
      return Problem{path, "",
                     "is a trace, but not as it was written; the first line holds its header, each "
                     "other line one event"};
    case FileKind::kScript:
    case FileKind::kOther: break;
  }
  return wrong_kind(
      path, kind, "a lesson (which has \"beats\"), a scenario (which has \"clients\") or a trace");
}

/// Traces are read line by line, since they can be larger than what is read at once.
Result<Opened> open_stream(std::ifstream& in, const std::string& path) {
  std::string start(kStartBytes, '\0');
  in.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<size_t>(in.gcount()));
  in.clear();
  const bool rewound = static_cast<bool>(in.seekg(0));
  if (rewound && is_trace(start)) return open_trace(in, path);
  in.clear();
  Result<std::string> bytes = scenario::read_to_end(in, path);
  if (!bytes) return bytes.problems();
  if (!rewound) bytes.value().insert(0, start);  // A pipe.
  if (!is_trace(start)) return open_json(bytes.value(), path);
  std::istringstream piped(std::move(bytes.value()));
  return open_trace(piped, path);
}

}  // namespace

Result<Opened> open_file(const std::string& path) {
  const bool standard = path == "-";
  const std::string name = standard ? "standard input" : path;
  Result<std::ifstream> in = scenario::open_input(standard ? "/dev/stdin" : path);
  if (!in) return in.problems();
  Result<Opened> opened = open_stream(in.value(), name);
  if (opened) opened.value().file = name;
  return opened;
}

Result<Scenario> scenario_of(const Opened& opened, const std::string& variant) {
  if (variant.empty()) return opened.scenario;
  Problem problem;
  problem.file = "--variant " + variant;
  if (!opened.lesson) {
    problem.message =
        opened.file + " is no lesson, and only lessons have variants; leave --variant out";
    return problem;
  }
  const size_t index = index_of(opened.lesson->variants, variant);
  if (index < opened.lesson->variants.size()) return opened.lesson->variants[index].scenario;
  problem.message = "the lesson has no such variant; it has";
  for (const Variant& one : opened.lesson->variants) problem.message += " " + one.id;
  return problem;
}

}  // namespace lockstep::course
