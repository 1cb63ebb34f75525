// Lessons as JSON. A lesson is read whole or not at all: every complaint names file, place and what was
// expected, a missing translation included.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "course/lesson.h"
#include "scenario/place.h"
#include "scenario/problem.h"

namespace lockstep::course {

/// Reads a lesson's file. Checked: the schema, the scenario with each variant's patch applied, that what
/// is named exists, that pointers can lead somewhere, that markup is what the lesson panel can show.
scenario::Result<Lesson> load_lesson(const std::string& path);

/// The same of JSON that stands in `file`.
scenario::Result<Lesson> lesson_from_json(const nlohmann::json& json, const std::string& file);

/// True if the JSON is meant to be a lesson, false if it is a plain scenario.
bool is_lesson(const nlohmann::json& json);

/// The JSON files in `folder`, in the order of their names, which is that of the course. Whether each is a
/// lesson is for load_lesson to say: whoever puts another file there hears of it.
scenario::Result<std::vector<std::string>> lesson_files(const std::string& folder);

/// Complaints about the scenario's own conditions: pointers that lead nowhere in any snapshot of it. For
/// scenarios that are played without a lesson.
std::vector<scenario::Problem> check_pointers(const scenario::Scenario& scenario,
                                              const scenario::Place& place);
/// The same for one pointer.
std::vector<scenario::Problem> check_pointer(const scenario::Scenario& scenario,
                                             const std::string& pointer,
                                             const scenario::Place& place);

}  // namespace lockstep::course
