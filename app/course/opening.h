// Opening whatever FILE the command line or the window names: a lesson, a scenario or a trace.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "course/lesson.h"
#include "scenario/problem.h"
#include "scenario/scenario.h"
#include "trace/trace.h"

namespace lockstep::course {

struct Opened {
  std::string file;
  scenario::Scenario scenario;           ///< to play; a trace's is in its header
  std::shared_ptr<const Lesson> lesson;  ///< nullptr: it is no lesson
  std::optional<trace::Trace> recorded;  ///< set: it is a trace
  int64_t missing_events = 0;            ///< of a trace that has been cut off
};

/// Reads the file, whichever it is; a scenario's conditions are checked too. "-" is standard input.
scenario::Result<Opened> open_file(const std::string& path);

/// The scenario of the lesson's variant with this id; "" is the lesson as it is. A problem lists the ids.
scenario::Result<scenario::Scenario> scenario_of(const Opened& opened, const std::string& variant);

}  // namespace lockstep::course
