// A lesson being studied: the story's places follow from the run that is shown.
#include "course/session.h"

#include "tiny.h"
#include "trace/conditions.h"

using namespace lockstep;
using namespace lockstep::course;

namespace {

struct Study {
  explicit Study(std::optional<size_t> variant = {})
      : session(std::make_shared<const Lesson>(lesson_of(tiny())), variant),
        run(session.scenario()) {
    session.follow(run);
  }
  std::string at(const char* pointer) const {
    return trace::to_text(trace::value_at(run.snapshot(), run.trace().lock_path(), pointer));
  }

  Session session;
  play::Run run;
};

}  // namespace

TEST_CASE("next lets the run go on to the next beat and no further, back goes back") {
  Study study;
  CHECK(study.session.at_first());
  CHECK(study.run.position() == trace::kNoEvent);

  REQUIRE(study.session.next(study.run));
  CHECK(study.session.beat() == 1);
  CHECK(study.at("/clients/B/belief") == "\"waiting\"");
  CHECK_FALSE(study.run.ended());

  REQUIRE(study.session.next(study.run));
  CHECK(study.session.beat() == 2);
  CHECK(study.at("/resources/db/value") == "7");
  const int64_t written = study.run.position();

  REQUIRE(study.session.back(study.run));
  CHECK(study.session.beat() == 1);
  CHECK(study.at("/resources/db/value") == "0");
  REQUIRE(study.session.next(study.run));
  CHECK(study.run.position() == written);

  REQUIRE(study.session.next(study.run));  // The beat of another variant is not told.
  CHECK(study.session.beat() == 4);
  CHECK(study.session.at_last());
  CHECK(study.run.position() == study.run.trace().size() - 1);
  CHECK_FALSE(study.session.next(study.run));
}

TEST_CASE("in a variant, beats that do not come are left out, and its own are told") {
  Study study(0);
  std::vector<size_t> told;
  while (study.session.next(study.run)) told.push_back(study.session.beat());
  CHECK(told == std::vector<size_t>{1, 3, 4});
  REQUIRE(study.session.back(study.run));
  CHECK(study.session.beat() == 3);
}

TEST_CASE("a prediction is open until the run has shown its answer") {
  Study study;
  CHECK(study.session.asks());
  CHECK(study.session.choose(0, 1));
  CHECK(study.session.choose(0, 0));  // One may think again.
  CHECK_FALSE(study.session.choose(0, 2));
  CHECK_FALSE(study.session.choose(1, 0));  // It asks nothing.
  CHECK_FALSE(study.session.asks());
  study.run.simulate_to_end();  // That it is known is not enough: it must have been shown.
  study.session.follow(study.run);
  CHECK_FALSE(study.session.quiz(0).answer);

  while (study.session.next(study.run)) {
  }
  const Quiz quiz = study.session.quiz(0);
  REQUIRE(quiz.answer);
  CHECK(quiz.chosen == std::optional<size_t>(0));
  CHECK(quiz.right == std::optional<size_t>(0));
  REQUIRE(quiz.answer->event);
  CHECK(study.run.trace().kind_at(*quiz.answer->event) == trace::EventKind::kWriteAccepted);
  CHECK_FALSE(study.session.choose(0, 1));
  while (study.session.back(study.run)) {
  }
  CHECK(study.session.quiz(0).answer);  // What was revealed stays so.
}

TEST_CASE("claims are told as they stand at the position") {
  Study study;
  CHECK(study.session.claim(0).verdict == Verdict::kOpen);
  CHECK(study.session.claim(1).verdict == Verdict::kOpen);
  CHECK(study.session.claim(2).verdict == Verdict::kHolds);
  study.session.next(study.run);
  CHECK(study.session.claim(1).verdict == Verdict::kHolds);
  while (study.session.next(study.run)) {
  }
  CHECK(study.session.claim(0).verdict == Verdict::kHolds);
  study.run.seek(0);
  study.session.follow(study.run);
  CHECK(study.session.claim(0).verdict == Verdict::kOpen);
  CHECK(study.session.claim(1).verdict == Verdict::kOpen);
}

TEST_CASE("who interferes is told about the run that came of it") {
  Study study;
  study.session.next(study.run);
  study.session.next(study.run);
  study.session.back(study.run);
  REQUIRE_FALSE(study.run.intervene("crash A"));  // In the past: a fork.
  study.session.follow(study.run);
  while (study.session.next(study.run)) {
  }
  CHECK(study.at("/resources/db/value") == "0");
  CHECK(study.session.claim(0).verdict == Verdict::kBroken);
  CHECK(study.session.claim(2).verdict == Verdict::kBroken);
  CHECK(study.session.quiz(0).right == std::optional<size_t>(1));

  study.run.switch_to(0);
  study.run.simulate_to_end();
  study.run.seek(study.run.trace().size() - 1);
  study.session.follow(study.run);
  CHECK(study.session.claim(0).verdict == Verdict::kHolds);
}

TEST_CASE("reading a trace as it grows says the same as reading it whole") {
  const auto lesson = std::make_shared<const Lesson>(lesson_of(tiny()));
  for (std::optional<size_t> variant :
       {std::optional<size_t>{}, std::optional<size_t>{0}, std::optional<size_t>{2}}) {
    play::Run run(variant ? lesson->variants[*variant].scenario : lesson->scenario);
    Evidence growing(lesson, variant);
    while (run.simulate_step()) growing.read(run.trace(), run.ended());
    growing.read(run.trace(), true);
    Evidence whole(lesson, variant);
    whole.read(run.trace(), true);
    for (size_t i = 0; i < lesson->beats.size(); ++i) {
      CHECK(growing.beat_at(i) == whole.beat_at(i));
      CHECK(growing.answer(i) == whole.answer(i));
    }
    for (size_t i = 0; i < lesson->claims.size(); ++i) CHECK(growing.claim(i) == whole.claim(i));
  }
}
