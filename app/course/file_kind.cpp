#include "course/file_kind.h"

#include <algorithm>
#include <vector>

#include <nlohmann/json.hpp>

#include "scenario/schema.h"

namespace lockstep::course {
namespace {

using nlohmann::json;

bool has_any(const json& object, const std::vector<std::string>& names) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return object.contains(name); });
}

/// A script's steps name what to do ("click"); a scenario's have a list of it ("do").
bool is_script(const json& object) {
  if (!object.contains("steps") || object.contains("clients") || !object.at("steps").is_array())
    return false;
  const json& steps = object.at("steps");
  return std::all_of(steps.begin(), steps.end(),
                     [](const json& step) { return step.is_object() && !step.contains("do"); });
}

/// A scenario with one wrong key is a scenario still.
bool resembles_scenario(const json& object) {
  const std::vector<std::string> known = {"clients",  "name",       "seed",
                                          "tick_ms",  "servers",    "lock_path",
                                          "resource", "latency_ms", "resource_latency_ms",
                                          "step_ms",  "steps",      "time_max_ms"};
  if (has_any(object, known)) return true;
  for (const auto& [name, ignored] : object.items()) {
    if (!scenario::nearest(name, known).empty()) return true;
  }
  return false;
}

std::string named(FileKind kind) {
  switch (kind) {
    case FileKind::kLesson: return "a lesson";
    case FileKind::kScenario: return "a scenario";
    case FileKind::kTrace: return "a trace";
    case FileKind::kScript: return "a script for `lockstep drive`";
    case FileKind::kOther: return "none of Lockstep's files";
  }
  return {};
}

}  // namespace

bool is_trace(const std::string& bytes) {
  const size_t mark = bytes.find("\"lockstep_trace\"");
  return mark != std::string::npos && mark < bytes.find('\n');
}

FileKind kind_of(const json& value) {
  if (!value.is_object()) return FileKind::kOther;
  if (value.contains("lockstep_trace")) return FileKind::kTrace;
  if (has_any(value, {"beats", "scenario", "claims", "variants", "objectives"}))
    return FileKind::kLesson;
  if (is_script(value)) return FileKind::kScript;
  return resembles_scenario(value) ? FileKind::kScenario : FileKind::kOther;
}

scenario::Problem wrong_kind(const std::string& path, FileKind kind, const std::string& expected) {
  return {path, "", "is " + named(kind) + "; expected " + expected};
}

}  // namespace lockstep::course
