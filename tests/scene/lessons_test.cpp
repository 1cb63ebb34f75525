// The timeline reads events where the facts read snapshots. On every lesson, both must tell of the same
// dangers.
#include <map>
#include <string>

#include "catch.h"
#include "course/reading.h"
#include "play/run.h"
#include "scenario/reading.h"
#include "scene/timeline_index.h"
#include "trace/facts.h"

using namespace lockstep;
using namespace lockstep::scene;

namespace {

using Durations = std::map<std::string, TimeUs>;

/// How long each client is in danger, as the snapshots have it.
Durations dangers_in(const trace::Trace& trace) {
  Durations durations;
  trace::Cursor cursor(trace);
  for (int64_t i = 0; i + 1 < trace.size(); ++i) {
    const TimeUs lasts = trace.time_at(i + 1) - trace.time_at(i);
    if (lasts == 0) continue;
    cursor.seek(i);
    const trace::Truth truth = trace::truth_of(cursor.snapshot(), trace.lock_path());
    for (const auto& [id, client] : cursor.snapshot().clients) {
      if (trace::danger_of(cursor.snapshot(), truth, id) == trace::Danger::kDangerous) durations[id] += lasts;
    }
  }
  return durations;
}

Durations dangers_in(const TimelineIndex& index) {
  Durations durations;
  for (const Span& span : index.spans()) {
    if (span.kind != SpanKind::kDangerous) continue;
    const TimeUs end = span.to_us < 0 ? index.end_us() : span.to_us;
    durations[index.lanes()[span.lane]] += end - span.from_us;
  }
  return durations;
}

void check_same_dangers(const trace::Trace& trace) {
  TimelineIndex index;
  index.extend(trace);
  const Durations facts = dangers_in(trace);
  const Durations spans = dangers_in(index);
  for (const auto& [id, duration] : facts) {
    INFO(id << " is in danger for " << duration << " us");
    const auto shown = spans.find(id);
    // A belief changes with an input, a little before the line or notice that tells of it.
    CHECK((shown == spans.end() ? 0 : shown->second) == Approx(duration).margin(20 * kMillisecond));
  }
  for (const auto& [id, duration] : spans) {
    INFO(id << " is shown in danger for " << duration << " us");
    CHECK((facts.count(id) == 1 || duration == 0));
  }
}

}  // namespace

TEST_CASE("in every lesson the timeline shows the dangers that the facts know, and no other") {
  const std::string folder = scenario::data_folder() + "/lessons/";
  for (const char* name : {"L03-five-steps", "L08-herd", "L18-gc-pause", "L19-first-token"}) {
    INFO(name);
    const auto lesson = course::load_lesson(folder + name + ".json");
    REQUIRE(lesson.ok());
    check_same_dangers(play::play_to_end(lesson.value().scenario));
    for (const course::Variant& variant : lesson.value().variants) {
      INFO(variant.id);
      check_same_dangers(play::play_to_end(variant.scenario));
    }
  }
}
