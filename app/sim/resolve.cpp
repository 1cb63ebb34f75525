#include "sim/resolve.h"

#include <map>

#include "recipes/paths.h"

namespace lockstep::sim {
namespace {

int32_t plus_one(int32_t number) { return static_cast<int32_t>(static_cast<uint32_t>(number) + 1u); }

bool is_wrong_version(int32_t actual, int32_t expected) { return expected != -1 && expected != actual; }

/// A node as it will be, as far as the next write is judged by it.
struct ChangeRecord {
  bool exists = false;
  int32_t version = 0;
  int32_t aversion = 0;
  int32_t creates = 0;  // goes on beyond 2147483647 into negatives, though the tree's does not
  int32_t children = 0;
  zk::SessionId ephemeral_owner = 0;
  Acls acl = {};
};

/// Operations on their way to being changes. Each is judged by what those before it will have changed.
class Resolution {
 public:
  Resolution(const DataTree& tree, const Asker& asker) : tree_(tree), asker_(asker) {}

  /// Adds the change to `changes` if the answer is kOk. `path` receives what the name came to.
  zk::Error add(const zk::Request& request, std::string& path, std::vector<Change>& changes) {
    path = request.path;
    switch (request.op) {
      case zk::Op::kCreate: return create(request, path, changes);
      case zk::Op::kDelete: return remove(request, changes);
      case zk::Op::kSetData: return set_data(request, changes);
      case zk::Op::kCheck: return check(request, changes);
      case zk::Op::kSetAcl: return set_acl(request, changes);
      case zk::Op::kExists:
      case zk::Op::kGetData:
      case zk::Op::kGetChildren:
      case zk::Op::kSync:
      case zk::Op::kMulti:
      case zk::Op::kGetAcl:
      case zk::Op::kAddAuth: break;
    }
    return zk::Error::kUnimplemented;
  }

 private:
  ChangeRecord record_of(const std::string& path) const {
    if (const auto changed = changed_.find(path); changed != changed_.end()) return changed->second;
    const Znode* node = tree_.find(path);
    if (node == nullptr) return {};
    return {.exists = true,
            .version = node->stat.version,
            .aversion = node->stat.aversion,
            .creates = node->creates,
            .children = static_cast<int32_t>(node->children.size()),
            .ephemeral_owner = node->stat.ephemeral_owner,
            .acl = node->acl};
  }
  void put(const std::string& path, ChangeRecord record) { changed_[path] = std::move(record); }

  zk::Error create(const zk::Request& request, std::string& path, std::vector<Change>& changes) {
    if (zk::has_ttl(request.mode)) return zk::Error::kUnimplemented;
    if (path.find('/') == std::string::npos) return zk::Error::kBadArguments;
    const std::string parent_path = zk::parent_of(path);
    Acls acl;
    if (!fix_up(request.acl, asker_.ids, acl)) return zk::Error::kInvalidAcl;
    ChangeRecord parent = record_of(parent_path);
    if (!parent.exists) return zk::Error::kNoNode;
    if (!allows(parent.acl, zk::kPermCreate, asker_.ids)) return zk::Error::kNoAuth;
    if (zk::is_sequential(request.mode)) path += zk::sequence_suffix(parent.creates);
    if (!zk::is_valid_path(path)) return zk::Error::kBadArguments;
    if (record_of(path).exists) return zk::Error::kNodeExists;
    if (parent.ephemeral_owner != 0) return zk::Error::kNoChildrenForEphemerals;
    parent.creates = plus_one(parent.creates);
    ++parent.children;
    changes.push_back({.op = request.op,
                       .path = path,
                       .data = request.data,
                       .mode = request.mode,
                       .parent_creates = parent.creates,
                       .acl = acl});
    put(parent_path, parent);
    put(path, {.exists = true,
               .ephemeral_owner = zk::is_ephemeral(request.mode) ? asker_.session : 0,
               .acl = std::move(acl)});
    return zk::Error::kOk;
  }

  zk::Error remove(const zk::Request& request, std::vector<Change>& changes) {
    const std::string& path = request.path;
    if (path.find('/') == std::string::npos || path == "/") return zk::Error::kBadArguments;
    const std::string parent_path = zk::parent_of(path);
    ChangeRecord parent = record_of(parent_path);
    if (!parent.exists) return zk::Error::kNoNode;
    if (!allows(parent.acl, zk::kPermDelete, asker_.ids)) return zk::Error::kNoAuth;
    const ChangeRecord node = record_of(path);
    if (!node.exists) return zk::Error::kNoNode;
    if (is_wrong_version(node.version, request.version)) return zk::Error::kBadVersion;
    if (node.children > 0) return zk::Error::kNotEmpty;
    --parent.children;
    changes.push_back({.op = request.op, .path = path});
    put(parent_path, parent);
    put(path, {});
    return zk::Error::kOk;
  }

