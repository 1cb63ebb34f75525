// Deltas: what an event changes in a snapshot, as a list of rows put and rows erased.
//
// Format: an operation is a number, 2 * table (counted in the order of Snapshot::each_table), plus 1 for
// an erasure; then the row's id; then, unless erased, its changes against the row that is there (against
// a default row if there is none). A put whose row does not differ is not written.
//
// Whoever changes client rows keeps Counters::believers right; everything here does.
#pragma once

#include <string_view>
#include <vector>

#include "trace/facts.h"
#include "trace/pack.h"
#include "trace/snapshot.h"

namespace lockstep::trace {

/// The place of a row type's table in the order of each_table.
template <class Row>
constexpr uint8_t kTableNumber = 255;
template <>
inline constexpr uint8_t kTableNumber<ClientRow> = 0;
template <>
inline constexpr uint8_t kTableNumber<ZnodeRow> = 1;
template <>
inline constexpr uint8_t kTableNumber<SessionRow> = 2;
template <>
inline constexpr uint8_t kTableNumber<WatchRow> = 3;
template <>
inline constexpr uint8_t kTableNumber<ServerRow> = 4;
template <>
inline constexpr uint8_t kTableNumber<LinkRow> = 5;
template <>
inline constexpr uint8_t kTableNumber<MessageRow> = 6;
template <>
inline constexpr uint8_t kTableNumber<ResourceRow> = 7;
template <>
inline constexpr uint8_t kTableNumber<LedgerRow> = 8;
constexpr uint8_t kTables = 9;

/// Calls `visit(table)` with the table of that number.
template <class S, class Visit>
void with_table(S& snapshot, uint64_t number, Visit&& visit) {
  switch (number) {
    case 0: return visit(snapshot.clients);
    case 1: return visit(snapshot.znodes);
    case 2: return visit(snapshot.sessions);
    case 3: return visit(snapshot.watches);
    case 4: return visit(snapshot.servers);
    case 5: return visit(snapshot.links);
    case 6: return visit(snapshot.messages);
    case 7: return visit(snapshot.resources);
    case 8: return visit(snapshot.ledger);
  }
  bug("a delta names a table that snapshots lack: read at the wrong place");
}

/// Keeps Counters::believers right for tables of clients; nothing for others.
template <class Row>
void count_believer(const Row& row, int64_t sign, Counters& counters) {
  if constexpr (std::is_same_v<Row, ClientRow>) {
    if (believes_to_hold(row)) counters.believers += sign;
  }
}

/// Makes `old`, which has this id, equal to `row`, and writes what that changed. `isnew`: it was not there before.
template <class Row>
void change_row(Snapshot& snapshot, Row& old, bool isnew, std::string_view id, const Row& row, Packer& delta) {
  const uint64_t mask = changed_fields(old, row);
  if (mask == 0 && !isnew) return;
  delta.put_number(2 * uint64_t{kTableNumber<Row>});
  delta.put_string(id);
  pack_changes(old, row, mask, delta);
  count_believer(old, -1, snapshot.counters);
  old = row;
  count_believer(old, +1, snapshot.counters);
}

/// Makes the row with this id equal to `row`, and writes what that changed. Returns where it lies.
template <class Row>
Row* put_row(Snapshot& snapshot, Table<Row>& table, std::string_view id, const Row& row, Packer& delta) {
  auto found = table.lower_bound(id);
  const bool isnew = found == table.end() || found->first != id;
  if (isnew) found = table.emplace_hint(found, std::string(id), Row{});
  change_row(snapshot, found->second, isnew, id, row, delta);
  return &found->second;
}

/// Erases the row with this id, if there is one, and writes that.
template <class Row>
void erase_row(Snapshot& snapshot, Table<Row>& table, std::string_view id, Packer& delta) {
  const auto found = table.find(id);
  if (found == table.end()) return;
  delta.put_number(2 * uint64_t{kTableNumber<Row>} + 1);
  delta.put_string(id);
  count_believer(found->second, -1, snapshot.counters);
  table.erase(found);
}

/// Makes all rows equal to those of `after`, and writes what that changed.
void put_all(Snapshot& snapshot, const Snapshot& after, Packer& delta);

/// Does what a delta says.
void apply_delta(Snapshot& snapshot, Unpacker& delta);

/// The rows that a delta puts or erases, each once, by table and id; valid as long as the bytes are.
std::vector<RowRef> touched_rows(Unpacker& delta);

/// A whole snapshot.
void pack_snapshot(const Snapshot& snapshot, Packer& packer);
/// Makes of whatever `snapshot` holds the one that was packed. Rows that it has already serve again, which is
/// several times as fast as building them.
void unpack_snapshot(Snapshot& snapshot, Unpacker& unpacker);

}  // namespace lockstep::trace
