#include "trace/delta.h"

#include <algorithm>
#include <tuple>

namespace lockstep::trace {
namespace {

template <class Row>
void apply_to(Snapshot& snapshot, Table<Row>& table, bool erases, Unpacker& delta) {
  const std::string_view id = delta.string();
  auto found = table.lower_bound(id);
  const bool exists = found != table.end() && found->first == id;
  if (erases) {
    require(exists, "a delta erases a row that is not there: folded over another snapshot?");
    count_believer(found->second, -1, snapshot.counters);
    table.erase(found);
    return;
  }
  if (!exists) found = table.emplace_hint(found, std::string(id), Row{});
  count_believer(found->second, -1, snapshot.counters);
  unpack_changes(found->second, delta);
  count_believer(found->second, +1, snapshot.counters);
}

template <class Row>
void put_table(Snapshot& snapshot, Table<Row>& table, const Table<Row>& after, Packer& delta) {
  // Ids are copied before the erasure: they belong to the rows that go.
  std::vector<std::string> gone;
  for (const auto& [id, row] : table) {
    if (after.find(id) == after.end()) gone.push_back(id);
  }
  for (const std::string& id : gone) erase_row(snapshot, table, id, delta);
  for (const auto& [id, row] : after) put_row(snapshot, table, id, row, delta);
}

}  // namespace

void put_all(Snapshot& snapshot, const Snapshot& after, Packer& delta) {
  for (uint8_t number = 0; number < kTables; ++number) {
    with_table(snapshot, number, [&]<class Row>(Table<Row>& table) {
      with_table(after, number, [&]<class Other>(const Table<Other>& wanted) {
        if constexpr (std::is_same_v<Row, Other>) put_table(snapshot, table, wanted, delta);
      });
    });
  }
}

void apply_delta(Snapshot& snapshot, Unpacker& delta) {
  while (!delta.done()) {
    const uint64_t operation = delta.number();
    with_table(snapshot, operation / 2,
               [&](auto& table) { apply_to(snapshot, table, operation & 1, delta); });
  }
}

std::vector<RowRef> touched_rows(Unpacker& delta) {
  std::vector<RowRef> touched;
  const Snapshot none;
  while (!delta.done()) {
    const uint64_t operation = delta.number();
    touched.push_back({static_cast<uint8_t>(operation / 2), delta.string()});
    if (operation & 1) continue;
    with_table(none, operation / 2, [&]<class Row>(const Table<Row>&) {
      Row ignored;
      unpack_changes(ignored, delta);
    });
  }
  const auto key = [](const RowRef& row) { return std::tuple(row.table, row.id.size(), row.id); };
  std::sort(touched.begin(), touched.end(),
            [&](const RowRef& a, const RowRef& b) { return key(a) < key(b); });
  const auto end = std::unique(touched.begin(), touched.end(),
                               [&](const RowRef& a, const RowRef& b) { return key(a) == key(b); });
  touched.erase(end, touched.end());
  return touched;
}

void pack_snapshot(const Snapshot& snapshot, Packer& packer) {
  packer.put_signed(snapshot.time_us);
  pack_whole(snapshot.counters, packer);
  Snapshot::each_table(snapshot, [&](const char*, const auto& table) {
    packer.put_number(table.size());
    for (const auto& [id, row] : table) {
      packer.forget_strings();
      packer.put_string(id);
      pack_whole(row, packer);
    }
  });
}

namespace {

template <class Row>
void unpack_table(Table<Row>& table, Unpacker& unpacker) {
  const auto is_before = table.key_comp();
  auto at = table.begin();
  for (uint64_t left = unpacker.number(); left > 0; --left) {
    // Ids were written in their order.
    const std::string_view id = unpacker.string();
    while (at != table.end() && is_before(at->first, id)) at = table.erase(at);
    if (at == table.end() || at->first != id) {
      at = table.emplace_hint(at, std::string(id), Row{});
    } else {
      at->second = Row{};
    }
    unpack_changes(at->second, unpacker);
    ++at;
  }
  table.erase(at, table.end());
}

}  // namespace

void unpack_snapshot(Snapshot& snapshot, Unpacker& unpacker) {
  snapshot.time_us = unpacker.signed_number();
  snapshot.counters = {};
  unpack_changes(snapshot.counters, unpacker);
  Snapshot::each_table(snapshot, [&](const char*, auto& table) { unpack_table(table, unpacker); });
}

}  // namespace lockstep::trace
