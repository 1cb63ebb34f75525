#include "live/worker_words.h"

#include <algorithm>

namespace lockstep::live {
namespace {

trace::EventKind kind_of(recipes::NoticeKind kind) {
  switch (kind) {
    case recipes::NoticeKind::kAcquired: return trace::EventKind::kAcquired;
    case recipes::NoticeKind::kSuspended: return trace::EventKind::kSuspended;
    case recipes::NoticeKind::kConfirmed: return trace::EventKind::kConfirmed;
    case recipes::NoticeKind::kLost: return trace::EventKind::kLost;
    case recipes::NoticeKind::kReleased: return trace::EventKind::kReleased;
    case recipes::NoticeKind::kTimedOut: return trace::EventKind::kTimedOut;
    case recipes::NoticeKind::kCancelled: return trace::EventKind::kCancelled;
    case recipes::NoticeKind::kFailed: return trace::EventKind::kFailed;
  }
  return trace::EventKind::kFailed;
}

void describe_reply(const zk::Reply& reply, const zk::Request& request, ClientReport& report) {
  report.data.what = "reply " + std::string(zk::name_of(reply.error));
  report.data.path = request.path;
  report.data.zxid = zk::newest_change(reply.stat);
  if (reply.error != zk::Error::kOk && reply.error != zk::Error::kNoNode) return;
  switch (request.op) {
    case zk::Op::kCreate:
      if (reply.error == zk::Error::kOk) {
        report.data.path = reply.path;
        report.needs_zxid = reply.stat.czxid;
      }
      return;
    case zk::Op::kDelete: report.needs_absent = request.path; return;
    case zk::Op::kGetChildren:
      // The parent's pzxid is the last change of its children that the server had applied.
      report.needs_zxid = std::max(reply.stat.pzxid, reply.stat.czxid);
      if (request.watch && reply.error == zk::Error::kOk) {
        report.watch_path = request.path;
        report.watch_table = trace::WatchTable::kChildren;
      }
      return;
    case zk::Op::kExists:
    case zk::Op::kGetData:
      if (reply.error == zk::Error::kNoNode) report.needs_absent = request.path;
      report.needs_zxid = reply.stat.mzxid;
      // exists leaves a watch on a node that is not there; getData does not.
      if (request.watch && (reply.error == zk::Error::kOk || request.op == zk::Op::kExists)) {
        report.watch_path = request.path;
      }
      return;
    case zk::Op::kSetData: report.needs_zxid = reply.stat.mzxid; return;
    case zk::Op::kSync:
    case zk::Op::kCheck:
    case zk::Op::kMulti:
    case zk::Op::kGetAcl:
    case zk::Op::kSetAcl:
    case zk::Op::kAddAuth: return;
  }
}

}  // namespace

void describe_input(const recipes::Input& input, const zk::Request& request, ClientReport& report) {
  std::visit(overloaded{
                 [&](const recipes::Start&) { report.data.what = "start"; },
                 [&](const recipes::ReplyArrived& arrived) {
                   describe_reply(arrived.reply, request, report);
                 },
                 [&](const recipes::WatchFired& fired) {
                   report.data.what = zk::name_of(fired.type);
                   report.data.path = fired.path;
                   if (fired.type == zk::WatchEventType::kNodeDeleted) {
                     report.needs_absent = fired.path;
                   } else {
                     report.needs_change = fired.path;
                   }
                 },
                 [&](const recipes::SessionChanged& change) {
                   report.data.what = zk::name_of(change.state);
                 },
                 [&](const recipes::DeadlinePassed& passed) {
                   report.data.what = passed.id == recipes::DeadlineId::kAcquireTimeout
                                          ? "acquire timeout"
                                          : "work done";
                 },
                 [&](const recipes::NextLine&) { report.data.what = "next line"; },
                 [&](const recipes::Command& command) {
                   report.data.what =
                       command.kind == recipes::CommandKind::kRelease ? "release" : "cancel";
                 },
                 [&](const recipes::ResourceReplied& reply) {
                   report.data.what = reply.accepted ? "accepted" : "refused";
                   report.data.value = reply.value;
                 },
             },
             input);
}

ClientReport report_of(const recipes::Notice& notice, const recipes::Recipe& recipe) {
  ClientReport report = {.event = kind_of(notice.kind)};
  report.data.token = notice.token;
  report.data.path = recipes::node(recipe);
  if (notice.error != zk::Error::kOk) report.data.error = zk::name_of(notice.error);
  return report;
}

}  // namespace lockstep::live
