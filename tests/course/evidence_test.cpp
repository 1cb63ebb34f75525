// What a trace says about a lesson: places, in order, and what changes when the run does.
#include "course/evidence.h"

#include "play/run.h"
#include "tiny.h"

using namespace lockstep;
using namespace lockstep::course;
using nlohmann::json;

namespace {

std::shared_ptr<const Lesson> shared(const json& lesson) {
  return std::make_shared<const Lesson>(lesson_of(lesson));
}

/// What the whole run of the lesson, or of a variant, says.
Evidence whole(const std::shared_ptr<const Lesson>& lesson, std::optional<size_t> variant = {}) {
  Evidence evidence(lesson, variant);
  evidence.read(play::play_to_end(variant ? lesson->variants[*variant].scenario : lesson->scenario),
                true);
  return evidence;
}

}  // namespace

TEST_CASE("a beat of other variants stands nowhere") {
  const auto lesson = shared(tiny());
  CHECK_FALSE(whole(lesson).beat_at(3));
  CHECK(whole(lesson, 0).beat_at(3));
  CHECK_FALSE(whole(lesson, 0).beat_at(2));  // This one waits for a write that does not come.
}

TEST_CASE("beats behind one that does not come are looked for after the ones that did") {
  json value = tiny();
  // B holds nothing at the start, and again after A's release: only the latter is behind the beats before.
  value["beats"][3] = json::parse(R"({"text": {"zh": "再", "en": "Again"},
    "until": [{"at": "/facts/holders", "is": 0}, {"at": "/facts/queue_length", "is": 0}]})");
  const auto lesson = shared(value);
  const Evidence evidence = whole(lesson, 0);
  REQUIRE(evidence.beat_at(1));
  CHECK_FALSE(evidence.beat_at(2));
  REQUIRE(evidence.beat_at(3));
  CHECK(*evidence.beat_at(3) > *evidence.beat_at(1));
}

TEST_CASE("a moment at a line counts the visits to it") {
  json value = tiny();
  value["scenario"]["clients"][0]["job"]["writes"] = {7, 8, 9};
  value["variants"].erase(0);
  value["beats"].erase(3);
  for (const int visit : {1, 3}) {
    value["beats"][2] = json::parse(
        R"({"text": {"zh": "写", "en": "Write"}, "at_line": {"client": "A", "line": "write"}})");
    value["beats"][2]["at_line"]["visit"] = visit;
    value["claims"][0]["is"] = 9;
    const auto lesson = shared(value);
    const trace::Trace trace = play::play_to_end(lesson->scenario);
    Evidence evidence(lesson, {});
    evidence.read(trace, true);
    REQUIRE(evidence.beat_at(2));
    const trace::Snapshot snapshot = trace.snapshot(*evidence.beat_at(2));
    CHECK(snapshot.clients.at("A").at_line);
    CHECK(snapshot.resources.at("db").value == (visit == 1 ? 0 : 8));
    CHECK(snapshot.clients.at("A").writes_sent == visit - 1);
  }
}

TEST_CASE("an end that was not the end is taken back") {
  const auto lesson = shared(tiny());
  const trace::Trace trace = play::play_to_end(lesson->scenario);
  trace::Trace first = trace;
  first.truncate(20);
  Evidence evidence(lesson, {});
  evidence.read(first, true);
  CHECK(evidence.whole());
  CHECK(evidence.claim(0).verdict == Verdict::kBroken);
  evidence.read(trace, false);  // Somebody interfered after the end, and it went on.
  CHECK_FALSE(evidence.whole());
  CHECK(evidence.claim(0).verdict == Verdict::kOpen);
  CHECK_FALSE(evidence.beat_at(4));
  evidence.read(trace, true);
  CHECK(evidence.claim(0).verdict == Verdict::kHolds);
  CHECK(evidence.beat_at(4) == std::optional<int64_t>(trace.size() - 1));
}

namespace {

/// The tiny lesson with its question put another way.
json asking(const char* predict) {
  json value = tiny();
  value["beats"][0]["predict"] = json::parse(predict);
  value["beats"][0]["predict"]["ask"] = {{"zh", "问"}, {"en", "Ask"}};
  value["beats"][0]["predict"]["why"] = {{"zh", "因为"}, {"en", "Because"}};
  value["beats"][0]["predict"]["options"] = json::parse(
      R"([{"zh": "一", "en": "One", "value": 1}, {"zh": "零", "en": "None", "value": 0}])");
  return value;
}

}  // namespace

TEST_CASE("what decided an answer is what made it, not something older of the same kind") {
  // The grant changes the belief with the line that looks, and is told right after that line.
  const auto lesson = shared(asking(R"({"answer": {"at": "/facts/believers",
    "until": [{"at": "/clients/B/belief", "is": "holding"}]}, "events": ["acquired"]})"));
  const trace::Trace trace = play::play_to_end(lesson->scenario);
  Evidence evidence(lesson, {});
  evidence.read(trace, true);
  const std::optional<Answer> answer = evidence.answer(0);
  REQUIRE(answer);
  REQUIRE(answer->event);
  CHECK(trace.kind_at(*answer->event) == trace::EventKind::kAcquired);
  CHECK(trace.lane_at(*answer->event) == "B");
  CHECK(trace.kind_at(answer->at) == trace::EventKind::kLine);
}

TEST_CASE("where no event of the kinds made the answer, what made it is named") {
  const auto lesson = shared(asking(R"({"answer": {"at": "/facts/waiters",
    "until": [{"at": "/clients/B/belief", "is": "waiting"}]}, "events": ["started"]})"));
  const trace::Trace trace = play::play_to_end(lesson->scenario);
  Evidence evidence(lesson, {});
  evidence.read(trace, true);
  const std::optional<Answer> answer = evidence.answer(0);
  REQUIRE(answer);
  CHECK(answer->event == std::optional<int64_t>(answer->at));
}

TEST_CASE("an answer that was not there when it was asked is known as soon as it is there") {
  json value = asking(R"({"answer": {"at": "/ledger/1/value"}, "events": ["write_accepted"]})");
  value["beats"][0]["predict"]["options"][0]["value"] = 7;
  const auto lesson = shared(value);
  const trace::Trace trace = play::play_to_end(lesson->scenario);
  Evidence evidence(lesson, {});
  evidence.read(trace, true);
  const std::optional<Answer> answer = evidence.answer(0);
  REQUIRE(answer);
  CHECK(trace.kind_at(answer->at) == trace::EventKind::kWriteAccepted);
  CHECK(answer->event == std::optional<int64_t>(answer->at));
  const Evidence silent = whole(lesson, 0);
  REQUIRE(silent.answer(0));
  CHECK(silent.answer(0)->value == scenario::Value{});
}
