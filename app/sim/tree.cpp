#include "sim/tree.h"

#include <algorithm>

#include "recipes/bug.h"

namespace lockstep::sim {

DataTree::DataTree(bool numbers_go_on) : numbers_go_on_(numbers_go_on) { nodes_["/"]; }

void DataTree::count_creates(const std::string& path, int32_t creates) { nodes_.at(path).creates = creates; }

const Znode* DataTree::find(const std::string& path) const {
  const auto found = nodes_.find(path);
  return found == nodes_.end() ? nullptr : &found->second;
}

Readers DataTree::readers_of(const std::string& path) const {
  const Znode* node = find(path);
  const Znode* parent = find(zk::parent_of(path));
  return {node == nullptr ? std::vector<zk::Acl>{} : node->acl,
          parent == nullptr ? std::vector<zk::Acl>{} : parent->acl};
}

void DataTree::apply(const Change& change, const Stamp& stamp) {
  switch (change.op) {
    case zk::Op::kCreate: return create(change, stamp);
    case zk::Op::kDelete: return remove(change.path, stamp.zxid);
    case zk::Op::kSetData: {
      Znode& node = nodes_.at(change.path);
      node.data = change.data;
      node.stat.mzxid = stamp.zxid;
      node.stat.mtime = stamp.time_us / kMillisecond;
      node.stat.version = change.version;
      return;
    }
    case zk::Op::kSetAcl: {
      Znode& node = nodes_.at(change.path);
      node.acl = change.acl;
      node.stat.aversion = change.version;
      return;
    }
    case zk::Op::kCheck:
    case zk::Op::kExists:
    case zk::Op::kGetData:
    case zk::Op::kGetChildren:
    case zk::Op::kSync:
    case zk::Op::kMulti:
    case zk::Op::kGetAcl:
    case zk::Op::kAddAuth: return;
  }
}

void DataTree::create(const Change& change, const Stamp& stamp) {
  const std::string& path = change.path;
  require(find(path) == nullptr, "a create was applied that resolve() had not allowed");
  Znode& parent = nodes_.at(zk::parent_of(path));
  if (numbers_go_on_ || change.parent_creates > parent.creates) {  // else it sticks, and pzxid with it
    parent.creates = change.parent_creates;
    parent.stat.pzxid = stamp.zxid;
  }
  const std::string name(zk::name_in(path));
  parent.children.insert(name);
  parent.by_age.emplace(stamp.zxid, name);
  Znode& node = nodes_[path];
  node.data = change.data;
  node.acl = change.acl;
  node.stat.czxid = node.stat.mzxid = node.stat.pzxid = stamp.zxid;
  node.stat.ctime = node.stat.mtime = stamp.time_us / kMillisecond;
  if (zk::is_ephemeral(change.mode)) {
    node.stat.ephemeral_owner = stamp.session;
    ephemerals_[stamp.session].insert(path);
  }
  node.container = change.mode == zk::CreateMode::kContainer;
  if (node.container) containers_.insert(path);
}

void DataTree::remove(const std::string& path, zk::Zxid zxid) {
  const auto found = nodes_.find(path);
  require(found != nodes_.end() && found->second.children.empty(),
          "a delete was applied that resolve() had not allowed");
  Znode& parent = nodes_.at(zk::parent_of(path));
  const std::string name(zk::name_in(path));
  parent.children.erase(name);
  parent.by_age.erase({found->second.stat.czxid, name});
  parent.stat.pzxid = zxid;
  const auto owned = ephemerals_.find(found->second.stat.ephemeral_owner);
  if (owned != ephemerals_.end()) {
    owned->second.erase(path);
    if (owned->second.empty()) ephemerals_.erase(owned);
  }
  if (found->second.container) containers_.erase(path);
  nodes_.erase(found);
}

zk::Stat DataTree::stat_of(const std::string& path) const {
  const Znode& node = nodes_.at(path);
  zk::Stat stat = node.stat;
  stat.num_children = static_cast<int32_t>(node.children.size());
  stat.data_length = static_cast<int32_t>(node.data.size());
  // Clients see creates and deletes counted alike: 2 * creates - children, in wrapping 32 bits.
  stat.cversion = static_cast<int32_t>(2u * static_cast<uint32_t>(node.creates) -
                                       static_cast<uint32_t>(stat.num_children));
  return stat;
}

const Names& DataTree::children_of(const std::string& path) const { return nodes_.at(path).children; }

std::string DataTree::oldest_child(const std::string& path) const {
  const Znode* node = find(path);
  return node == nullptr || node->by_age.empty() ? std::string() : node->by_age.begin()->second;
}

std::vector<std::string> DataTree::containers_to_delete() const {
  std::vector<std::string> paths;
  for (const std::string& path : containers_) {
    const Znode& node = nodes_.at(path);
    if (node.children.empty() && node.creates > 0) paths.push_back(path);
  }
  std::sort(paths.begin(), paths.end(), [](const std::string& a, const std::string& b) {
    return std::pair(hash_of(a), a) < std::pair(hash_of(b), b);
  });
  return paths;
}

std::vector<std::string> DataTree::ephemerals_of(zk::SessionId session) const {
  const auto owned = ephemerals_.find(session);
  if (owned == ephemerals_.end()) return {};
  return {owned->second.begin(), owned->second.end()};
}

}  // namespace lockstep::sim