  zk::Error set_data(const zk::Request& request, std::vector<Change>& changes) {
    ChangeRecord node;
    const zk::Error error = versioned(request, zk::kPermWrite, node);
    if (error != zk::Error::kOk) return error;
    node.version = plus_one(node.version);
    changes.push_back(
        {.op = request.op, .path = request.path, .data = request.data, .version = node.version});
    put(request.path, node);
    return zk::Error::kOk;
  }

  zk::Error check(const zk::Request& request, std::vector<Change>& changes) {
    ChangeRecord node;
    const zk::Error error = versioned(request, zk::kPermRead, node);
    if (error == zk::Error::kOk) changes.push_back({.op = request.op, .path = request.path});
    return error;
  }

  zk::Error set_acl(const zk::Request& request, std::vector<Change>& changes) {
    if (!zk::is_valid_path(request.path)) return zk::Error::kBadArguments;
    Acls acl;
    if (!fix_up(request.acl, asker_.ids, acl)) return zk::Error::kInvalidAcl;
    ChangeRecord node = record_of(request.path);
    if (!node.exists) return zk::Error::kNoNode;
    if (!allows(node.acl, zk::kPermAdmin, asker_.ids)) return zk::Error::kNoAuth;
    if (is_wrong_version(node.aversion, request.version)) return zk::Error::kBadVersion;
    node.aversion = plus_one(node.aversion);
    changes.push_back(
        {.op = request.op, .path = request.path, .version = node.aversion, .acl = std::move(acl)});
    put(request.path, node);
    return zk::Error::kOk;
  }

  /// What setData and check ask of a node.
  zk::Error versioned(const zk::Request& request, int32_t perms, ChangeRecord& node) const {
    if (!zk::is_valid_path(request.path)) return zk::Error::kBadArguments;
    node = record_of(request.path);
    if (!node.exists) return zk::Error::kNoNode;
    if (!allows(node.acl, perms, asker_.ids)) return zk::Error::kNoAuth;
    return is_wrong_version(node.version, request.version) ? zk::Error::kBadVersion : zk::Error::kOk;
  }

  const DataTree& tree_;
  const Asker& asker_;
  std::map<std::string, ChangeRecord> changed_;
};

void resolve_multi(Resolution& resolution, const zk::Request& request, Resolved& resolved) {
  resolved.path = request.path;
  std::string path;
  for (const zk::Request& op : request.ops) {
    resolved.error = resolution.add(op, path, resolved.changes);
    if (resolved.error != zk::Error::kOk) return;
    ++resolved.failed;
  }
}

}  // namespace

Resolved resolve(const DataTree& tree, const zk::Request& request, const Asker& asker) {
  Resolved resolved;
  Resolution resolution(tree, asker);
  if (request.op == zk::Op::kMulti) {
    resolve_multi(resolution, request, resolved);
  } else {
    resolved.error = resolution.add(request, resolved.path, resolved.changes);
  }
  if (resolved.error != zk::Error::kOk) resolved.changes.clear();
  return resolved;
}

Resolved resolve_container_removal(const DataTree& tree, const std::string& path) {
  Resolved resolved{.path = path};
  const Znode* node = tree.find(path);
  if (node == nullptr) {
    resolved.error = zk::Error::kNoNode;
  } else if (!node->children.empty()) {
    resolved.error = zk::Error::kNotEmpty;
  } else if (!node->container) {
    resolved.error = zk::Error::kBadVersion;
  } else {
    resolved.changes = {{.op = zk::Op::kDelete, .path = path}};
  }
  return resolved;
}

zk::Reply refusal(const zk::Request& request, zk::Error error, const std::string& path, uint32_t failed) {
  zk::Reply reply;
  reply.error = error;
  reply.path = path;
  for (size_t op = 0; op < request.ops.size(); ++op) {
    zk::OpResult& result = reply.results.emplace_back();
    if (op == failed) result.error = error;
    if (op > failed) result.error = zk::Error::kRuntimeInconsistency;
  }
  return reply;
}

}  // namespace lockstep::sim
