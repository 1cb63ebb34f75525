#include "sim/database.h"

#include <algorithm>

#include "sim/resolve.h"

namespace lockstep::sim {
namespace {

std::vector<Done> close_session(Database& database, const Txn& txn, zk::SessionId id) {
  if (txn.session < database.sessions.size()) database.sessions[txn.session] = 0;
  std::vector<std::string> paths = database.tree.ephemerals_of(id);
  // The server promises no order for these events; they come in hash order.
  std::sort(paths.begin(), paths.end(), [](const std::string& a, const std::string& b) {
    return std::pair(hash_of(a), a) < std::pair(hash_of(b), b);
  });
  std::vector<Done> done;
  for (std::string& path : paths) {
    Readers readers = database.tree.readers_of(path);
    database.tree.remove(path, txn.zxid);
    done.push_back({zk::Op::kDelete, std::move(path), std::move(readers)});
  }
  return done;
}

/// A Stat is what the node is just then: the next change of the same transaction may change it again. A create
/// inside a multi is told without one.
void tell(const DataTree& tree, const Change& change, bool inside_multi, zk::Reply& reply) {
  const bool creates = change.op == zk::Op::kCreate;
  const bool has_stat =
      change.op == zk::Op::kSetData || change.op == zk::Op::kSetAcl || (creates && !inside_multi);
  const zk::Stat stat = has_stat ? tree.stat_of(change.path) : zk::Stat{};
  if (inside_multi) {
    reply.results.push_back({.path = creates ? change.path : std::string(), .stat = stat});
  } else {
    reply.path = change.path;
    reply.stat = stat;
  }
}

Applied write(Database& database, const Txn& txn, zk::SessionId id) {
  Applied applied;
  for (const Change& change : txn.changes) {
    const bool goes = change.op == zk::Op::kDelete;
    Readers readers = goes ? database.tree.readers_of(change.path) : Readers{};
    database.tree.apply(change, {.zxid = txn.zxid, .time_us = txn.time_us, .session = id});
    if (!goes) readers = database.tree.readers_of(change.path);
    applied.done.push_back({change.op, change.path, std::move(readers)});
    tell(database.tree, change, txn.request.op == zk::Op::kMulti, applied.reply);
  }
  return applied;
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

Applied apply(Database& database, const Txn& txn, zk::SessionId id) {
  database.zxid = txn.zxid;
  switch (txn.kind) {
    case TxnKind::kCreateSession:
      if (database.sessions.size() <= txn.session) database.sessions.resize(txn.session + 1, 0);
      database.sessions[txn.session] = 1;
      return {};
    case TxnKind::kCloseSession: return {.done = close_session(database, txn, id), .reply = {}};
    case TxnKind::kWrite: return write(database, txn, id);
    case TxnKind::kError:
      return {.done = {}, .reply = refusal(txn.request, txn.error, txn.path, txn.failed)};
  }
  return {};
}

}  // namespace lockstep::sim
