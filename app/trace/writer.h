// Recording fast: instead of handing over a whole snapshot after each event (Trace::append), a simulator
// puts the few rows that the event touched, and then commits the event.
//
//   Writer writer(trace);
//   writer.put(&Snapshot::clients, "A", row);       // only what differs from the last snapshot is kept
//   writer.erase(&Snapshot::messages, "17");
//   const int64_t index = writer.commit(event);     // with its index, and the counters that follow from it
//
// A put shows at once in trace.last(); the time and the counters follow with the commit. Between a put and
// its commit nothing else may be asked of the trace but last(), nor may the trace move, be truncated or
// appended to by others. A commit costs what the event touched, not what the snapshot holds, except that
// now and then a keyframe is kept.
#pragma once

#include <string_view>

#include "trace/pack.h"
#include "trace/trace.h"

namespace lockstep::trace {

/// Where a row lies, for whoever puts the same row again and again: in a large table, finding it is most of the
/// work. For rows that are never erased.
template <class Row>
struct Place {
  Row* row = nullptr;
  uint64_t generation = 0;  // of the trace's last snapshot; another has its rows elsewhere
};

/// A lane's number, for whoever commits to the same lane again and again.
struct LanePlace {
  static constexpr uint32_t kUnknown = UINT32_MAX;
  uint32_t number = kUnknown;
};

class Writer {
 public:
  explicit Writer(Trace& trace) : trace_(&trace) {}

  /// Makes the row with this id equal to `row`. Putting what is there already costs little, keeps nothing.
  template <class Row>
  void put(Table<Row> Snapshot::*table, std::string_view id, const Row& row);
  /// The same, where `place` is kept for this id and no other.
  template <class Row>
  void put(Table<Row> Snapshot::*table, std::string_view id, const Row& row, Place<Row>& place);
  /// Erases the row with this id, if there is one.
  template <class Row>
  void erase(Table<Row> Snapshot::*table, std::string_view id);
  /// Makes every row equal to those of `after`; costs what the snapshots hold.
  void put_all(const Snapshot& after);

  /// Closes the event and returns its index; event.index is ignored, and set if it can be. Requires that
  /// event.time_us is not before the last event's.
  int64_t commit(Event& event);
  /// The same, where `lane` is kept for the event's lane and no other.
  int64_t commit(Event& event, LanePlace& lane);
  int64_t commit(const Event& event);

 private:
  Trace* trace_;
  Packer delta_;
};

}  // namespace lockstep::trace
