#include "sim/database.h"

#include <algorithm>

namespace lockstep::sim {
namespace {

std::vector<Change> close_session(Database& database, const Txn& txn, zk::SessionId id) {
  if (txn.session < database.sessions.size()) database.sessions[txn.session] = 0;
  std::vector<std::string> paths = database.tree.ephemerals_of(id);
  // The server promises no order for these events; they come in hash order.
  std::sort(paths.begin(), paths.end(), [](const std::string& a, const std::string& b) {
    return std::pair(hash_of(a), a) < std::pair(hash_of(b), b);
  });
  std::vector<Change> changes;
  for (std::string& path : paths) {
    database.tree.remove(path, txn.zxid);
    changes.push_back({zk::Op::kDelete, std::move(path)});
  }
  return changes;
}

}  // namespace

std::string_view what_of(const Txn& txn) {
  switch (txn.kind) {
    case TxnKind::kCreateSession: return "createSession";
    case TxnKind::kCloseSession: return "closeSession";
    case TxnKind::kWrite: return zk::name_of(txn.request.op);
    case TxnKind::kError: return "error";
  }
  return {};
}

std::vector<Change> apply(Database& database, const Txn& txn, zk::SessionId id) {
  database.zxid = txn.zxid;
  switch (txn.kind) {
    case TxnKind::kCreateSession:
      if (database.sessions.size() <= txn.session) database.sessions.resize(txn.session + 1, 0);
      database.sessions[txn.session] = 1;
      return {};
    case TxnKind::kCloseSession: return close_session(database, txn, id);
    case TxnKind::kWrite:
      database.tree.apply(txn.request, txn.path, {.zxid = txn.zxid, .time_us = txn.time_us, .session = id});
      return {{txn.request.op, txn.path}};
    case TxnKind::kError: return {};
  }
  return {};
}

}  // namespace lockstep::sim
