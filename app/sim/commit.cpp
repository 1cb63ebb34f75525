// From a proposal in a log to what clients see of it.
#include <algorithm>

#include "sim/ensemble.h"

namespace lockstep::sim {
namespace {

using trace::EventData;
using trace::EventKind;
using trace::SessionLife;

/// What was applied and committed long ago is cut off at the log's beginning.
void trim(Log& log, zk::Zxid applied) {
  while (log.txns.size() > kLogKept && log.txns.front()->zxid <= applied) log.base = log.txns.pop()->zxid;
}

void tell_session(World& world, const Txn& txn, const std::vector<Done>& changes, EventData& data) {
  const Session& session = world.sessions[txn.session];
  data.session = session_name(world, session);
  data.peer = world.scenario->clients[session.client].id;
  data.zxid = txn.zxid;
  if (!changes.empty()) data.path = changes.front().path;
}

/// What has been committed, as the truth: it happens once, wherever it is applied first.
int64_t commit(World& world, uint32_t server, const Txn& txn, const std::vector<Done>& changes, int64_t cause,
               Effects& fx) {
  const Lane lane{LaneKind::kServer, server};
  for (const Done& change : changes) {
    fx.touch_znode(change.path);
    fx.touch_znode(zk::parent_of(change.path));
  }
  switch (txn.kind) {
    case TxnKind::kCreateSession:
      world.sessions[txn.session].opened = true;
      fx.touch_session(txn.session);
      return fx.emit(lane, EventKind::kSessionOpened, cause, [&](EventData& data) {
        tell_session(world, txn, changes, data);
        data.value = world.sessions[txn.session].timeout_us;
      });
    case TxnKind::kCloseSession:
      world.sessions[txn.session].life = txn.expired ? SessionLife::kExpired : SessionLife::kClosed;
      world.sessions[txn.session].ended_us = world.now_us;
      fx.touch_session(txn.session);
      return fx.emit(lane, txn.expired ? EventKind::kSessionExpired : EventKind::kSessionClosed, cause,
                     [&](EventData& data) { tell_session(world, txn, changes, data); });
    case TxnKind::kWrite:
    case TxnKind::kError: break;
  }
  const bool failed = txn.kind == TxnKind::kError;
  return fx.emit(lane, failed ? EventKind::kFailedRequest : EventKind::kCommitted, cause, [&](EventData& data) {
    data.what = zk::name_of(txn.request.op);
    data.path = txn.path;
    data.zxid = txn.zxid;
    if (failed) data.error = zk::name_of(txn.error);
    if (txn.session == kNoSession) return;
    const Session& session = world.sessions[txn.session];
    data.peer = world.scenario->clients[session.client].id;
    if (!failed) data.session = session_name(world, session);
  });
}

int64_t tell_applied(uint32_t server, const Txn& txn, const std::vector<Done>& changes,
                     int64_t cause, Effects& fx) {
  return fx.emit({LaneKind::kServer, server}, EventKind::kApplied, cause, [&](EventData& data) {
    data.what = what_of(txn);
    if (!changes.empty()) data.path = changes.front().path;
    data.zxid = txn.zxid;
  });
}

/// The session's connection here, if it is attached to this server.
bool is_attached(const Server& server, uint32_t client, uint32_t session) {
  const ServerConnection& connection = server.connections[client];
  return connection.open && connection.established && connection.session == session;
}

}  // namespace

int64_t write_to_log(World& world, uint32_t server, const Shared<Txn>& txn, int64_t cause, Effects& fx) {
  Log& log = member_of(world, server).log;
  log.txns.push_back(Shared<Txn>(txn));
  trim(log, world.servers[server].database.zxid);
  fx.touch_server(server);
  return fx.emit({LaneKind::kServer, server}, EventKind::kLogged, cause, [&](EventData& data) {
    data.what = what_of(*txn);
    data.path = txn->path;
    data.zxid = txn->zxid;
  });
}

void apply_log(World& world, uint32_t server, zk::Zxid zxid, int64_t cause, Effects& fx) {
  const Fifo<Shared<Txn>>& txns = member_of(world, server).log.txns;
  const auto later = [](zk::Zxid known, const Shared<Txn>& txn) { return known < txn->zxid; };
  const auto first = std::upper_bound(txns.begin(), txns.end(), world.servers[server].database.zxid, later);
  std::vector<Shared<Txn>> due;
  for (auto txn = first; txn != txns.end() && (*txn)->zxid <= zxid; ++txn) due.push_back(*txn);
  for (const Shared<Txn>& txn : due) apply_txn(world, server, *txn, cause, fx);
}

void apply_txn(World& world, uint32_t server, const Txn& txn, int64_t cause, Effects& fx) {
  const zk::SessionId id = id_of(world, txn);
  const bool alone = is_alone(world);
  Applied outcome = sim::apply(world.servers[server].database, txn, id);
  const std::vector<Done>& changes = outcome.done;
  const bool first = alone || txn.zxid > world.committed.zxid;
  if (first && !alone) (void)sim::apply(world.committed, txn, id);
  plan_container_check(world, server);
  fx.touch_server(server);
  if (txn.kind == TxnKind::kCreateSession && gives_zxids(world, server)) {
    track_session(world, server, txn.session, txn.origin.server, cause, fx);
  }
  if (txn.kind == TxnKind::kCloseSession) untrack_session(world, server, txn.session, fx);
  const int64_t applied = first ? commit(world, server, txn, changes, cause, fx)
                                : tell_applied(server, txn, changes, cause, fx);
  for (const Done& change : changes) fire_for(world, server, change, applied, fx);
  if (txn.kind == TxnKind::kCloseSession) {
    const uint32_t client = world.sessions[txn.session].client;
    if (is_attached(world.servers[server], client, txn.session)) {
      close_connection(world, server, client, true, applied, fx);
    }
  }
  if (txn.awaited && txn.origin.server == server) answer(world, server, txn, std::move(outcome.reply), applied, fx);
}

}  // namespace lockstep::sim
