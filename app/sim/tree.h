// The znode tree of one server: names, data, Stat, and the numbers behind sequential names.
//
// Rules (zookeeper.md A1, A2): a sequential name ends in the parent's count of creates so far, of any kind
// and name, which a delete does not change and a recreated parent starts anew; the count sticks at
// 2147483647, as in ZooKeeper 3.6 and later. Checks come in the server's order.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "recipes/fields.h"
#include "recipes/zookeeper.h"

namespace lockstep::sim {

struct Znode {
  std::string data;
  zk::Stat stat;                  // cversion and num_children are derived, see DataTree::stat_of
  int32_t creates = 0;            // children ever created here
  Names children;  // in an order that tells nothing, as a server's hash set lists them
  std::set<std::pair<zk::Zxid, std::string>> by_age;

  bool operator==(const Znode&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("data", self.data);
    visit("stat", self.stat);
    visit("creates", self.creates);
    visit("children", self.children);
    visit("by_age", self.by_age);
  }
};

/// When and as which transaction a write is applied.
struct Stamp {
  zk::Zxid zxid = 0;
  TimeUs time_us = 0;
  zk::SessionId session = 0;
};

class DataTree {
 public:
  DataTree();

  /// What `request` would end in now; kOk means that apply() succeeds. For a create, `path` receives the
  /// final name.
  zk::Error check(const zk::Request& request, std::string& path) const;
  /// Applies a write that check() allows; `path` as check() gave it.
  void apply(const zk::Request& request, const std::string& path, const Stamp& stamp);
  /// Deletes a node that has no children.
  void remove(const std::string& path, zk::Zxid zxid);

  const Znode* find(const std::string& path) const;
  /// The Stat as a client sees it; requires that the node exists.
  zk::Stat stat_of(const std::string& path) const;
  /// Names of the children; requires that the node exists.
  const Names& children_of(const std::string& path) const;
  /// Name of the oldest child, the first in any queue; empty if there is none.
  std::string oldest_child(const std::string& path) const;
  /// Full paths of the ephemerals of a session, in the order of their names.
  std::vector<std::string> ephemerals_of(zk::SessionId session) const;

  const std::map<std::string, Znode>& nodes() const { return nodes_; }

  bool operator==(const DataTree&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("nodes", self.nodes_);
    visit("ephemerals", self.ephemerals_);
  }

 private:
  zk::Error check_create(const zk::Request& request, std::string& path) const;
  void create(const zk::Request& request, const std::string& path, const Stamp& stamp);

  std::map<std::string, Znode> nodes_;
  std::map<zk::SessionId, std::set<std::string>> ephemerals_;
};

}  // namespace lockstep::sim
