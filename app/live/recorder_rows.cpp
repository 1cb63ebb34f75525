// What clients, the resource and we ourselves have said, as events and rows.
#include <algorithm>

#include "live/recorder.h"
#include "trace/facts.h"

namespace lockstep::live {
namespace {

using trace::EventKind;
using trace::Snapshot;

bool is_of_library(EventKind kind) {
  return kind == EventKind::kConnected || kind == EventKind::kDisconnected ||
         kind == EventKind::kExpired;
}

/// What the report changes of the client's row.
void change_row(const ClientReport& report, TimeUs now_us, trace::ClientRow& row) {
  row.inputs = report.state.inputs;
  if (report.event == EventKind::kDisconnected) row.connection = trace::Connection::kConnecting;
  if (report.event == EventKind::kConnected) row.connection = trace::Connection::kConnected;
  if (report.event == EventKind::kExpired) row.connection = trace::Connection::kExpired;
  if (is_of_library(report.event)) return;  // The application has not looked yet.
  if (report.event == EventKind::kStarted) {
    row = {.process = trace::Process::kRunning,
           .process_since_us = now_us,
           .stops = row.stops,
           .connection = trace::Connection::kConnecting};
  }
  row.belief = report.state.belief;
  row.token = report.state.token;
  row.line = report.state.line;
  row.at_line = report.state.at_line;
  row.node = report.state.node;
  row.waits_for = report.state.waits_for;
  row.rounds_done = report.state.rounds_done;
  row.writes_sent = report.state.writes_sent;
  // Having heard of its expiry, a client that still has a line to run has opened another session.
  const bool looked = report.event == EventKind::kInput && report.data.what == "Expired";
  if (looked && row.line != 0) row.connection = trace::Connection::kConnecting;
}

}  // namespace

trace::ClientRow Recorder::client_row(const std::string& client) const {
  const trace::ClientRow* row = trace::find(trace_.last().clients, client);
  return row ? *row : trace::ClientRow{};
}

// ---- Clients -----------------------------------------------------------------------------------------

void Recorder::record(ClientSaid said) {
  ClientReport& report = said.report;
  if (report.kind != ReportKind::kEvent) return;  // The runner's business.
  Causes& causes = causes_[said.client];
  trace::ClientRow row = client_row(said.client);
  change_row(report, now_us_, row);

  int64_t cause = causes.step;
  if (report.event == EventKind::kConnected) {
    const bool known = sessions_.count(report.session_id) > 0;
    const std::string session = open_session_row(report.session_id, said.client, report.timeout_us);
    row.session = session;
    report.data.session = session;
    const std::string server = served_by_[said.client];
    if (!known || row.session == client_row(said.client).session) {
      cause =
          emit(known ? EventKind::kSessionReattached : EventKind::kSessionOpened,
               server.empty() ? leader_ : server,
               {.peer = said.client, .session = session, .value = known ? 0 : report.timeout_us},
               trace::kNoEvent);
    }
  } else if (is_of_library(report.event)) {
    const bool lives = session_row(row.session).life == trace::SessionLife::kLive;
    if (report.event == EventKind::kExpired && lives &&
        options_.source == trace::Source::kSampled) {
      // No sample has told of it, since it had no node; but it must have happened.
      record(Txn{.session = session_row(row.session).session_id,
                 .zxid = truth_.zxid(),
                 .kind = TxnKind::kCloseSession});
    }
    report.data.session = row.session;
    cause = trace::kNoEvent;
  }
  if (report.event == EventKind::kInput) cause = cause_of_input(said.client, report);
  if (!report.op.empty()) {
    causes.op = report.op;
    causes.path = report.data.path;
  }
  trace::EventData data = report.data;
  if (report.event == EventKind::kLine) data = {.what = report.data.what, .line = report.data.line};

  writer_.put(&Snapshot::clients, said.client, row);
  const int64_t index = emit(report.event, said.client, std::move(data), cause);
  (is_of_library(report.event) ? causes.library : causes.step) = index;
  if (report.event == EventKind::kConnected) arm_again(said.client, row.session);
  if (report.request >= 0) record_sent(said.client, report);
  if (!report.watch_path.empty()) arm_watch(said.client, report);
}

int64_t Recorder::cause_of_input(const std::string& client, const ClientReport& report) {
  const Causes& causes = causes_[client];
  const std::string& what = report.data.what;
  const auto in = [](const auto& map, const auto& key, int64_t otherwise) {
    const auto found = map.find(key);
    return found == map.end() ? otherwise : found->second;
  };
  if (what == "Connected" || what == "Disconnected" || what == "Expired") return causes.library;
  if (what == "accepted" || what == "refused") return causes.judged;
  if (what.starts_with("Node")) return in(causes.watch, report.data.path, trace::kNoEvent);
  if (causes.op == "create") return in(creations_, report.data.path, causes.step);
  if (causes.op == "delete") return in(deletions_, report.data.path, causes.step);
  return causes.step;
}

// ---- Resource ----------------------------------------------------------------------------------------

void Recorder::record_sent(const std::string& client, const ClientReport& report) {
  const std::string& resource = options_.scenario.resource.id;
  Causes& causes = causes_[client];
  trace::MessageRow row = {.link = client + ">" + resource,
                           .what = report.read_only ? "read" : "write",
                           .token = report.data.token,
                           .value = report.data.value,
                           .sent_us = now_us_,
                           .due_us = now_us_};
  const int64_t message = messages_++;
  writer_.put(&Snapshot::messages, std::to_string(message), row);
  causes.messages[report.request] = message;
  causes.requests[report.request] = emit(EventKind::kSent, client,
                                         {.what = row.what,
                                          .peer = resource,
                                          .message = message,
                                          .token = row.token,
                                          .value = row.value},
                                         causes.step);
}

void Recorder::record(const Judgement& judgement) {
  const WriteRequest& request = judgement.request;
  const std::string& resource = options_.scenario.resource.id;
  Causes& causes = causes_[request.client];
  int64_t cause = trace::kNoEvent;
  const auto sent = causes.messages.find(request.request);
  if (sent != causes.messages.end()) {
    writer_.erase(&Snapshot::messages, std::to_string(sent->second));
    cause = emit(EventKind::kArrived, resource,
                 {.what = request.read_only ? "read" : "write",
                  .peer = request.client,
                  .message = sent->second,
                  .token = request.token,
                  .value = request.value},
                 causes.requests[request.request]);
    causes.messages.erase(sent);
  }
  if (request.read_only) {
    causes.judged = emit(EventKind::kResourceRead, resource,
                         {.peer = request.client,
                          .token = judgement.answer.token_max,
                          .value = judgement.answer.value},
                         cause);
    return;
  }
  // Judged by the truth at this moment: whoever's node is first in the queue.
  const bool stale = trace::holder_of(trace_.last(), trace_.lock_path()) != request.client;
  trace::ResourceRow row = *trace::find(trace_.last().resources, resource);
  row.value = judgement.answer.value;
  row.token_max = judgement.answer.token_max;
  if (judgement.answer.accepted) row.last_writer = request.client;
  writer_.put(&Snapshot::resources, resource, row);
  writer_.put(&Snapshot::ledger, std::to_string(++ledger_rows_),
              trace::LedgerRow{.resource = resource,
                               .client = request.client,
                               .token = request.token,
                               .value = request.value,
                               .accepted = judgement.answer.accepted,
                               .stale = stale,
                               .token_max_before = judgement.token_max_before,
                               .time_us = now_us_});
  causes.judged = emit(
      judgement.answer.accepted ? EventKind::kWriteAccepted : EventKind::kWriteRefused, resource,
      {.peer = request.client, .token = request.token, .value = request.value, .stale = stale},
      cause);
}

// ---- Ourselves ---------------------------------------------------------------------------------------

void Recorder::record(const Noted& noted) {
  if (noted.change) {
    Snapshot after = trace_.last();
    noted.change(after);
    for (auto& [id, client] : after.clients) {
      const trace::ClientRow before = client_row(id);
      if (client.process == before.process) continue;
      client.process_since_us = now_us_;
      client.stops = before.stops + (client.process == trace::Process::kRunning ? 0 : 1);
    }
    writer_.put_all(after);
  }
  const int64_t index = emit(noted.kind, noted.lane, noted.data, trace::kNoEvent);
  const auto client = causes_.find(noted.lane);
  if (client != causes_.end()) client->second.step = index;
}

}  // namespace lockstep::live
