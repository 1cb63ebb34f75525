#include "trace/trace.h"

#include "catch.h"
#include "random_trace.h"
#include "trace/facts.h"
#include "trace/writer.h"

using namespace lockstep;
using namespace lockstep::trace;
using namespace lockstep::trace::testing;

TEST_CASE("folded deltas equal what was appended, at every event") {
  for (const uint64_t seed : {1u, 2u, 3u}) {
    CAPTURE(seed);
    const Recorded recorded = random_trace(seed, 400);
    Cursor cursor(recorded.trace);
    for (int64_t index = 0; index < recorded.trace.size(); ++index) {
      CAPTURE(index);
      cursor.seek(index);
      REQUIRE(without_counters(cursor.snapshot()) ==
              recorded.snapshots[static_cast<size_t>(index)]);
      REQUIRE(recorded.trace.event(index) == recorded.events[static_cast<size_t>(index)]);
      REQUIRE(cursor.snapshot().counters.believers == count_believers(cursor.snapshot()));
    }
    REQUIRE(cursor.snapshot() == recorded.trace.last());
  }
}

TEST_CASE("seeking anywhere equals folding from the start") {
  const uint64_t seed = 7;
  CAPTURE(seed);
  const Recorded recorded = random_trace(seed, 600);
  std::vector<Snapshot> linear;
  Cursor forwards(recorded.trace);
  for (int64_t index = kNoEvent; index < recorded.trace.size(); ++index) {
    forwards.seek(index);
    linear.push_back(forwards.snapshot());
  }
  Dice dice(seed);
  Cursor cursor(recorded.trace);
  for (int i = 0; i < 300; ++i) {
    const auto place = dice.below(linear.size());
    const int64_t index = static_cast<int64_t>(place) - 1;
    CAPTURE(index);
    cursor.seek(index);
    REQUIRE(cursor.index() == index);
    REQUIRE(cursor.snapshot() == linear[place]);
    if (i % 10 == 0) REQUIRE(recorded.trace.snapshot(index) == linear[place]);
  }
  cursor.seek(1'000'000);
  REQUIRE(cursor.index() == recorded.trace.size() - 1);
  cursor.seek(-5);
  REQUIRE(cursor.index() == kNoEvent);
}

TEST_CASE("keyframes take less than a third of what the changes between them take") {
  for (const uint64_t seed : {4u, 5u, 6u}) {
    CAPTURE(seed);
    const Trace trace = random_trace(seed, 6000).trace;
    CHECK(trace.keyframe_bytes() > 0);
    CHECK(trace.keyframe_bytes() * 3 < trace.bytes() - trace.keyframe_bytes());
  }
}

TEST_CASE("a trace that was cut off and goes on equals one that never went elsewhere") {
  const Recorded kept = random_trace(11, 300);
  const Recorded other = random_trace(12, 300);
  for (const int64_t keep : {250, 120, 3, -1}) {
    CAPTURE(keep);
    Trace cut = kept.trace;
    cut.truncate(keep);
    REQUIRE(cut.size() == keep + 1);
    REQUIRE(cut.last() == kept.trace.snapshot(keep));
    Trace fresh(kept.trace.header(), kept.trace.snapshot(kNoEvent));
    for (int64_t i = 0; i <= keep; ++i) {
      fresh.append(kept.trace.event(i), kept.trace.snapshot(i));
    }
    // From here on, another future.
    for (size_t i = 0; i < other.events.size(); ++i) {
      Event event = other.events[i];
      event.time_us += kSecond;
      cut.append(event, other.snapshots[i]);
      fresh.append(event, other.snapshots[i]);
    }
    REQUIRE(cut.size() == fresh.size());
    for (int64_t index = kNoEvent; index < cut.size(); index += 7) {
      REQUIRE(cut.snapshot(index) == fresh.snapshot(index));
    }
  }
}

TEST_CASE("a writer that puts rows records what appending whole snapshots records") {
  Trace appended;
  Trace written;
  Writer writer(written);
  Snapshot snapshot;
  Dice dice(5);
  for (int64_t index = 0; index < 200; ++index) {
    const Event event = random_event(dice, appended);
    ClientRow& client = snapshot.clients[std::to_string(dice.below(4))];
    randomize(client, dice);
    const std::string path = "/locks/" + std::to_string(dice.below(6));
    randomize(snapshot.znodes[path], dice);
    const bool gone = dice.below(3) == 0;
    // Put first, then erased within one event: only the outcome counts.
    writer.put(&Snapshot::znodes, path, snapshot.znodes[path]);
    if (gone) {
      snapshot.znodes.erase(path);
      writer.erase(&Snapshot::znodes, path);
    }
    for (const auto& [id, row] : snapshot.clients) writer.put(&Snapshot::clients, id, row);
    appended.append(event, snapshot);
    REQUIRE(writer.commit(event) == index);
    REQUIRE(written.last() == appended.last());
    REQUIRE(written.event(index) == appended.event(index));
  }
  for (int64_t index = 0; index < written.size(); index += 11) {
    REQUIRE(written.snapshot(index) == appended.snapshot(index));
  }
}

TEST_CASE("the event at a time is the last one not after it") {
  Trace trace;
  for (const TimeUs time : {10, 20, 20, 30}) {
    trace.append({.index = 0,
                  .time_us = time,
                  .lane = "A",
                  .kind = EventKind::kLine,
                  .cause = kNoEvent,
                  .data = {}},
                 {});
  }
  REQUIRE(trace.index_at(9) == kNoEvent);
  REQUIRE(trace.index_at(10) == 0);
  REQUIRE(trace.index_at(20) == 2);
  REQUIRE(trace.index_at(29) == 2);
  REQUIRE(trace.index_at(1000) == 3);
  REQUIRE(trace.lane_at(3) == "A");
  REQUIRE(trace.ends_moment(0));
  REQUIRE_FALSE(trace.ends_moment(1));
  REQUIRE(trace.ends_moment(2));
  REQUIRE(trace.ends_moment(3));
}

TEST_CASE("a trace says which rows an event touched, each once") {
  Trace trace;
  Writer writer(trace);
  ClientRow client;
  client.token = 4;
  writer.put(&Snapshot::clients, "B", client);
  client.token = 5;
  writer.put(&Snapshot::clients, "B", client);
  writer.put(&Snapshot::clients, "B", client);  // nothing new
  writer.put(&Snapshot::znodes, "/x", ZnodeRow{});
  writer.commit({});
  const std::vector<RowRef> touched = trace.touched(0);
  REQUIRE(touched.size() == 2);
  REQUIRE(touched[0].table == 0);
  REQUIRE(touched[0].id == "B");
  REQUIRE(touched[1].table == 1);
  REQUIRE(touched[1].id == "/x");
}
