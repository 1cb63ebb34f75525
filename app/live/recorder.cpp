// The order of things: what has been seen waits, and is taken by time and cause. What then becomes of it is
// in recorder_rows.cpp and recorder_truth.cpp.
#include "live/recorder.h"

#include <algorithm>

namespace lockstep::live {
namespace {

void put_links(trace::Snapshot& snapshot, const scenario::Scenario& scenario,
               const std::string& server) {
  const auto link = [&](const std::string& from, const std::string& to) {
    snapshot.links[from + ">" + to] = {.from = from, .to = to};
  };
  for (const scenario::ClientSpec& client : scenario.clients) {
    link(client.id, server);
    link(server, client.id);
  }
}

}  // namespace

trace::Trace empty_trace(trace::Source source, const scenario::Scenario& scenario) {
  trace::Snapshot snapshot;
  for (const scenario::ClientSpec& client : scenario.clients) snapshot.clients[client.id] = {};
  put_links(snapshot, scenario, scenario.resource.id);
  snapshot.resources[scenario.resource.id] = {.rule = scenario.resource.rule,
                                              .value = scenario.resource.initial_value};
  return trace::Trace({source, scenario}, std::move(snapshot));
}

Recorder::Recorder(RecorderOptions options, Truth truth)
    : options_(std::move(options)),
      truth_(std::move(truth)),
      trace_(empty_trace(options_.source, options_.scenario)),
      writer_(trace_),
      leader_(options_.servers.front()) {
  record_servers();
}

void Recorder::record_servers() {
  trace::Snapshot snapshot = trace_.last();
  for (const auto& [path, node] : truth_.nodes()) {
    snapshot.znodes[path] = {.data = node.data, .stat = truth_.stat_of(path)};
  }
  for (const std::string& id : options_.servers) {
    servers_[id] = {.zxid = truth_.zxid()};
    snapshot.servers[id] = servers_[id];
    put_links(snapshot, options_.scenario, id);
    for (const std::string& other : options_.servers) {
      if (options_.source == trace::Source::kSampled || other == id) continue;
      snapshot.links[id + ">" + other] = {.from = id, .to = other};
    }
  }
  writer_.put_all(snapshot);
  for (const std::string& id : options_.servers)
    emit(trace::EventKind::kStarted, id, {}, trace::kNoEvent);
}

void Recorder::see(ClientSaid said) {
  const TimeUs time = said.report.time_us;
  insert(time, std::move(said));
}

void Recorder::see(const Judgement& judgement) {
  insert(judgement.time_us - options_.zero_us, judgement);
}

void Recorder::see(TimeUs time_us, Txn txn) { insert(time_us, std::move(txn)); }

void Recorder::see(TimeUs time_us, Noted noted) { insert(time_us, std::move(noted)); }

void Recorder::insert(TimeUs time_us, What what) {
  if (std::holds_alternative<Txn>(what)) {
    // Transactions keep their order, whatever the servers' clocks said.
    for (const Seen& seen : waiting_) {
      if (std::holds_alternative<Txn>(seen.what)) time_us = std::max(time_us, seen.time_us);
    }
  }
  const auto place =
      std::upper_bound(waiting_.begin(), waiting_.end(), time_us,
                       [](TimeUs time, const Seen& seen) { return time < seen.time_us; });
  waiting_.insert(place, Seen{time_us, std::move(what)});
}

void Recorder::connected(const std::string& client, const std::string& server, bool is) {
  std::string& served_by = served_by_[client];
  if (is) served_by = server;
  if (is || served_by != server) return;
  served_by.clear();
  // The server's watches go with the connection; the library remembers what it has asked for.
  const std::string session = client_row(client).session;
  std::vector<trace::WatchRow>& parked = parked_watches_[client];
  parked.clear();
  for (const auto& [key, row] : trace_.last().watches) {
    if (row.session == session) parked.push_back(row);
  }
  drop_watches(session);
}

void Recorder::finish(const std::string& why, TimeUs now_us) {
  while (settle_one(now_us, true)) continue;
  now_us_ = std::max(now_us_, now_us);
  emit(trace::EventKind::kEnded, leader_, {.what = why}, trace::kNoEvent);
}

std::vector<Recorded> Recorder::take() { return std::exchange(recorded_, {}); }

bool Recorder::settle_one(TimeUs now_us, bool all) {
  if (waiting_.empty()) return false;
  if (!all && now_us - waiting_.front().time_us < kHoldback) return false;
  if (!ready(waiting_.front(), now_us, all)) return false;
  const Seen head = std::move(waiting_.front());
  waiting_.erase(waiting_.begin());
  process(head);
  return true;
}

/// Sees to it that what the head follows from comes first. False: it has not arrived, and may still.
bool Recorder::ready(const Seen& head, TimeUs now_us, bool all) {
  const bool patient = !all && now_us - head.time_us < kPatience;
  if (const auto* txn = std::get_if<Txn>(&head.what)) {
    return txn->kind != TxnKind::kCreateSession || adopt_session(txn->session) || !patient;
  }
  const auto* said = std::get_if<ClientSaid>(&head.what);
  if (!said) return true;
  const TimeUs time = head.time_us;
  const ClientReport report = said->report;  // The head moves when others leave before it.
  while (!needs_met(report)) {
    const auto next = std::find_if(waiting_.begin(), waiting_.end(), [](const Seen& seen) {
      return std::holds_alternative<Txn>(seen.what);
    });
    if (next == waiting_.end()) return !patient;
    const Txn txn = std::get<Txn>(next->what);
    if (txn.kind == TxnKind::kCreateSession && !adopt_session(txn.session) && patient) return false;
    waiting_.erase(next);
    process({time, txn});
  }
  return true;
}

bool Recorder::needs_met(const ClientReport& report) const {
  if (report.needs_zxid > truth_.zxid()) return false;
  if (!report.needs_absent.empty() && truth_.has(report.needs_absent)) return false;
  if (!report.needs_change.empty() && truth_.has(report.needs_change) &&
      zk::newest_change(truth_.stat_of(report.needs_change)) <= report.changed_after) {
    return false;
  }
  const bool opens =
      report.kind == ReportKind::kEvent && report.event == trace::EventKind::kConnected;
  return !opens || options_.source == trace::Source::kSampled ||
         sessions_.count(report.session_id) > 0;
}

/// Finds whose session it is: its client says so when it hears of it. False: not yet.
bool Recorder::adopt_session(zk::SessionId session) {
  if (sessions_.count(session) > 0) return true;
  for (const Seen& seen : waiting_) {
    const auto* said = std::get_if<ClientSaid>(&seen.what);
    if (!said || said->report.event != trace::EventKind::kConnected) continue;
    if (said->report.kind != ReportKind::kEvent || said->report.session_id != session) continue;
    open_session_row(session, said->client, said->report.timeout_us);
    return true;
  }
  return false;
}

void Recorder::process(const Seen& seen) {
  now_us_ = std::max({now_us_, seen.time_us, TimeUs{0}});
  std::visit([&](const auto& what) { record(what); }, seen.what);
}

int64_t Recorder::emit(trace::EventKind kind, const std::string& lane, trace::EventData data,
                       int64_t cause) {
  put_sessions_heard();
  for (const auto& [id, server] : servers_) {
    const trace::ServerRow* row = trace::find(trace_.last().servers, id);
    if (!row || *row != server) writer_.put(&trace::Snapshot::servers, id, server);
  }
  trace::Event event = {
      .time_us = now_us_, .lane = lane, .kind = kind, .cause = cause, .data = std::move(data)};
  const int64_t index = writer_.commit(event);
  event.index = index;
  recorded_.push_back({std::move(event), trace_.last()});
  return index;
}

}  // namespace lockstep::live
