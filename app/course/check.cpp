#include "course/check.h"

#include <algorithm>

#include "course/reading.h"
#include "play/run.h"
#include "scenario/place.h"
#include "trace/conditions.h"

namespace lockstep::course {
namespace {

using scenario::Place;

/// Checks one lesson, collecting its report.
class Checker {
 public:
  explicit Checker(const Lesson& lesson)
      : lesson_(std::make_shared<const Lesson>(lesson)), base_(lesson_, {}) {
    report_.file = lesson.file;
    report_.id = lesson.id;
    report_.title = lesson.title;
  }

  LessonReport check() {
    base_.read(play::play_to_end(lesson_->scenario), true);
    for (size_t i = 0; i < lesson_->variants.size(); ++i) {
      report_.variants.push_back(lesson_->variants[i].id);
      variants_.emplace_back(lesson_, i);
      variants_.back().read(play::play_to_end(lesson_->variants[i].scenario), true);
    }
    for (size_t i = 0; i < lesson_->claims.size(); ++i) check_claim(i);
    check_beats();
    for (size_t i = 0; i < lesson_->beats.size(); ++i) {
      if (lesson_->beats[i].predict) check_answer(i);
    }
    for (size_t i = 0; i < lesson_->sweeps.size(); ++i) check_sweep(i);
    return std::move(report_);
  }

 private:
  Place place() const { return {lesson_->file, ""}; }
  void complain(bool& passed, const Place& place, std::string message) {
    passed = false;
    report_.problems.push_back(place.problem(std::move(message)));
  }

  static std::string found(const Finding& finding) {
    return "found " + trace::to_text(finding.value) +
           (finding.at ? " after event " + std::to_string(*finding.at) : "");
  }

  // ---- Claims ----------------------------------------------------------------------------------

  void check_claim(size_t index) {
    const Claim& claim = lesson_->claims[index];
    const Place at = place().at("claims").at(index);
    ClaimRow row{claim.id, claim.text, base_.claim(index), {}, true};
    if (row.base.verdict != Verdict::kHolds) {
      complain(row.passed, at,
               "\"" + claim.id + "\" does not hold in the lesson itself: " + found(row.base));
    }
    bool can_break = false;
    for (size_t i = 0; i < variants_.size(); ++i) {
      const Finding finding = variants_[i].claim(index);
      row.variants.push_back(finding);
      const bool breaks = finding.verdict == Verdict::kBroken;
      can_break = can_break || breaks;
      check_break(row, i, breaks);
    }
    if (!can_break)
      complain(row.passed, at,
               "no variant breaks \"" + claim.id + "\"; a claim that cannot fail says nothing");
    report_.claims.push_back(std::move(row));
  }

  void check_break(ClaimRow& row, size_t variant, bool breaks) {
    const std::vector<std::string>& named = lesson_->variants[variant].breaks;
    const std::string& id = lesson_->variants[variant].id;
    const bool should = std::find(named.begin(), named.end(), row.id) != named.end();
    if (should == breaks) return;
    complain(row.passed, place().at("variants").at(variant).at("breaks"),
             should ? "variant \"" + id + "\" does not break \"" + row.id + "\", which it names"
                    : "variant \"" + id + "\" breaks \"" + row.id +
                          "\", which it does not name: " + found(row.variants.back()));
  }

  // ---- Beats and answers -----------------------------------------------------------------------

  void check_beats() {
    bool passed = true;
    for (size_t i = 0; i < lesson_->beats.size(); ++i) {
      const Beat& beat = lesson_->beats[i];
      const Place at = place().at("beats").at(i);
      const std::string why = "what it waits for does not happen after the beat before it";
      if (is_told(*lesson_, beat, {}) && !base_.beat_at(i))
        complain(passed, at, "is never reached: " + why);
      for (const std::string& id : beat.only_in) {
        if (variants_[index_of(lesson_->variants, id)].beat_at(i)) continue;
        complain(passed, at.at("only_in"), "is never reached in variant \"" + id + "\": " + why);
      }
    }
  }

