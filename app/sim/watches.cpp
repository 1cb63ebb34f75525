#include "sim/watches.h"

namespace lockstep::sim {

void Watches::add(uint32_t client, WatchTable table, const std::string& path) {
  by_path_[{table, path}].insert(client);
  by_client_[client].insert({table, path});
}

bool Watches::has(uint32_t client, WatchTable table, const std::string& path) const {
  const auto found = by_path_.find({table, path});
  return found != by_path_.end() && found->second.count(client) != 0;
}

std::vector<uint32_t> Watches::watchers(WatchTable table, const std::string& path) const {
  const auto found = by_path_.find({table, path});
  if (found == by_path_.end()) return {};
  return {found->second.begin(), found->second.end()};
}

bool Watches::remove(uint32_t client, WatchTable table, const std::string& path) {
  const auto found = by_path_.find({table, path});
  if (found == by_path_.end() || found->second.erase(client) == 0) return false;
  if (found->second.empty()) by_path_.erase(found);
  const auto own = by_client_.find(client);
  own->second.erase({table, path});
  if (own->second.empty()) by_client_.erase(own);
  return true;
}

std::vector<std::pair<WatchTable, std::string>> Watches::drop(uint32_t client) {
  const auto own = by_client_.find(client);
  if (own == by_client_.end()) return {};
  const std::vector<Key> keys(own->second.begin(), own->second.end());
  for (const Key& key : keys) remove(client, key.first, key.second);
  return keys;
}

}  // namespace lockstep::sim
