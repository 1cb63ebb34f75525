#include "sim/tree.h"

#include <limits>

#include "recipes/bug.h"

namespace lockstep::sim {
namespace {

bool is_valid_path(const std::string& path) {
  if (path.empty() || path.front() != '/') return false;
  if (path == "/") return true;
  return path.back() != '/' && path.find("//") == std::string::npos;
}

}  // namespace

DataTree::DataTree() { nodes_["/"]; }

const Znode* DataTree::find(const std::string& path) const {
  const auto found = nodes_.find(path);
  return found == nodes_.end() ? nullptr : &found->second;
}

zk::Error DataTree::check(const zk::Request& request, std::string& path) const {
  path = request.path;
  if (request.op == zk::Op::kCreate) return check_create(request, path);
  if (!is_valid_path(path)) return zk::Error::kBadArguments;
  const Znode* node = find(path);
  if (node == nullptr) return zk::Error::kNoNode;
  const bool versioned = request.op == zk::Op::kDelete || request.op == zk::Op::kSetData;
  if (versioned && request.version != -1 && request.version != node->stat.version) {
    return zk::Error::kBadVersion;
  }
  if (request.op == zk::Op::kDelete && !node->children.empty()) return zk::Error::kNotEmpty;
  return zk::Error::kOk;
}

zk::Error DataTree::check_create(const zk::Request& request, std::string& path) const {
  // A sequential name may end in a slash: the number is then the whole name.
  const bool bare_number = zk::is_sequential(request.mode) && path.size() > 1 && path.back() == '/';
  if (!is_valid_path(bare_number ? path + "0" : path) || path == "/") return zk::Error::kBadArguments;
  const Znode* parent = find(zk::parent_of(path));
  if (parent == nullptr) return zk::Error::kNoNode;
  if (zk::is_sequential(request.mode)) path += zk::sequence_suffix(parent->creates);
  if (find(path) != nullptr) return zk::Error::kNodeExists;
  if (parent->stat.ephemeral_owner != 0) return zk::Error::kNoChildrenForEphemerals;
  return zk::Error::kOk;
}

void DataTree::apply(const zk::Request& request, const std::string& path, const Stamp& stamp) {
  switch (request.op) {
    case zk::Op::kCreate: return create(request, path, stamp);
    case zk::Op::kDelete: return remove(path, stamp.zxid);
    case zk::Op::kSetData: {
      Znode& node = nodes_.at(path);
      node.data = request.data;
      node.stat.mzxid = stamp.zxid;
      node.stat.mtime = stamp.time_us / kMillisecond;
      ++node.stat.version;
      return;
    }
    case zk::Op::kExists:
    case zk::Op::kGetData:
    case zk::Op::kGetChildren:
    case zk::Op::kSync: return;
  }
}

void DataTree::create(const zk::Request& request, const std::string& path, const Stamp& stamp) {
  require(find(path) == nullptr, "a create was applied that check() had not allowed");
  Znode& parent = nodes_.at(zk::parent_of(path));
  if (parent.creates < std::numeric_limits<int32_t>::max()) {  // else it sticks, and pzxid with it
    ++parent.creates;
    parent.stat.pzxid = stamp.zxid;
  }
  const std::string name(zk::name_in(path));
  parent.children.insert(name);
  parent.by_age.emplace(stamp.zxid, name);
  Znode& node = nodes_[path];
  node.data = request.data;
  node.stat.czxid = node.stat.mzxid = node.stat.pzxid = stamp.zxid;
  node.stat.ctime = node.stat.mtime = stamp.time_us / kMillisecond;
  if (zk::is_ephemeral(request.mode)) {
    node.stat.ephemeral_owner = stamp.session;
    ephemerals_[stamp.session].insert(path);
  }
}

void DataTree::remove(const std::string& path, zk::Zxid zxid) {
  const auto found = nodes_.find(path);
  require(found != nodes_.end() && found->second.children.empty(),
          "a delete was applied that check() had not allowed");
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

std::vector<std::string> DataTree::ephemerals_of(zk::SessionId session) const {
  const auto owned = ephemerals_.find(session);
  if (owned == ephemerals_.end()) return {};
  return {owned->second.begin(), owned->second.end()};
}

}  // namespace lockstep::sim
