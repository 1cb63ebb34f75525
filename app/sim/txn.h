// A transaction: a change that a leader (or a server alone) has given a zxid. What it does is settled when it
// is prepared, so that every server that applies it comes to the same state.
#pragma once

#include <cstdint>
#include <string>

#include "recipes/fields.h"
#include "recipes/zookeeper.h"

namespace lockstep::sim {

enum class TxnKind : uint8_t {
  kCreateSession,
  kCloseSession,
  kWrite,  ///< create, delete, setData
  kError,  ///< a write that was refused: it changes nothing, but takes a zxid
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

struct Txn {
  TxnKind kind = TxnKind::kError;
  zk::Zxid zxid = 0;
  TimeUs time_us = 0;  ///< when it was prepared
  uint32_t session = 0;  ///< index in World::sessions: whose it is
  zk::Request request;   ///< kWrite, kError
  std::string path;      ///< kWrite: the final name
  zk::Error error = zk::Error::kOk;  ///< kError
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
