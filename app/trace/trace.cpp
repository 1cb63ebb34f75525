#include "trace/trace.h"

#include <algorithm>
#include <utility>

#include "trace/delta.h"
#include "trace/facts.h"
#include "trace/writer.h"

namespace lockstep::trace {
namespace {

/// Below this, a keyframe costs more bytes than folding costs time.
constexpr size_t kKeyframeBytesMin = 4096;
/// So many times the bytes of the last keyframe lie before the next. More of them make seeking slower, since they
/// are folded; fewer make recording slower, since a keyframe takes as long as what the snapshot holds.
constexpr size_t kKeyframeShare = 4;

}  // namespace

Trace::Trace(Header header, Snapshot initial)
    : header_(std::move(header)), last_(std::move(initial)) {
  Counters& counters = last_.counters;
  counters.believers = count_believers(last_);
  counters.believers_max = std::max(counters.believers_max, counters.believers);
  keep_keyframe();
}

// ---- Reading -----------------------------------------------------------------------------------

uint64_t Trace::offset_of(int64_t index) const {
  return index < size() ? index_[static_cast<size_t>(index)].offset : bytes_.size();
}

Trace::Record Trace::record(int64_t index) const {
  require(index >= 0 && index < size(), "an event was asked for that the trace does not have");
  Unpacker head(
      {.begin = bytes_.data() + offset_of(index), .end = bytes_.data() + offset_of(index + 1)});
  const uint64_t delta_size = head.number();
  Record record{.delta = head.rest(), .event = head.rest()};
  record.delta.shorten(delta_size);
  record.event.skip(delta_size);
  return record;
}

const std::string& Trace::lane_at(int64_t index) const {
  return lanes_[index_[static_cast<size_t>(index)].lane];
}

int64_t Trace::index_at(TimeUs time_us) const {
  const auto after =
      std::upper_bound(index_.begin(), index_.end(), time_us,
                       [](TimeUs time, const Entry& entry) { return time < entry.time_us; });
  return (after - index_.begin()) - 1;
}

void Trace::unpack_event(int64_t index, Event& event) const {
  Unpacker unpacker = record(index).event;
  const Entry& entry = index_[static_cast<size_t>(index)];
  event.index = index;
  event.time_us = entry.time_us;
  event.kind = entry.kind;
  event.cause = index - unpacker.signed_number();
  event.data = EventData{};
  unpack_changes(event.data, unpacker);
}

Event Trace::event(int64_t index) const {
  Event event;
  unpack_event(index, event);
  event.lane = lane_at(index);
  return event;
}

void Trace::fold(Snapshot& snapshot, int64_t from, int64_t to) const {
  Event event;
  for (int64_t index = from + 1; index <= to; ++index) {
    Unpacker delta = record(index).delta;
    apply_delta(snapshot, delta);
    const Entry& entry = index_[static_cast<size_t>(index)];
    snapshot.time_us = entry.time_us;
    event.kind = entry.kind;
    if (is_counted(entry.kind)) unpack_event(index, event);
    count(snapshot.counters, event);
  }
}

Snapshot Trace::snapshot(int64_t index) const {
  require(index >= kNoEvent && index < size(),
          "a snapshot was asked for that the trace does not have");
  Cursor cursor(*this);
  cursor.seek(index);
  return cursor.snapshot();
}

std::vector<RowRef> Trace::touched(int64_t index) const {
  Unpacker delta = record(index).delta;
  return touched_rows(delta);
}

size_t Trace::bytes() const { return bytes_.capacity() + index_.capacity() * sizeof(Entry) + keyframe_bytes(); }

size_t Trace::keyframe_bytes() const {
  size_t total = 0;
  for (const Keyframe& keyframe : keyframes_) total += keyframe.packed.capacity() + sizeof keyframe;
  return total;
}

// ---- Growing -----------------------------------------------------------------------------------

void Trace::append(Event event, const Snapshot& after) {
  Writer writer(*this);
  writer.put_all(after);
  writer.commit(event);
}

uint32_t Trace::lane_number(const Event& event) {
  const std::string& lane = event.lane;
  // Mostly it is where its cause was. That lane has just been in use; the table of all is cold memory.
  if (event.cause != kNoEvent && lane_at(event.cause) == lane) {
    return index_[static_cast<size_t>(event.cause)].lane;
  }
  const auto found = lane_numbers_.find(lane);
  if (found != lane_numbers_.end()) return found->second;
  const auto next = static_cast<uint32_t>(lanes_.size());
  lane_numbers_.emplace(lane, next);
  lanes_.push_back(lane);
  return next;
}

void Trace::commit(Event& event, uint32_t lane, Packer& delta) {
  event.index = size();
  require(event.time_us >= last_.time_us,
          "an event is earlier than the one before it: out of order?");
  require(event.cause >= kNoEvent && event.cause < event.index,
          "an event's cause is no earlier event");
  index_.push_back({.time_us = event.time_us,
                    .offset = bytes_.size(),
                    .lane = lane,
                    .kind = event.kind});
  append_number(delta.size(), bytes_);
  delta.put_signed(event.index - event.cause);
  pack_whole(event.data, delta);
  delta.append_to(bytes_);

  last_.time_us = event.time_us;
  count(last_.counters, event);
  const Keyframe& previous = keyframes_.back();
  const uint64_t since = bytes_.size() - offset_of(previous.index + 1);
  if (since > std::max(kKeyframeBytesMin, kKeyframeShare * previous.packed.size())) keep_keyframe();
}

void Trace::keep_keyframe() {
  Packer packer;
  pack_snapshot(last_, packer);
  keyframes_.push_back({.index = size() - 1, .packed = packer.copy()});
}

void Trace::truncate(int64_t index) {
  if (index >= size() - 1) return;
  const int64_t last = std::max(index, kNoEvent);
  last_ = snapshot(last);
  ++generation_;
  while (keyframes_.back().index > last) keyframes_.pop_back();
  bytes_.resize(offset_of(last + 1));
  index_.resize(static_cast<size_t>(last + 1));
}

// ---- Cursor ------------------------------------------------------------------------------------

const Trace::Keyframe& Trace::keyframe_before(int64_t index) const {
  const auto after = std::upper_bound(
      keyframes_.begin(), keyframes_.end(), index,
      [](int64_t wanted, const Keyframe& keyframe) { return wanted < keyframe.index; });
  return *(after - 1);
}

Cursor::Cursor(const Trace& trace) : trace_(&trace) { jump_to(trace.keyframe_before(kNoEvent)); }

void Cursor::seek(int64_t index) {
  const int64_t target = std::clamp(index, kNoEvent, trace_->size() - 1);
  const Trace::Keyframe& keyframe = trace_->keyframe_before(target);
  if (index_ > target) {
    jump_to(keyframe);
  } else if (keyframe.index > index_) {
    // Forwards over a keyframe: folding what lies before it may still be the shorter way.
    const uint64_t skipped = trace_->offset_of(keyframe.index + 1) - trace_->offset_of(index_ + 1);
    if (skipped > keyframe.packed.size()) jump_to(keyframe);
  }
  trace_->fold(snapshot_, index_, target);
  index_ = target;
}

void Cursor::jump_to(const Trace::Keyframe& keyframe) {
  Unpacker unpacker(
      {.begin = keyframe.packed.data(), .end = keyframe.packed.data() + keyframe.packed.size()});
  unpack_snapshot(snapshot_, unpacker);
  index_ = keyframe.index;
}

}  // namespace lockstep::trace
