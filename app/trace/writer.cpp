#include "trace/writer.h"

#include "trace/delta.h"

namespace lockstep::trace {

template <class Row>
void Writer::put(Table<Row> Snapshot::*table, std::string_view id, const Row& row) {
  Snapshot& last = trace_->last_;
  put_row(last, last.*table, id, row, delta_);
}

template <class Row>
void Writer::put(Table<Row> Snapshot::*table, std::string_view id, const Row& row, Place<Row>& place) {
  Snapshot& last = trace_->last_;
  if (place.row != nullptr && place.generation == trace_->generation_) {
    return change_row(last, *place.row, false, id, row, delta_);
  }
  place = {put_row(last, last.*table, id, row, delta_), trace_->generation_};
}

template <class Row>
void Writer::erase(Table<Row> Snapshot::*table, std::string_view id) {
  Snapshot& last = trace_->last_;
  erase_row(last, last.*table, id, delta_);
}

void Writer::put_all(const Snapshot& after) {
  trace::put_all(trace_->last_, after, delta_);
  ++trace_->generation_;  // Rows may be gone.
}

int64_t Writer::commit(Event& event) {
  LanePlace lane;
  return commit(event, lane);
}

int64_t Writer::commit(Event& event, LanePlace& lane) {
  if (lane.number == LanePlace::kUnknown) lane.number = trace_->lane_number(event);
  trace_->commit(event, lane.number, delta_);
  delta_.clear();
  return event.index;
}

int64_t Writer::commit(const Event& event) {
  Event numbered = event;
  return commit(numbered);
}

template void Writer::put(Table<ClientRow> Snapshot::*, std::string_view, const ClientRow&);
template void Writer::put(Table<ZnodeRow> Snapshot::*, std::string_view, const ZnodeRow&);
template void Writer::put(Table<SessionRow> Snapshot::*, std::string_view, const SessionRow&);
template void Writer::put(Table<WatchRow> Snapshot::*, std::string_view, const WatchRow&);
template void Writer::put(Table<ServerRow> Snapshot::*, std::string_view, const ServerRow&);
template void Writer::put(Table<LinkRow> Snapshot::*, std::string_view, const LinkRow&);
template void Writer::put(Table<MessageRow> Snapshot::*, std::string_view, const MessageRow&);
template void Writer::put(Table<ResourceRow> Snapshot::*, std::string_view, const ResourceRow&);
template void Writer::put(Table<LedgerRow> Snapshot::*, std::string_view, const LedgerRow&);

template void Writer::put(Table<ClientRow> Snapshot::*, std::string_view, const ClientRow&, Place<ClientRow>&);
template void Writer::put(Table<SessionRow> Snapshot::*, std::string_view, const SessionRow&, Place<SessionRow>&);

template void Writer::erase<ClientRow>(Table<ClientRow> Snapshot::*, std::string_view);
template void Writer::erase<ZnodeRow>(Table<ZnodeRow> Snapshot::*, std::string_view);
template void Writer::erase<SessionRow>(Table<SessionRow> Snapshot::*, std::string_view);
template void Writer::erase<WatchRow>(Table<WatchRow> Snapshot::*, std::string_view);
template void Writer::erase<ServerRow>(Table<ServerRow> Snapshot::*, std::string_view);
template void Writer::erase<LinkRow>(Table<LinkRow> Snapshot::*, std::string_view);
template void Writer::erase<MessageRow>(Table<MessageRow> Snapshot::*, std::string_view);
template void Writer::erase<ResourceRow>(Table<ResourceRow> Snapshot::*, std::string_view);
template void Writer::erase<LedgerRow>(Table<LedgerRow> Snapshot::*, std::string_view);

}  // namespace lockstep::trace
