#include "course/session.h"

namespace lockstep::course {

Session::Session(std::shared_ptr<const Lesson> lesson, std::optional<size_t> variant)
    : lesson_(std::move(lesson)),
      variant_(variant),
      evidence_(lesson_, variant_),
      chosen_(lesson_->beats.size()),
      revealed_(lesson_->beats.size()) {}

const scenario::Scenario& Session::scenario() const {
  return variant_ ? lesson_->variants[*variant_].scenario : lesson_->scenario;
}

void Session::follow(const play::Run& run) {
  evidence_.read(run.trace(), run.ended());
  position_ = run.position();
  for (size_t i = 0; i < revealed_.size(); ++i) {
    const std::optional<Answer>& answer = evidence_.answer(i);
    if (answer && answer->at <= position_) revealed_[i] = answer;
  }
}

bool Session::next(play::Run& run) {
  follow(run);
  const std::optional<size_t> wanted = told_after(beat_);
  if (!wanted) return false;
  // Not further than needed: what lies behind the beat is the learner's to interfere with.
  while (!evidence_.beat_at(*wanted) && run.simulate_step()) follow(run);
  follow(run);
  for (size_t beat = *wanted; beat < lesson_->beats.size(); ++beat) {
    if (show(beat, run)) return true;
  }
  run.seek(run.trace().size() - 1);
  follow(run);
  return false;
}

bool Session::back(play::Run& run) {
  follow(run);
  for (size_t beat = beat_; beat-- > 0;) {
    if (show(beat, run)) return true;
  }
  return false;
}

void Session::catch_up() {
  beat_ = 0;
  for (size_t beat = 0; beat < lesson_->beats.size(); ++beat) {
    const std::optional<int64_t> at = evidence_.beat_at(beat);
    if (at && *at <= position_) beat_ = beat;
  }
}

bool Session::show(size_t beat, play::Run& run) {
  const std::optional<int64_t> at = evidence_.beat_at(beat);
  if (!at) return false;
  run.seek(*at);
  beat_ = beat;
  follow(run);
  return true;
}

std::optional<size_t> Session::told_after(size_t beat) const {
  while (++beat < lesson_->beats.size()) {
    if (is_told(*lesson_, lesson_->beats[beat], variant_)) return beat;
  }
  return {};
}

bool Session::asks() const {
  return shown().predict.has_value() && !chosen_[beat_] && !revealed_[beat_];
}

bool Session::choose(size_t beat, size_t option) {
  const std::optional<Prediction>& predict = lesson_->beats[beat].predict;
  if (!predict || option >= predict->options.size() || revealed_[beat]) return false;
  chosen_[beat] = option;
  return true;
}

Quiz Session::quiz(size_t beat) const {
  Quiz quiz{chosen_[beat], revealed_[beat], {}};
  if (!quiz.answer) return quiz;
  const std::vector<Option>& options = lesson_->beats[beat].predict->options;
  for (size_t i = 0; i < options.size(); ++i) {
    if (options[i].value == quiz.answer->value) quiz.right = i;
  }
  return quiz;
}

Finding Session::claim(size_t claim) const { return evidence_.claim(claim, position_); }

}  // namespace lockstep::course
