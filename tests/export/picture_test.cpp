#include <string>

#include "catch.h"
#include "export/pango_measure.h"
#include "export/picture.h"
#include "scene/faults.h"
#include "scene/stage.h"
#include "scene/toys.h"

using namespace lockstep;

namespace {

trace::Trace two_steps() {
  const toys::Moment moment = toys::gc_pause();
  trace::Header header;
  header.scenario = moment.scenario;
  trace::Snapshot start = moment.snapshot;
  start.ledger.clear();
  start.time_us = 10 * kSecond;
  trace::Trace trace(header, start);
  trace::Event event;
  event.time_us = 10200 * kMillisecond;
  event.lane = "A";
  event.kind = trace::EventKind::kLine;
  trace::Snapshot after = start;
  after.time_us = event.time_us;
  trace.append(event, after);
  event.time_us = 10400 * kMillisecond;
  event.lane = "db";
  event.kind = trace::EventKind::kWriteRefused;
  event.data = {.peer = "A", .token = 0x101, .value = 60, .stale = true};
  after.time_us = event.time_us;
  after.ledger["1"] = {"db", "A", 0x101, 60, false, true, 0x104, event.time_us};
  trace.append(event, after);
  return trace;
}

}  // namespace

TEST_CASE("a picture has a heading, the stage at that step, and the timeline") {
  const picture::PangoMeasure measure;
  const trace::Trace trace = two_steps();
  const picture::PictureOptions options = {.language = trace::Language::kEn, .title = "The pause"};
  const scene::Scene last = picture::picture_of(trace, 1, measure, options);
  CHECK(last.size == scene::Size{1280, 800});
  const std::string heading = text_in(last, "band/heading");
  CHECK(heading.find("The pause") != std::string::npos);
  CHECK(heading.find("step 2 of 2") != std::string::npos);
  CHECK(heading.find("10.400 s") != std::string::npos);
  CHECK(find_region(last, "ledger/1"));
  CHECK(find_region(last, "lane/A"));
  const scene::Scene first = picture::picture_of(trace, trace::kNoEvent, measure, options);
  CHECK(text_in(first, "band/heading").find("step 0 of 2") != std::string::npos);
  CHECK_FALSE(find_region(first, "ledger/1"));
  CHECK(picture::picture_of(trace, 99, measure, options) == last);
}

TEST_CASE("bands of a picture lie one below the other") {
  const picture::PangoMeasure measure;
  for (const scene::Size size :
       {scene::Size{640, 480}, scene::Size{1280, 800}, scene::Size{3840, 2160}}) {
    const scene::Scene scene = picture::picture_of(two_steps(), 1, measure, {.size = size});
    float bottom = 0;
    for (const char* id :
         {"band/heading", "band/belief", "band/wires", "band/truth", "band/ledger", "band/plot"}) {
      const scene::Region* band = find_region(scene, id);
      INFO(id << " in " << size.w << "x" << size.h);
      REQUIRE(band);
      CHECK(band->rect.y >= bottom - 0.5f);
      bottom = band->rect.bottom();
    }
    CHECK(bottom <= size.h);
  }
}

TEST_CASE("with real fonts too, nothing overlaps or is cut off") {
  const picture::PangoMeasure measure;
  for (const int clients : {2, 3, 9, 100}) {
    const toys::Moment moment = toys::random_moment(clients, 40 + static_cast<uint64_t>(clients));
    for (const scene::Size size : {scene::Size{1280, 800}, scene::Size{1920, 1080}}) {
      for (const float font : {13.0f, 40.0f}) {
        for (const trace::Language language : {trace::Language::kZh, trace::Language::kEn}) {
          INFO(clients << " clients, " << size.w << " wide, font " << font << ", language "
                       << static_cast<int>(language));
          const scene::Scene scene = scene::compose_stage({.snapshot = moment.snapshot,
                                                           .scenario = moment.scenario,
                                                           .measure = measure,
                                                           .size = size,
                                                           .font_px = font,
                                                           .language = language,
                                                           .chosen = "B"});
          CHECK(faults::fault_of(scene, measure) == "");
        }
      }
    }
  }
}

TEST_CASE("scenes stand side by side") {
  scene::Scene a;
  a.size = {100, 50};
  a.regions.push_back({.id = "a", .rect = {1, 2, 3, 4}});
  scene::Scene b = a;
  b.size = {70, 90};
  b.regions[0].id = "b";
  const scene::Scene both = picture::beside({a, b}, 10);
  CHECK(both.size == scene::Size{180, 90});
  CHECK(find_region(both, "b")->rect == scene::Rect{111, 2, 3, 4});
}
