#include <algorithm>
#include <filesystem>
#include <system_error>

#include <nlohmann/json.hpp>

#include "course/file_kind.h"
#include "course/reading.h"
#include "scenario/reading.h"

namespace lockstep::course {

namespace fs = std::filesystem;
using scenario::Problem;
using scenario::Result;

bool is_lesson(const nlohmann::json& json) { return kind_of(json) == FileKind::kLesson; }

Result<Lesson> load_lesson(const std::string& path) {
  const Result<std::string> text = scenario::read_file(path);
  if (!text) return text.problems();
  const std::string expected = "a lesson";
  if (is_trace(text.value())) return wrong_kind(path, FileKind::kTrace, expected);
  const Result<nlohmann::json> json = scenario::parse_json(text.value(), path);
  if (!json) return json.problems();
  const FileKind kind = kind_of(json.value());
  if (kind != FileKind::kLesson) return wrong_kind(path, kind, expected);
  return lesson_from_json(json.value(), path);
}

Result<std::vector<std::string>> lesson_files(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> files;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (name.front() != '.' && at->path().extension() == ".json")
      files.push_back(at->path().string());
  }
  if (error) return Problem{folder, "", "cannot be listed: " + error.message()};
  if (files.empty())
    return Problem{folder, "", "holds no lesson; expected files such as \"L18-gc-pause.json\""};
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace lockstep::course
