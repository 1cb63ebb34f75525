// A trace: a header and events, each with the delta that it makes to the snapshot. Events and deltas are
// packed into bytes; every so often the whole snapshot is kept, so that any moment is one keyframe and a
// few deltas away.
//
// Invariants: event i has index i; times never fall; folding the deltas of events 0..i over the initial
// snapshot gives the world as it was just after event i (tested at every event).
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "scenario/scenario.h"
#include "trace/event.h"
#include "trace/pack.h"
#include "trace/snapshot.h"

namespace lockstep::trace {

enum class Source : uint8_t { kSimulated, kExplored, kLive, kSampled };
std::string_view name_of(Source source);
[[nodiscard]] bool from_name(std::string_view name, Source& source);

struct Header {
  Source source = Source::kSimulated;
  scenario::Scenario scenario;

  bool operator==(const Header&) const = default;
};

class Trace {
 public:
  Trace() : Trace(Header{}, Snapshot{}) {}
  /// `initial` is the snapshot before the first event; its counters stand for what happened before it.
  Trace(Header header, Snapshot initial);

  const Header& header() const { return header_; }
  const std::string& lock_path() const { return header_.scenario.lock_path; }
  int64_t size() const { return static_cast<int64_t>(index_.size()); }
  bool empty() const { return index_.empty(); }

  /// Unpacks event `index`; requires 0 <= index < size().
  Event event(int64_t index) const;
  TimeUs time_at(int64_t index) const { return index_[static_cast<size_t>(index)].time_us; }
  EventKind kind_at(int64_t index) const { return index_[static_cast<size_t>(index)].kind; }
  const std::string& lane_at(int64_t index) const;
  /// The last event at or before `time_us`; kNoEvent if there is none.
  int64_t index_at(TimeUs time_us) const;

  /// True if no other event at the same time follows. Between the events of one moment the world may be
  /// caught in the middle of a step (a watch has fired, its event is not sent yet).
  bool ends_moment(int64_t index) const {
    return index + 1 >= size() || index == kNoEvent || time_at(index + 1) > time_at(index);
  }

  /// The snapshot just after event `index`; index kNoEvent gives the initial one.
  Snapshot snapshot(int64_t index) const;

  /// The rows that event `index` put or erased, each once, by table and id; valid until the trace grows.
  std::vector<RowRef> touched(int64_t index) const;

  /// Appends an event whose world after it is `after`; only what differs from the last snapshot is kept.
  /// The event's index is set here, and the snapshot's time is the event's; `after`'s own time and counters
  /// are ignored (counters follow from the events). Requires that no event is later already.
  void append(Event event, const Snapshot& after);

  /// As append, for a writer that changes the last snapshot in place: see Writer in writer.h.
  const Snapshot& last() const { return last_; }

  /// Cuts off everything after event `index`.
  void truncate(int64_t index);

  /// Bytes held, for the budgets; and those of them that are keyframes, which is less than a third of what the
  /// changes between them take.
  size_t bytes() const;
  size_t keyframe_bytes() const;

 private:
  friend class Cursor;
  friend class Writer;

  struct Entry {
    TimeUs time_us = 0;
    uint64_t offset = 0;  // of its record in bytes_: the delta's size, the delta, cause and data
    uint32_t lane = 0;
    EventKind kind = EventKind::kStarted;
  };
  struct Keyframe {
    int64_t index = kNoEvent;  // the snapshot after this event
    Bytes packed;
  };

  struct Record {
    Unpacker delta;
    Unpacker event;
  };

  /// Sets the event's index and adds it to `delta`, which is already applied to last_.
  void commit(Event& event, uint32_t lane, Packer& delta);
  uint32_t lane_number(const Event& event);
  void keep_keyframe();
  /// Where event `index` begins in bytes_; the end of all for index size().
  uint64_t offset_of(int64_t index) const;
  Record record(int64_t index) const;
  /// The last keyframe at or before `index`.
  const Keyframe& keyframe_before(int64_t index) const;
  /// Unpacks everything of an event but its lane.
  void unpack_event(int64_t index, Event& event) const;
  /// Applies the deltas of all events after `from` up to `to` to a snapshot that stands just after `from`.
  void fold(Snapshot& snapshot, int64_t from, int64_t to) const;

  Header header_;
  std::vector<Keyframe> keyframes_;  // the first is the initial snapshot, so never empty
  std::vector<Entry> index_;
  Bytes bytes_;
  std::vector<std::string> lanes_;
  std::unordered_map<std::string, uint32_t> lane_numbers_;  // only ever looked up
  Snapshot last_;
  uint64_t generation_ = 0;  // counts the times that rows of last_ may have moved
};

/// A moving position in a trace. Stepping forwards folds one delta; seeking anywhere folds from the nearest
/// keyframe. The trace must outlive the cursor and may grow meanwhile; a cursor that stood on an event which
/// was cut off meanwhile is of no use any more.
class Cursor {
 public:
  explicit Cursor(const Trace& trace);

  int64_t index() const { return index_; }
  const Snapshot& snapshot() const { return snapshot_; }
  /// Goes to just after event `index` (kNoEvent: before the first); clamped to what there is.
  void seek(int64_t index);

 private:
  void jump_to(const Trace::Keyframe& keyframe);

  const Trace* trace_;
  int64_t index_ = kNoEvent;
  Snapshot snapshot_;
};

}  // namespace lockstep::trace
