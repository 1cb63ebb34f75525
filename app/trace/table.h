// A table of a snapshot: rows by id, in the order of their ids, shorter ids first ("A", "B", "AA"; "2"
// before "10"). Nothing in a snapshot is addressed by its position.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace lockstep::trace {

struct ShorterFirst {
  using is_transparent = void;
  bool operator()(std::string_view a, std::string_view b) const {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  }
};

template <class Row>
using Table = std::map<std::string, Row, ShorterFirst>;

/// The row with this id, or nullptr.
template <class Row>
const Row* find(const Table<Row>& table, std::string_view id) {
  const auto found = table.find(id);
  return found == table.end() ? nullptr : &found->second;
}
template <class Row>
Row* find(Table<Row>& table, std::string_view id) {
  const auto found = table.find(id);
  return found == table.end() ? nullptr : &found->second;
}

}  // namespace lockstep::trace
