// What `lockstep check` prints: for each lesson a table with a row for each claim, answer and sweep, a
// column for the lesson as it is and for each variant, and the verdict; then what is wrong.
// Files that could not be read are only counted; why is for the caller to say, on stderr.
#pragma once

#include <iosfwd>

#include "course/check.h"
#include "trace/text.h"

namespace lockstep::course {

void write_report(const CourseReport& report, trace::Language language, std::ostream& out);

/// Columns that a text takes on a terminal: Chinese characters take two.
size_t columns_of(const std::string& text);

}  // namespace lockstep::course
