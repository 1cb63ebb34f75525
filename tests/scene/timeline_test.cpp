#include <algorithm>
#include <string>

#include "catch.h"
#include "scene/timeline.h"
#include "scene/timeline_rows.h"
#include "scene/toys.h"

using namespace lockstep;
using namespace lockstep::scene;
using trace::EventKind;

namespace {

/// A trace whose snapshots say nothing: the timeline reads events.
class Story {
 public:
  explicit Story(int clients) {
    trace::Header header;
    for (int i = 0; i < clients; ++i) {
      scenario::ClientSpec spec;
      spec.id = toys::client_name(i);
      header.scenario.clients.push_back(spec);
    }
    header.scenario.servers = {{"zk1"}};
    trace_ = trace::Trace(header, {});
  }

  void tell(TimeUs time_us, const std::string& lane, EventKind kind, trace::EventData data = {}) {
    trace::Event event;
    event.time_us = time_us;
    event.lane = lane;
    event.kind = kind;
    event.data = std::move(data);
    trace::Snapshot after;
    after.time_us = time_us;
    trace_.append(std::move(event), after);
  }

  const trace::Trace& trace() const { return trace_; }

 private:
  trace::Trace trace_;
};

trace::EventData node(const std::string& what, const std::string& client,
                      const std::string& number) {
  return {.what = what, .path = "/locks/sku-1/lock-000000000" + number, .peer = client};
}

/// A holds, pauses, its session expires, B gets the lock; A comes back and writes; then it hears.
Story gc_pause() {
  Story story(2);
  story.tell(1 * kSecond, "zk1", EventKind::kCommitted, node("create", "A", "0"));
  story.tell(2 * kSecond, "A", EventKind::kAcquired, {.token = 1});
  story.tell(3 * kSecond, "zk1", EventKind::kCommitted, node("create", "B", "1"));
  story.tell(4 * kSecond, "A", EventKind::kIntervened, {.what = "pause A"});
  story.tell(10 * kSecond, "zk1", EventKind::kSessionExpired, {.peer = "A", .session = "A#1"});
  story.tell(11 * kSecond, "B", EventKind::kAcquired, {.token = 2});
  story.tell(12 * kSecond, "A", EventKind::kIntervened, {.what = "resume A"});
  story.tell(13 * kSecond, "A", EventKind::kSent, {.what = "write", .peer = "db", .message = 1});
  story.tell(14 * kSecond, "db", EventKind::kArrived, {.peer = "A", .message = 1});
  story.tell(14 * kSecond, "db", EventKind::kWriteAccepted, {.peer = "A", .stale = true});
  story.tell(15 * kSecond, "A", EventKind::kLost);
  return story;
}

std::string told(const TimelineIndex& index) {
  std::string text;
  for (const Span& span : index.spans()) {
    constexpr const char* kNames[] = {"paused", "hung", "crashed", "holding", "dangerous", "owned"};
    text += index.lanes()[span.lane] + " " + kNames[static_cast<int>(span.kind)] + " " +
            std::to_string(span.from_us / kSecond) + "-" +
            (span.to_us < 0 ? "" : std::to_string(span.to_us / kSecond));
    if (span.kind == SpanKind::kOwned) text += " by " + index.lanes()[span.owner];
    text += "; ";
  }
  return text;
}

TimelineInput input_of(const trace::Trace& trace, const TimelineIndex& index,
                       const TextMeasure& measure) {
  return {.trace = trace, .index = index, .measure = measure, .from_us = 0, .to_us = 16 * kSecond};
}

}  // namespace

TEST_CASE("the index tells belief, danger and truth apart") {
  const Story story = gc_pause();
  TimelineIndex index;
  index.extend(story.trace());
  CHECK(told(index) ==
        "zk1 owned 1-10 by A; A holding 2-10; A paused 4-12; zk1 owned 10- by B; A dangerous "
        "10-15; B holding 11-; ");
  REQUIRE(index.flights().size() == 1);
  CHECK(index.flights()[0].sent_us == 13 * kSecond);
  CHECK(index.flights()[0].arrived_us == 14 * kSecond);
  CHECK(index.lanes()[index.flights()[0].to] == "db");
}

TEST_CASE("an index that grows event by event equals one made at once, and reset forgets") {
  const Story whole = gc_pause();
  TimelineIndex once;
  once.extend(whole.trace());
  Story growing(2);
  TimelineIndex index;
  for (int64_t i = 0; i < whole.trace().size(); ++i) {
    const trace::Event event = whole.trace().event(i);
    growing.tell(event.time_us, event.lane, event.kind, event.data);
    index.extend(growing.trace());
  }
  CHECK(told(index) == told(once));
  CHECK(index.marks().size() == once.marks().size());
  index.reset();
  index.extend(whole.trace());
  CHECK(told(index) == told(once));
}

TEST_CASE("time and place on the axis are each other's reverse") {
  const TimeAxis axis = {.left = 100, .right = 1100, .from_us = 2 * kSecond, .to_us = 12 * kSecond};
  CHECK(axis.x_of(2 * kSecond) == 100);
  CHECK(axis.x_of(7 * kSecond) == 600);
  CHECK(axis.time_of(600) == 7 * kSecond);
  CHECK(axis.time_of(50) == 2 * kSecond);
  CHECK(axis.time_of(5000) == 12 * kSecond);
}

