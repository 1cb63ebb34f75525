// The smallest lesson that passes, as JSON, for tests to break in one place.
#pragma once

#include <nlohmann/json.hpp>

#include "catch.h"
#include "course/reading.h"

namespace lockstep::course {

inline nlohmann::json tiny() {
  return nlohmann::json::parse(R"({
    "id": "L99", "title": {"zh": "小课", "en": "Tiny"}, "group": "basics", "minutes": 1,
    "objectives": [{"zh": "懂", "en": "Know"}],
    "scenario": {
      "clients": [
        {"id": "A", "job": {"work_ms": 400, "writes": [7]}},
        {"id": "B", "start_ms": 50, "job": {"work_ms": 100}}
      ]
    },
    "beats": [
      {"text": {"zh": "开始", "en": "Start"},
       "predict": {
         "ask": {"zh": "最后的值？", "en": "The value in the end?"},
         "options": [{"zh": "七", "en": "Seven", "value": 7}, {"zh": "零", "en": "Zero", "value": 0}],
         "answer": {"at": "/resources/db/value"}, "events": ["write_accepted"],
         "why": {"zh": "写了才有", "en": "It is what was written"}}},
      {"text": {"zh": "B 在等", "en": "B waits"}, "focus": "/clients/B",
       "until": [{"at": "/clients/B/belief", "is": "waiting"}]},
      {"text": {"zh": "写了", "en": "Written"}, "until": [{"at": "/resources/db/value", "is": 7}]},
      {"text": {"zh": "没写", "en": "Not written"}, "only_in": ["no-write"],
       "until": [{"at": "/clients/A/belief", "is": "released"}]},
      {"text": {"zh": "结束", "en": "End"}, "at_end": true}
    ],
    "claims": [
      {"id": "value", "text": {"zh": "值是七", "en": "The value is seven"},
       "when": "end", "at": "/resources/db/value", "is": 7},
      {"id": "waits", "text": {"zh": "有人等", "en": "Somebody waits"},
       "when": "sometimes", "at": "/facts/waiters", "min": 1},
      {"id": "quiet", "text": {"zh": "没有过期", "en": "No session expires"},
       "when": "always", "at": "/facts/sessions_expired", "max": 0}
    ],
    "variants": [
      {"id": "no-write", "title": {"zh": "不写", "en": "No write"},
       "patch": [{"op": "replace", "path": "/clients/0/job/writes", "value": []}], "breaks": ["value"]},
      {"id": "alone", "title": {"zh": "独自", "en": "Alone"},
       "patch": [{"op": "remove", "path": "/clients/1"}], "breaks": ["waits"]},
      {"id": "crash", "title": {"zh": "崩溃", "en": "Crash"},
       "patch": [{"op": "add", "path": "/steps", "value": [
         {"when": [{"at": "/clients/B/belief", "is": "waiting"}], "do": ["crash A"]}]}],
       "breaks": ["value", "quiet"]}
    ],
    "summary": {"zh": "就这样", "en": "That is all"}
  })");
}

inline Lesson lesson_of(const nlohmann::json& json) {
  scenario::Result<Lesson> lesson = lesson_from_json(json, "tiny.json");
  if (!lesson) {
    for (const scenario::Problem& problem : lesson.problems()) UNSCOPED_INFO(describe(problem));
  }
  REQUIRE(lesson.ok());
  return std::move(lesson.value());
}

}  // namespace lockstep::course
