// The tree of znodes as the transactions that were committed make it. It mirrors what the server does when
// it applies them (DataTree, 3.8), for the parts that a trace shows.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "live/txnlog.h"
#include "recipes/zookeeper.h"

namespace lockstep::live {

struct Znode {
  std::string data;
  zk::Stat stat;                 ///< but for cversion and num_children, which follow:
  int32_t children_created = 0;  ///< the server's own count, from which sequence numbers come
};

/// What a transaction did.
struct TreeChange {
  std::vector<std::string> created;
  std::vector<std::string> deleted;
  std::vector<std::string> changed;  ///< data set, or a child came or went
};

class Truth {
 public:
  TreeChange apply(const Txn& txn);

  zk::Zxid zxid() const { return zxid_; }
  const std::map<std::string, Znode>& nodes() const { return nodes_; }
  bool has(const std::string& path) const { return nodes_.count(path) > 0; }
  /// As a client would be told it; requires has(path).
  zk::Stat stat_of(const std::string& path) const;
  std::vector<std::string> ephemerals_of(zk::SessionId session) const;

 private:
  void create(const Txn& txn, TreeChange& change);
  void remove(const std::string& path, zk::Zxid zxid, TreeChange& change);
  void set_data(const Txn& txn, TreeChange& change);

  std::map<std::string, Znode> nodes_;  // nodes that were there before the log began are not here
  zk::Zxid zxid_ = 0;
};

}  // namespace lockstep::live
