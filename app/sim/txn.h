// A transaction: a change that a leader (or a server alone) has given a zxid. What it does is settled when it
// is prepared, so that every server that applies it comes to the same state.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "recipes/fields.h"
#include "recipes/zookeeper.h"

namespace lockstep::sim {

enum class TxnKind : uint8_t {
  kCreateSession,
  kCloseSession,
  kWrite,  ///< create, delete, setData, setACL, and several of them in a multi
  kError,  ///< a write that was refused: it changes nothing, but takes a zxid
};

/// One change to one node: names are final, versions the new ones, as in the server's CreateTxn, SetDataTxn and
/// their like.
struct Change {
  zk::Op op = zk::Op::kCheck;  // kCreate, kDelete, kSetData, kSetAcl; kCheck changes nothing
  std::string path = {};
  std::string data = {};                              // create, setData
  zk::CreateMode mode = zk::CreateMode::kPersistent;  // create
  int32_t version = 0;            // setData, setACL: the node's new one
  int32_t parent_creates = 0;     // create: the parent's new count of children ever created
  std::vector<zk::Acl> acl = {};  // create, setACL: as the node keeps it

  bool operator==(const Change&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("op", self.op);
    visit("path", self.path);
    visit("data", self.data);
    visit("mode", self.mode);
    visit("version", self.version);
    visit("parent_creates", self.parent_creates);
    visit("acl", self.acl);
  }
};

/// Who waits for the outcome: a request on a client's connection to a server.
struct Origin {
  uint32_t server = 0;
  uint32_t client = 0;
  uint32_t connection = 0;
  int32_t xid = 0;

  bool operator==(const Origin&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("server", self.server);
    visit("client", self.client);
    visit("connection", self.connection);
    visit("xid", self.xid);
  }
};

constexpr uint32_t kNoSession = UINT32_MAX;

struct Txn {
  TxnKind kind = TxnKind::kError;
  zk::Zxid zxid = 0;
  TimeUs time_us = 0;  ///< when it was prepared
  uint32_t session = 0;  ///< index in World::sessions: whose it is; kNoSession: the server's own
  zk::Request request;   ///< kWrite, kError
  std::string path;      ///< kWrite: the final name
  std::vector<Change> changes;       ///< kWrite, in their order
  zk::Error error = zk::Error::kOk;  ///< kError
  uint32_t failed = 0;               ///< kError: which operation of a multi
  bool expired = false;  ///< kCloseSession: by expiry, not by closing
  bool awaited = false;  ///< somebody waits for its outcome
  Origin origin;         ///< who, if so

  bool operator==(const Txn&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("kind", self.kind);
    visit("zxid", self.zxid);
    visit("time_us", self.time_us);
    visit("session", self.session);
    visit("request", self.request);
    visit("path", self.path);
    visit("changes", self.changes);
    visit("failed", self.failed);
    visit("error", self.error);
    visit("expired", self.expired);
    visit("awaited", self.awaited);
    visit("origin", self.origin);
  }
};

/// "create", "closeSession", "error".
std::string_view what_of(const Txn& txn);

/// A zxid's two halves.
constexpr int32_t epoch_of(zk::Zxid zxid) { return static_cast<int32_t>(zxid >> 32); }
constexpr zk::Zxid first_zxid(int32_t epoch) { return static_cast<zk::Zxid>(epoch) << 32; }

}  // namespace lockstep::sim