TEST_CASE("ticks stand at round times, far enough apart") {
  CHECK(tick_step(10 * kSecond, 1000, 90) == kSecond);
  CHECK(tick_step(10 * kSecond, 1000, 110) == 2 * kSecond);
  CHECK(tick_step(10 * kMillisecond, 500, 60) == 2 * kMillisecond);
  CHECK(tick_text(12 * kSecond, 2 * kSecond) == "12 s");
  CHECK(tick_text(8250 * kMillisecond, 50 * kMillisecond) == "8.25 s");
  CHECK(tick_text(500 * kMillisecond, 500 * kMillisecond) == "0.5 s");
}

TEST_CASE("a timeline shows lanes, marks, danger and the scrubber in words") {
  const toys::PlainMeasure measure;
  const Story story = gc_pause();
  TimelineIndex index;
  index.extend(story.trace());
  TimelineInput input = input_of(story.trace(), index, measure);
  input.size = {1400, timeline_height(input)};
  input.at_us = 14 * kSecond;
  input.position = story.trace().size() - 1;
  for (const auto& [language, danger, paused, stale] :
       {std::tuple{trace::Language::kEn, "danger", "Paused for 8.0 s", "stale"},
        std::tuple{trace::Language::kZh, "危险", "停顿 8.0 s", "陈旧"}}) {
    input.language = language;
    const Scene scene = compose_timeline(input);
    const std::string plot = text_in(scene, "band/plot");
    INFO(plot);
    CHECK(plot.find(danger) != std::string::npos);
    CHECK(plot.find(paused) != std::string::npos);
    CHECK(plot.find(stale) != std::string::npos);
    for (const char* lane : {"lane/A", "lane/B", "lane/zk1", "lane/db"})
      CHECK(find_region(scene, lane));
    CHECK(text_in(scene, "timeline/scrubber") == "14.000 s");
    const Region* scrubber = find_region(scene, "timeline/scrubber");
    CHECK(scrubber->rect.center().x == Approx(time_axis(input).x_of(14 * kSecond)).margin(1));
  }
}

TEST_CASE("regions of a timeline lie in the picture, whatever its size") {
  const toys::PlainMeasure measure;
  const Story story = gc_pause();
  TimelineIndex index;
  index.extend(story.trace());
  for (const Size size : {Size{500, 90}, Size{860, 150}, Size{1280, 200}, Size{3840, 600}}) {
    for (const float font : {12.0f, 20.0f, 40.0f}) {
      TimelineInput input = input_of(story.trace(), index, measure);
      input.size = size;
      input.font_px = font;
      input.at_us = 16 * kSecond;
      const Scene scene = compose_timeline(input);
      for (const Region& region : scene.regions) {
        INFO(region.id << " at " << region.rect.x << ' ' << region.rect.y << ' ' << region.rect.w
                       << 'x' << region.rect.h << " in " << size.w << 'x' << size.h);
        CHECK(region.rect.x >= -0.5f);
        CHECK(region.rect.y >= -0.5f);
        CHECK(region.rect.right() <= size.w + 0.5f);
        CHECK(region.rect.bottom() <= size.h + 0.5f);
      }
    }
  }
}

TEST_CASE("many messages become counts: the picture stays small, and zooming in shows them again") {
  const toys::PlainMeasure measure;
  Story story(1);
  for (int i = 0; i < 20000; ++i) {
    story.tell(i * kMillisecond, "A", EventKind::kSent,
               {.what = "create", .peer = "zk1", .message = i});
    story.tell(i * kMillisecond + 500, "zk1", EventKind::kArrived, {.peer = "A", .message = i});
  }
  TimelineIndex index;
  index.extend(story.trace());
  TimelineInput input = input_of(story.trace(), index, measure);
  input.to_us = 20 * kSecond;
  CHECK(compose_timeline(input).shapes.size() < 3000);
  input.from_us = 15 * kSecond;
  input.to_us = input.from_us + 100 * kMillisecond;
  const Scene near = compose_timeline(input);
  const auto arrows = std::count_if(near.shapes.begin(), near.shapes.end(), [](const Shape& shape) {
    const Line* line = std::get_if<Line>(&shape);
    return line && line->arrow > 0;
  });
  CHECK(arrows >= 100);
  CHECK(arrows <= 102);
}

TEST_CASE("a search finds a message that was sent long before and is still under way") {
  Story story(1);
  story.tell(0, "A", EventKind::kSent, {.what = "write", .peer = "db", .message = 0});
  for (int i = 1; i < 2000; ++i) {
    story.tell(i * kMillisecond, "A", EventKind::kSent,
               {.what = "create", .peer = "zk1", .message = i});
    story.tell(i * kMillisecond, "zk1", EventKind::kArrived, {.peer = "A", .message = i});
  }
  TimelineIndex index;
  index.extend(story.trace());
  CHECK(index.first_flight(kSecond) == 0);
  story.tell(2 * kSecond, "db", EventKind::kArrived, {.peer = "A", .message = 0});
  index.extend(story.trace());
  CHECK(index.first_flight(kSecond) == 0);
  CHECK(index.first_flight(3 * kSecond) > 1000);
}
