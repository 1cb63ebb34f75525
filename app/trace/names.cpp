#include "trace/names.h"

#include "trace/trace.h"

namespace lockstep::trace {

std::string_view name_of(Process process) {
  switch (process) {
    case Process::kNotStarted: return "not_started";
    case Process::kRunning: return "running";
    case Process::kPaused: return "paused";
    case Process::kHung: return "hung";
    case Process::kCrashed: return "crashed";
  }
  return "unknown";
}

std::string_view name_of(Connection connection) {
  switch (connection) {
    case Connection::kNone: return "none";
    case Connection::kConnecting: return "connecting";
    case Connection::kConnected: return "connected";
    case Connection::kExpired: return "expired";
    case Connection::kClosed: return "closed";
  }
  return "unknown";
}

std::string_view name_of(SessionLife life) {
  switch (life) {
    case SessionLife::kLive: return "live";
    case SessionLife::kExpired: return "expired";
    case SessionLife::kClosed: return "closed";
  }
  return "unknown";
}

std::string_view name_of(WatchTable table) {
  switch (table) {
    case WatchTable::kData: return "data";
    case WatchTable::kChildren: return "children";
  }
  return "unknown";
}

std::string_view name_of(ServerRole role) {
  switch (role) {
    case ServerRole::kStandalone: return "standalone";
    case ServerRole::kLooking: return "looking";
    case ServerRole::kFollowing: return "following";
    case ServerRole::kLeading: return "leading";
    case ServerRole::kObserving: return "observing";
  }
  return "unknown";
}

std::string_view name_of(RegisterRule rule) {
  switch (rule) {
    case RegisterRule::kNone: return "none";
    case RegisterRule::kGreater: return "greater";
    case RegisterRule::kGreaterOrEqual: return "greater_or_equal";
  }
  return "unknown";
}

std::string_view name_of(EventKind kind) {
  switch (kind) {
    case EventKind::kStarted: return "started";
    case EventKind::kLine: return "line";
    case EventKind::kInput: return "input";
    case EventKind::kSent: return "sent";
    case EventKind::kArrived: return "arrived";
    case EventKind::kDropped: return "dropped";
    case EventKind::kRead: return "read";
    case EventKind::kCommitted: return "committed";
    case EventKind::kFailedRequest: return "failed_request";
    case EventKind::kWatchFired: return "watch_fired";
    case EventKind::kSessionOpened: return "session_opened";
    case EventKind::kSessionReattached: return "session_reattached";
    case EventKind::kSessionExpired: return "session_expired";
    case EventKind::kSessionClosed: return "session_closed";
    case EventKind::kConnectionClosed: return "connection_closed";
    case EventKind::kConnected: return "connected";
    case EventKind::kDisconnected: return "disconnected";
    case EventKind::kExpired: return "expired";
    case EventKind::kAcquired: return "acquired";
    case EventKind::kSuspended: return "suspended";
    case EventKind::kConfirmed: return "confirmed";
    case EventKind::kLost: return "lost";
    case EventKind::kReleased: return "released";
    case EventKind::kTimedOut: return "timed_out";
    case EventKind::kCancelled: return "cancelled";
    case EventKind::kFailed: return "failed";
    case EventKind::kWriteAccepted: return "write_accepted";
    case EventKind::kWriteRefused: return "write_refused";
    case EventKind::kResourceRead: return "resource_read";
    case EventKind::kIntervened: return "intervened";
    case EventKind::kDeadline: return "deadline";
    case EventKind::kEnded: return "ended";
    case EventKind::kRoleChanged: return "role_changed";
    case EventKind::kServing: return "serving";
    case EventKind::kLogged: return "logged";
    case EventKind::kTruncated: return "truncated";
    case EventKind::kApplied: return "applied";
  }
  return "unknown";
}

std::string_view name_of(Source source) {
  switch (source) {
    case Source::kSimulated: return "simulated";
    case Source::kExplored: return "explored";
    case Source::kLive: return "live";
    case Source::kSampled: return "sampled";
  }
  return "unknown";
}

template <class E>
bool from_name(std::string_view name, E& value) {
  bool found = false;
  each_enumerator<E>([&](E candidate) {
    if (name_of(candidate) != name) return;
    value = candidate;
    found = true;
  });
  return found;
}

template bool from_name(std::string_view, Process&);
template bool from_name(std::string_view, Connection&);
template bool from_name(std::string_view, Belief&);
template bool from_name(std::string_view, SessionLife&);
template bool from_name(std::string_view, WatchTable&);
template bool from_name(std::string_view, ServerRole&);
template bool from_name(std::string_view, RegisterRule&);

bool from_name(std::string_view name, EventKind& kind) { return from_name<EventKind>(name, kind); }
bool from_name(std::string_view name, Source& source) { return from_name<Source>(name, source); }

}  // namespace lockstep::trace
