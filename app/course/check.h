// Holding lessons against what happens: every claim in the lesson as it is and in every variant, every
// answer, every case of a sweep. What is wrong is a problem that names the place and what to do.
//
// A lesson passes if
//   1. every claim holds in the lesson as it is;
//   2. each variant breaks the claims that it names, and no other;
//   3. each claim is broken by some variant: one that cannot fail says nothing;
//   4. every beat is reached, and every question is asked before its answer is there;
//   5. every answer is among the options, and differs in some variant, or the lesson says why it cannot;
//   6. every case of a sweep gives the number that it says.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "course/evidence.h"
#include "course/lesson.h"
#include "scenario/problem.h"

namespace lockstep::course {

/// One claim over all runs of its lesson.
struct ClaimRow {
  std::string id;
  Text text;
  Finding base;
  std::vector<Finding> variants;  ///< in the lesson's order
  bool passed = true;
};

/// One question over all runs of its lesson; nullopt: its moment does not come in that run.
struct AnswerRow {
  size_t beat = 0;
  Text ask;
  std::optional<Answer> base;
  std::vector<std::optional<Answer>> variants;
  bool passed = true;
};

struct SweepRow {
  std::string id;
  Text text;
  std::vector<Text> titles;  ///< of the cases
  std::vector<scenario::Value> expected;
  std::vector<scenario::Value> found;
  bool passed = true;
};

struct LessonReport {
  std::string file;
  std::string id;
  Text title;
  std::vector<std::string> variants;  ///< their ids
  std::vector<ClaimRow> claims;
  std::vector<AnswerRow> answers;
  std::vector<SweepRow> sweeps;
  std::vector<scenario::Problem> problems;  ///< empty: it passes

  bool passed() const { return problems.empty(); }
};

/// Plays the lesson, its variants and its sweeps to their ends.
LessonReport check_lesson(const Lesson& lesson);

struct CourseReport {
  std::vector<LessonReport> lessons;
  std::vector<scenario::Problem> unreadable;  ///< files that are no lessons

  bool passed() const;
};

/// Checks the files one after the other.
CourseReport check_all(const std::vector<std::string>& files);

}  // namespace lockstep::course
