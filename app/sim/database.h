// What all servers of an ensemble keep alike: the znode tree, and which sessions there are. Equal
// transactions in equal order make equal databases.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "recipes/fields.h"
#include "sim/tree.h"
#include "sim/txn.h"

namespace lockstep::sim {

struct Database {
  zk::Zxid zxid = 0;  // last applied
  DataTree tree;
  std::vector<uint8_t> sessions;  // by index in World::sessions: 1 if it lives

  bool has_session(uint32_t index) const { return index < sessions.size() && sessions[index] != 0; }

  bool operator==(const Database&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("zxid", self.zxid);
    visit("tree", self.tree);
    visit("sessions", self.sessions);
  }
};

/// What a transaction did to one node, and whom its events may reach.
struct Done {
  zk::Op op = zk::Op::kCreate;
  std::string path;
  Readers readers;
};

struct Applied {
  std::vector<Done> done;  // in the order in which its events are told
  zk::Reply reply;         // to whoever waits for it
};

/// Applies a transaction, which must be the next. `id` is that of the transaction's session.
Applied apply(Database& database, const Txn& txn, zk::SessionId id);

}  // namespace lockstep::sim
