#include "play/observations.h"

#include <algorithm>

namespace lockstep::play {
namespace {

using trace::EventKind;

bool is_observed(EventKind kind) {
  switch (kind) {
    case EventKind::kStarted:
    case EventKind::kLine:
    case EventKind::kInput:
    case EventKind::kCommitted:
    case EventKind::kSessionOpened:
    case EventKind::kSessionExpired:
    case EventKind::kSessionClosed:
    case EventKind::kConnected:
    case EventKind::kDisconnected:
    case EventKind::kExpired:
    case EventKind::kAcquired:
    case EventKind::kSuspended:
    case EventKind::kConfirmed:
    case EventKind::kLost:
    case EventKind::kReleased:
    case EventKind::kTimedOut:
    case EventKind::kCancelled:
    case EventKind::kFailed:
    case EventKind::kWriteAccepted:
    case EventKind::kWriteRefused:
    case EventKind::kResourceRead:
    case EventKind::kIntervened:
    case EventKind::kDeadline: return true;
    case EventKind::kSent:
    case EventKind::kArrived:
    case EventKind::kDropped:
    case EventKind::kRead:
    case EventKind::kFailedRequest:
    case EventKind::kWatchFired:
    case EventKind::kRoleChanged:
    case EventKind::kServing:
    case EventKind::kLogged:
    case EventKind::kTruncated:
    case EventKind::kApplied:
    case EventKind::kSessionReattached:
    case EventKind::kConnectionClosed:
    case EventKind::kEnded: return false;
  }
  return false;
}

}  // namespace

std::optional<Observation> observation_of(const trace::Event& event, const std::vector<std::string>& servers) {
  if (!is_observed(event.kind)) return std::nullopt;
  const bool of_server = std::find(servers.begin(), servers.end(), event.lane) != servers.end();
  if (of_server && event.kind == EventKind::kStarted) return std::nullopt;
  Observation seen{.event = event.index, .time_us = event.time_us, .lane = event.lane, .kind = event.kind};
  if (of_server) seen.lane = kServersLane;
  if (event.kind == EventKind::kIntervened) seen.lane = "<";  // It is told in different lanes.
  switch (event.kind) {
    case EventKind::kConnected:
    case EventKind::kDisconnected:
    case EventKind::kExpired: seen.lane += kLibrary; break;
    case EventKind::kLine:
    case EventKind::kIntervened:
    case EventKind::kDeadline: seen.what = event.data.what; break;
    case EventKind::kInput:
      seen.what = event.data.what;
      // A reply's path is told by one world only; an event's by both.
      if (!seen.is_reply()) seen.path = event.data.path;
      seen.zxid = event.data.zxid;
      break;
    case EventKind::kCommitted:
      seen.what = event.data.what;
      seen.path = event.data.path;
      seen.peer = event.data.peer;
      seen.zxid = event.data.zxid;
      break;
    case EventKind::kSessionOpened:
    case EventKind::kSessionExpired:
    case EventKind::kSessionClosed:
      seen.peer = event.data.session;
      seen.zxid = event.data.zxid;
      break;
    case EventKind::kAcquired:
    case EventKind::kConfirmed: seen.token = event.data.token; break;
    case EventKind::kWriteAccepted:
    case EventKind::kWriteRefused:
      seen.peer = event.data.peer;
      seen.token = event.data.token;
      seen.value = event.data.value;
      break;
    default: break;
  }
  return seen;
}

Served served(const zk::Request& read, const Observation& reply, const Observation& commit) {
  if (reply.zxid != 0) return reply.zxid < commit.zxid ? Served::kBefore : Served::kAfter;
  if (reply.what != "reply NoNode") return Served::kUnknown;
  const bool makes_it = commit.what == "create" && commit.path == read.path;
  return makes_it ? Served::kBefore : Served::kAfter;
}

bool same(const Observation& observed, const Observation& simulated, const Zxids& zxids) {
  return observed.lane == simulated.lane && observed.kind == simulated.kind && observed.what == simulated.what &&
         observed.path == simulated.path && observed.peer == simulated.peer && observed.value == simulated.value &&
         zxids.same(observed.token, simulated.token) &&
         (!observed.is_reply() || observed.zxid == 0 || zxids.show_the_same(observed.zxid, simulated.zxid));
}

}  // namespace lockstep::play