  void check_answer(size_t beat) {
    const Prediction& predict = *lesson_->beats[beat].predict;
    const Place at = place().at("beats").at(beat).at("predict");
    AnswerRow row{beat, predict.ask, base_.answer(beat), {}, true};
    bool differs = false;
    for (size_t i = 0; i < variants_.size(); ++i) {
      const std::optional<Answer>& answer = variants_[i].answer(beat);
      row.variants.push_back(answer);
      if (!answer) continue;
      differs = differs || (row.base && answer->value != row.base->value);
      if (!is_option(predict, answer->value)) {
        complain(row.passed, at.at("options"),
                 "under variant \"" + lesson_->variants[i].id + "\" the answer is " +
                     trace::to_text(answer->value) + ", which is none of the options");
      }
    }
    check_base_answer(row, predict, at);
    if (!differs && !predict.same_because) {
      complain(row.passed, at.at("answer"),
               "is the same in every variant; add a variant that changes it, or say why in "
               "\"same_because\"");
    }
    if (differs && predict.same_because) {
      complain(row.passed, at.at("same_because"),
               "the answer does differ in a variant; remove this");
    }
    report_.answers.push_back(std::move(row));
  }

  void check_base_answer(AnswerRow& row, const Prediction& predict, const Place& at) {
    if (!base_.beat_at(row.beat)) return;  // Told in variants only, or complained of already.
    if (!row.base)
      return complain(row.passed, at.at("answer"),
                      "never comes: its moment is not reached after the question");
    if (row.base->at == *base_.beat_at(row.beat)) {
      complain(
          row.passed, at.at("answer"),
          "is there already when the question is put; ask earlier, or wait for something later");
    }
    if (!is_option(predict, row.base->value)) {
      complain(
          row.passed, at.at("options"),
          "the answer is " + trace::to_text(row.base->value) + ", which is none of the options");
    }
    if (!predict.events.empty() && !row.base->event) {
      complain(row.passed, at.at("events"),
               "no event of these kinds has happened when the answer is read");
    }
  }

  static bool is_option(const Prediction& predict, const scenario::Value& value) {
    return std::any_of(predict.options.begin(), predict.options.end(),
                       [&](const Option& option) { return option.value == value; });
  }

  // ---- Sweeps ----------------------------------------------------------------------------------

  void check_sweep(size_t index) {
    const Sweep& sweep = lesson_->sweeps[index];
    SweepRow row{sweep.id, sweep.text, {}, {}, {}, true};
    for (size_t i = 0; i < sweep.cases.size(); ++i) {
      const SweepCase& one = sweep.cases[i];
      const trace::Trace trace = play::play_to_end(one.scenario);
      const trace::Snapshot end = trace.snapshot(trace.size() - 1);
      row.titles.push_back(one.title);
      row.expected.push_back(one.condition.operand);
      row.found.push_back(trace::value_at(end, trace.lock_path(), one.condition.at));
      if (trace::holds(one.condition, end, trace.lock_path())) continue;
      complain(row.passed, place().at("sweeps").at(index).at("cases").at(i).at("is"),
               "expected " + trace::to_text(one.condition.operand) + "; found " +
                   trace::to_text(row.found.back()));
    }
    report_.sweeps.push_back(std::move(row));
  }

  std::shared_ptr<const Lesson> lesson_;
  Evidence base_;
  std::vector<Evidence> variants_;
  LessonReport report_;
};

}  // namespace

LessonReport check_lesson(const Lesson& lesson) { return Checker(lesson).check(); }

bool CourseReport::passed() const {
  return unreadable.empty() &&
         std::all_of(lessons.begin(), lessons.end(),
                     [](const LessonReport& report) { return report.passed(); });
}

CourseReport check_all(const std::vector<std::string>& files) {
  CourseReport report;
  for (const std::string& file : files) {
    const scenario::Result<Lesson> lesson = load_lesson(file);
    if (lesson) {
      report.lessons.push_back(check_lesson(lesson.value()));
    } else {
      report.unreadable.insert(report.unreadable.end(), lesson.problems().begin(),
                               lesson.problems().end());
    }
  }
  return report;
}

}  // namespace lockstep::course
