#include "live/truth.h"

#include <algorithm>

namespace lockstep::live {

TreeChange Truth::apply(const Txn& txn) {
  TreeChange change;
  zxid_ = std::max(zxid_, txn.zxid);
  switch (txn.kind) {
    case TxnKind::kCreate: create(txn, change); break;
    case TxnKind::kDelete: remove(txn.path, txn.zxid, change); break;
    case TxnKind::kSetData: set_data(txn, change); break;
    case TxnKind::kCloseSession:
      for (const std::string& path : ephemerals_of(txn.session)) remove(path, txn.zxid, change);
      break;
    case TxnKind::kCreateSession:
    case TxnKind::kError: break;
    case TxnKind::kOther:
      for (const Txn& part : txn.parts) {
        const TreeChange more = apply(part);
        change.created.insert(change.created.end(), more.created.begin(), more.created.end());
        change.deleted.insert(change.deleted.end(), more.deleted.begin(), more.deleted.end());
        change.changed.insert(change.changed.end(), more.changed.begin(), more.changed.end());
      }
      break;
  }
  return change;
}

void Truth::create(const Txn& txn, TreeChange& change) {
  Znode node;
  node.data = txn.data;
  node.stat.czxid = node.stat.mzxid = node.stat.pzxid = txn.zxid;
  node.stat.ctime = node.stat.mtime = txn.time_ms;
  node.stat.ephemeral_owner = txn.ephemeral ? txn.session : 0;
  node.stat.data_length = static_cast<int32_t>(txn.data.size());
  nodes_[txn.path] = std::move(node);
  change.created.push_back(txn.path);
  const auto parent = nodes_.find(zk::parent_of(txn.path));
  if (parent == nodes_.end()) return;
  int32_t& created = parent->second.children_created;
  const int32_t now = txn.parent_cversion == -1 ? created + 1 : txn.parent_cversion;
  if (now > created) {  // So it sticks at the largest number (ZOOKEEPER-3249).
    created = now;
    parent->second.stat.pzxid = txn.zxid;
  }
  change.changed.push_back(parent->first);
}

void Truth::remove(const std::string& path, zk::Zxid zxid, TreeChange& change) {
  if (nodes_.erase(path) == 0) return;
  change.deleted.push_back(path);
  const auto parent = nodes_.find(zk::parent_of(path));
  if (parent == nodes_.end()) return;
  parent->second.stat.pzxid = zxid;
  change.changed.push_back(parent->first);
}

void Truth::set_data(const Txn& txn, TreeChange& change) {
  const auto node = nodes_.find(txn.path);
  if (node == nodes_.end()) return;
  node->second.data = txn.data;
  node->second.stat.mzxid = txn.zxid;
  node->second.stat.mtime = txn.time_ms;
  node->second.stat.version = txn.version;
  node->second.stat.data_length = static_cast<int32_t>(txn.data.size());
  change.changed.push_back(txn.path);
}

zk::Stat Truth::stat_of(const std::string& path) const {
  const Znode& node = nodes_.at(path);
  zk::Stat stat = node.stat;
  const std::string prefix = path == "/" ? path : path + "/";
  for (auto child = nodes_.lower_bound(prefix);
       child != nodes_.end() && child->first.starts_with(prefix); ++child) {
    if (child->first.find('/', prefix.size()) == std::string::npos) ++stat.num_children;
  }
  stat.cversion = 2 * node.children_created - stat.num_children;
  return stat;
}

std::vector<std::string> Truth::ephemerals_of(zk::SessionId session) const {
  std::vector<std::string> paths;
  for (const auto& [path, node] : nodes_) {
    if (session != 0 && node.stat.ephemeral_owner == session) paths.push_back(path);
  }
  return paths;
}

}  // namespace lockstep::live
