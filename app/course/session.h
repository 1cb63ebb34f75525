// A lesson being studied: which beat is shown, what the learner has predicted, what is known by now. A
// value beside a play::Run that the same window holds; the run is the stage, this is the book.
//
// The learner may scrub and interfere as they like: the story's places follow from the run that is
// shown. In a run that does not pass through some beat, that beat is not told.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "course/evidence.h"
#include "course/lesson.h"
#include "play/run.h"

namespace lockstep::course {

/// How it stands with a beat's prediction.
struct Quiz {
  std::optional<size_t> chosen;  ///< the learner's option
  std::optional<Answer> answer;  ///< set once the run has been looked at as far as the answer
  std::optional<size_t> right;   ///< with `answer`: the option that says it

  bool operator==(const Quiz&) const = default;
};

class Session {
 public:
  /// `variant`: an index into the lesson's variants; nullopt: as it is.
  Session(std::shared_ptr<const Lesson> lesson, std::optional<size_t> variant);

  const Lesson& lesson() const { return *lesson_; }
  std::optional<size_t> variant() const { return variant_; }
  /// What the run is of that belongs to this session: make it before anything else is asked.
  const scenario::Scenario& scenario() const;

  /// Takes notice of where the run is: once a frame, and after whatever was done to it.
  void follow(const play::Run& run);

  // ---- The story -------------------------------------------------------------------------------
  size_t beat() const { return beat_; }
  const Beat& shown() const { return lesson_->beats[beat_]; }
  bool at_first() const { return beat_ == 0; }
  bool at_last() const { return !told_after(beat_); }
  /// Lets the run go on to the next beat that it reaches, and shows that. False, with the run at its end,
  /// if there is none.
  bool next(play::Run& run);
  /// The beat before, and the run's position there; false at the first.
  bool back(play::Run& run);
  /// Shows the last beat that stands at or before the run's position: for whoever has played or scrubbed
  /// past it by themselves. Never moves the run.
  void catch_up();
  /// True if the beat that is shown asks something that is neither answered nor revealed.
  bool asks() const;

  // ---- Predictions -----------------------------------------------------------------------------
  /// Chooses an option of the beat's prediction. False, and nothing changes, once the answer is out.
  bool choose(size_t beat, size_t option);
  /// Requires a beat with a prediction.
  Quiz quiz(size_t beat) const;

  /// The claim as it stands at the run's position.
  Finding claim(size_t claim) const;

 private:
  /// Goes to where the beat stands; false if the run does not reach it.
  bool show(size_t beat, play::Run& run);
  std::optional<size_t> told_after(size_t beat) const;

  std::shared_ptr<const Lesson> lesson_;
  std::optional<size_t> variant_;
  Evidence evidence_;
  size_t beat_ = 0;
  int64_t position_ = trace::kNoEvent;
  std::vector<std::optional<size_t>> chosen_;  // by beat
  std::vector<std::optional<Answer>> revealed_;
};

}  // namespace lockstep::course
