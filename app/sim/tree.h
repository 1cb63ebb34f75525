// The znode tree of one server: names, data, Stat, and the numbers behind sequential names. It takes changes
// that were resolved before (resolve.h), and every replica that takes the same ones is the same.
//
// Rules (zookeeper.md A1): a node counts the creates below it, of any kind and name; a delete does not change
// the count, and a recreated node starts anew. The count sticks at 2147483647, as in ZooKeeper 3.6 and later;
// a tree can be told to let it go on into negatives, as is documented.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "recipes/fields.h"
#include "recipes/zookeeper.h"
#include "sim/txn.h"

namespace lockstep::sim {

struct Znode {
  std::string data;
  zk::Stat stat;                  // cversion and num_children are derived, see DataTree::stat_of
  int32_t creates = 0;            // children ever created here
  std::vector<zk::Acl> acl;       // empty: open to everybody (acl.h)
  bool container = false;
  Names children;  // in an order that tells nothing, as a server's hash set lists them
  std::set<std::pair<zk::Zxid, std::string>> by_age;

  bool operator==(const Znode&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("data", self.data);
    visit("stat", self.stat);
    visit("creates", self.creates);
    visit("acl", self.acl);
    visit("container", self.container);
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

/// Whom the events of a change may reach: the ACLs by which a server judges it, as they are just then.
struct Readers {
  std::vector<zk::Acl> node;
  std::vector<zk::Acl> parent;
};

class DataTree {
 public:
  DataTree() : DataTree(false) {}
  explicit DataTree(bool numbers_go_on);
  /// As if so many children of this node had been created and deleted.
  void count_creates(const std::string& path, int32_t creates);

  /// Applies one change.
  void apply(const Change& change, const Stamp& stamp);
  /// Deletes a node that has no children.
  void remove(const std::string& path, zk::Zxid zxid);

  const Znode* find(const std::string& path) const;
  Readers readers_of(const std::string& path) const;
  /// The Stat as a client sees it; requires that the node exists.
  zk::Stat stat_of(const std::string& path) const;
  /// Names of the children; requires that the node exists.
  const Names& children_of(const std::string& path) const;
  /// Name of the oldest child, the first in any queue; empty if there is none.
  std::string oldest_child(const std::string& path) const;
  /// Full paths of the ephemerals of a session, in the order of their names.
  std::vector<std::string> ephemerals_of(zk::SessionId session) const;

  /// Full paths of the containers that have had children and have none, in an order that tells nothing.
  std::vector<std::string> containers_to_delete() const;

  const std::map<std::string, Znode>& nodes() const { return nodes_; }

  bool operator==(const DataTree&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("nodes", self.nodes_);
    visit("ephemerals", self.ephemerals_);
    visit("containers", self.containers_);
    visit("numbers_go_on", self.numbers_go_on_);
  }

 private:
  void create(const Change& change, const Stamp& stamp);

  std::map<std::string, Znode> nodes_;
  std::map<zk::SessionId, std::set<std::string>> ephemerals_;
  std::set<std::string> containers_;
  bool numbers_go_on_ = false;
};

}  // namespace lockstep::sim
