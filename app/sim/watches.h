// The watches of one server: one-shot registrations by (connection, path, table), which vanish with the
// connection. A client has at most one connection to a server, so its number stands for the connection.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "recipes/fields.h"
#include "trace/snapshot.h"

namespace lockstep::sim {

using trace::WatchTable;

class Watches {
 public:
  /// Registering again changes nothing.
  void add(uint32_t client, WatchTable table, const std::string& path);
  bool has(uint32_t client, WatchTable table, const std::string& path) const;

  /// The clients that watch `path` in `table`, by number.
  std::vector<uint32_t> watchers(WatchTable table, const std::string& path) const;
  /// Removes one registration, if it is there.
  bool remove(uint32_t client, WatchTable table, const std::string& path);
  /// Removes all registrations of a connection that ended, and returns them.
  std::vector<std::pair<WatchTable, std::string>> drop(uint32_t client);

  /// All registrations, by table and path.
  const std::map<std::pair<WatchTable, std::string>, std::set<uint32_t>>& all() const { return by_path_; }

  bool operator==(const Watches&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("by_path", self.by_path_);
  }

 private:
  using Key = std::pair<WatchTable, std::string>;
  std::map<Key, std::set<uint32_t>> by_path_;
  std::map<uint32_t, std::set<Key>> by_client_;  // the same, the other way round
};

}  // namespace lockstep::sim
