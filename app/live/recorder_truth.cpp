// What ZooKeeper has committed, as events and rows: sessions, znodes, and the watches that fire.
#include <algorithm>
#include <utility>

#include "live/recorder.h"

namespace lockstep::live {
namespace {

using trace::EventKind;
using trace::SessionLife;
using trace::Snapshot;

std::string watch_key(const trace::WatchRow& row) {
  return row.session + " " + std::string(trace::name_of(row.table)) + " " + row.path;
}

std::string_view op_of(TxnKind kind) {
  switch (kind) {
    case TxnKind::kCreate: return "create";
    case TxnKind::kDelete: return "delete";
    case TxnKind::kSetData: return "setData";
    case TxnKind::kCreateSession: return "createSession";
    case TxnKind::kCloseSession: return "closeSession";
    case TxnKind::kError: return "error";
    case TxnKind::kOther: return "multi";
  }
  return "unknown";
}

}  // namespace

void Recorder::record(const Txn& seen) {
  const Txn txn = as_it_must_have_been(seen);
  const TreeChange change = truth_.apply(txn);
  servers_[leader_].zxid = std::max(servers_[leader_].zxid, txn.zxid);
  put_tree(change);
  switch (txn.kind) {
    case TxnKind::kCreateSession: return record_session_opened(txn);
    case TxnKind::kCloseSession: return record_session_ended(txn, change);
    case TxnKind::kError: return record_refused(txn);
    case TxnKind::kCreate:
    case TxnKind::kDelete:
    case TxnKind::kSetData:
    case TxnKind::kOther: return record_commit(txn, change);
  }
}

/// A sample tells that a node is gone, not why. If its owner could not have deleted it, then its session is
/// over.
Txn Recorder::as_it_must_have_been(const Txn& seen) const {
  Txn txn = seen;
  if (options_.source != trace::Source::kSampled || txn.kind != TxnKind::kDelete) return txn;
  const trace::ClientRow row = client_row(client_of(txn.session));
  const bool deletes =
      row.process == trace::Process::kRunning || row.process == trace::Process::kHung;
  if (deletes && row.connection == trace::Connection::kConnected) return txn;
  if (sessions_.count(txn.session) == 0) return txn;
  txn.kind = TxnKind::kCloseSession;
  txn.cxid = 0;
  return txn;
}

void Recorder::put_tree(const TreeChange& change) {
  const auto put = [&](const std::string& path) {
    if (!truth_.has(path)) return;
    const Znode& node = truth_.nodes().at(path);
    writer_.put(&Snapshot::znodes, path,
                trace::ZnodeRow{.data = node.data,
                                .stat = truth_.stat_of(path),
                                .owner = session_of(node.stat.ephemeral_owner)});
  };
  for (const std::string& path : change.deleted) writer_.erase(&Snapshot::znodes, path);
  for (const std::string& path : change.created) put(path);
  for (const std::string& path : change.changed) put(path);
}

// ---- Sessions ----------------------------------------------------------------------------------------

std::string Recorder::session_of(zk::SessionId session) const {
  const auto found = sessions_.find(session);
  return found == sessions_.end() ? "" : found->second;
}

std::string Recorder::client_of(zk::SessionId session) const {
  const std::string row = session_of(session);
  return row.substr(0, row.rfind('#'));
}

trace::SessionRow Recorder::session_row(const std::string& id) const {
  const trace::SessionRow* row = trace::find(trace_.last().sessions, id);
  return row ? *row : trace::SessionRow{};
}

/// The row of a session, made if it is new: "A#1", or "other#1" if it is no client's of ours.
std::string Recorder::open_session_row(zk::SessionId session, const std::string& client,
                                       TimeUs timeout_us) {
  const auto known = sessions_.find(session);
  if (known != sessions_.end()) return known->second;
  const std::string owner = client.empty() ? "other" : client;
  const std::string id = owner + "#" + std::to_string(++session_counts_[owner]);
  sessions_[session] = id;
  writer_.put(&Snapshot::sessions, id,
              trace::SessionRow{.client = client,
                                .session_id = session,
                                .timeout_us = timeout_us,
                                .heard_us = now_us_,
                                .expires_us = expiry_of(now_us_, timeout_us),
                                .server = served_by_[client]});
  return id;
}

void Recorder::record_session_opened(const Txn& txn) {
  const TimeUs timeout_us = txn.timeout_ms * kMillisecond;
  const std::string id = open_session_row(txn.session, "", timeout_us);
  trace::SessionRow row = session_row(id);
  row.timeout_us = timeout_us;  // The log knows it, whatever the client has said.
  row.expires_us = expiry_of(row.heard_us, timeout_us);
  writer_.put(&Snapshot::sessions, id, row);
  emit(EventKind::kSessionOpened, leader_,
       {.peer = client_of(txn.session),
        .session = id,
        .zxid = txn.zxid,
        .value = txn.timeout_ms * kMillisecond},
       trace::kNoEvent);
}

void Recorder::record_session_ended(const Txn& txn, const TreeChange& change) {
  const std::string id = session_of(txn.session);
  if (id.empty()) return;  // It began before we did.
  const bool expired = txn.cxid == 0;
  trace::SessionRow row = session_row(id);
  row.life = expired ? SessionLife::kExpired : SessionLife::kClosed;
  row.expires_us = now_us_;
  row.server.clear();
  writer_.put(&Snapshot::sessions, id, row);
  drop_watches(id);
  trace::EventData data = {.peer = row.client, .session = id, .zxid = txn.zxid};
  if (!change.deleted.empty()) data.path = change.deleted.front();
  const int64_t index = emit(expired ? EventKind::kSessionExpired : EventKind::kSessionClosed,
                             leader_, std::move(data), trace::kNoEvent);
  note(change, index);
  fire_watches(change, index);
}

/// The server expires a session a whole tick after it is due, by its own monotonic clock, which on one
/// machine is ours (ExpiryQueue.roundToNextInterval).
TimeUs Recorder::expiry_of(TimeUs heard_us, TimeUs timeout_us) const {
  const TimeUs tick = std::max<TimeUs>(kMillisecond, options_.scenario.tick_us);
  const TimeUs due = heard_us + options_.zero_us + timeout_us;
  return (due / tick + 1) * tick - options_.zero_us;
}

/// What the servers have heard since the last event shows with this one.
void Recorder::put_sessions_heard() {
  for (const auto& [session, id] : sessions_) {
    trace::SessionRow row = session_row(id);
    if (row.life != SessionLife::kLive || row.client.empty()) continue;
    const trace::ClientRow client = client_row(row.client);
    if (client.session != id) continue;  // It speaks for a newer one.
    const auto heard = heard_.find(row.client);
    const TimeUs time = heard == heard_.end() ? 0 : std::min(heard->second, now_us_);
    const std::string server = served_by_[row.client];
    if (time <= row.heard_us && server == row.server) continue;
    row.server = server;
    row.heard_us = std::max(row.heard_us, time);
    row.expires_us = expiry_of(row.heard_us, row.timeout_us);
    writer_.put(&Snapshot::sessions, id, row);
  }
}

// ---- Znodes ------------------------------------------------------------------------------------------

void Recorder::record_refused(const Txn& txn) {
  const std::string client = client_of(txn.session);
  const Causes& causes = causes_[client];
  emit(EventKind::kFailedRequest, leader_,
       {.what = causes.op,
        .path = causes.path,
        .peer = client,
        .session = session_of(txn.session),
        .error = std::string(zk::name_of(txn.error)),
        .zxid = txn.zxid},
       causes.step);
}

void Recorder::record_commit(const Txn& txn, const TreeChange& change) {
  if (change.created.empty() && change.deleted.empty() && change.changed.empty()) return;
  const std::string client = client_of(txn.session);
  const auto step = causes_.find(client);
  const int64_t index = emit(EventKind::kCommitted, leader_,
                             {.what = std::string(op_of(txn.kind)),
                              .path = txn.path,
                              .peer = client,
                              .session = session_of(txn.session),
                              .zxid = txn.zxid},
                             step == causes_.end() ? trace::kNoEvent : step->second.step);
  note(change, index);
  fire_watches(change, index);
}

/// Which event has made a node what it is.
void Recorder::note(const TreeChange& change, int64_t index) {
  for (const std::string& path : change.created) creations_[path] = index;
  for (const std::string& path : change.deleted) deletions_[path] = index;
  for (const std::string& path : change.changed) changes_[path] = index;
}

// ---- Watches -----------------------------------------------------------------------------------------

void Recorder::fire_watches(const TreeChange& change, int64_t cause) {
  using trace::WatchTable;
  using zk::WatchEventType;
  for (const std::string& path : change.created) {
    fire(WatchTable::kData, path, WatchEventType::kNodeCreated, cause);
    fire(WatchTable::kChildren, zk::parent_of(path), WatchEventType::kNodeChildrenChanged, cause);
  }
  for (const std::string& path : change.deleted) {
    fire(WatchTable::kData, path, WatchEventType::kNodeDeleted, cause);
    fire(WatchTable::kChildren, path, WatchEventType::kNodeDeleted, cause);
    fire(WatchTable::kChildren, zk::parent_of(path), WatchEventType::kNodeChildrenChanged, cause);
  }
  if (change.created.empty() && change.deleted.empty()) {
    for (const std::string& path : change.changed) {
      fire(WatchTable::kData, path, WatchEventType::kNodeDataChanged, cause);
    }
  }
}

void Recorder::fire(trace::WatchTable table, const std::string& path, zk::WatchEventType type,
                    int64_t cause) {
  std::vector<trace::WatchRow> fired;
  for (const auto& [key, row] : trace_.last().watches) {
    if (row.table == table && row.path == path) fired.push_back(row);
  }
  for (const trace::WatchRow& row : fired) fire(row, type, cause);
}

void Recorder::fire(const trace::WatchRow& row, zk::WatchEventType type, int64_t cause) {
  const std::string client = session_row(row.session).client;
  writer_.erase(&Snapshot::watches, watch_key(row));
  causes_[client].watch[row.path] =
      emit(EventKind::kWatchFired, leader_,
           {.what = std::string(zk::name_of(type)), .path = row.path, .peer = client}, cause);
}

/// A reply says that a watch is set.
void Recorder::arm_watch(const std::string& client, const ClientReport& report) {
  const std::string session = client_row(client).session;
  if (session_row(session).life != SessionLife::kLive) return;
  arm({.session = session,
       .table = report.watch_table,
       .path = report.watch_path,
       .server = served_by_[client]},
      report.data.zxid);
}

/// By the time we hear of a watch, its node may be gone, or no more what the reply has shown: then the watch has fired,
/// with that change.
void Recorder::arm(const trace::WatchRow& row, zk::Zxid shown) {
  const bool of_children = row.table == trace::WatchTable::kChildren;
  writer_.put(&Snapshot::watches, watch_key(row), row);
  if (!truth_.has(row.path)) {
    const auto gone = deletions_.find(row.path);
    if (gone != deletions_.end()) fire(row, zk::WatchEventType::kNodeDeleted, gone->second);
    return;
  }
  const zk::Stat now = truth_.stat_of(row.path);
  if (shown == 0 || (of_children ? now.pzxid : now.mzxid) <= shown) return;
  const auto change = changes_.find(row.path);
  fire(row, of_children ? zk::WatchEventType::kNodeChildrenChanged : zk::WatchEventType::kNodeDataChanged,
       change == changes_.end() ? trace::kNoEvent : change->second);
}

/// Reattached: the library sets its watches again (setWatches). A new session begins without any.
void Recorder::arm_again(const std::string& client, const std::string& session) {
  const std::vector<trace::WatchRow> rows = std::exchange(parked_watches_[client], {});
  for (trace::WatchRow row : rows) {
    row.server = served_by_[client];
    if (row.session == session) arm(row, 0);
  }
}

void Recorder::drop_watches(const std::string& session) {
  std::vector<std::string> keys;
  for (const auto& [key, row] : trace_.last().watches) {
    if (row.session == session) keys.push_back(key);
  }
  for (const std::string& key : keys) writer_.erase(&Snapshot::watches, key);
}

}  // namespace lockstep::live
