#include "trace/event.h"

namespace lockstep::trace {

bool is_mark(EventKind kind) {
  switch (kind) {
    case EventKind::kAcquired:
    case EventKind::kLost:
    case EventKind::kReleased:
    case EventKind::kTimedOut:
    case EventKind::kCancelled:
    case EventKind::kFailed:
    case EventKind::kSuspended:
    case EventKind::kConfirmed:
    case EventKind::kSessionExpired:
    case EventKind::kExpired:
    case EventKind::kDisconnected:
    case EventKind::kRoleChanged:
    case EventKind::kWriteAccepted:
    case EventKind::kWriteRefused:
    case EventKind::kIntervened: return true;
    case EventKind::kStarted:
    case EventKind::kLine:
    case EventKind::kInput:
    case EventKind::kSent:
    case EventKind::kArrived:
    case EventKind::kDropped:
    case EventKind::kRead:
    case EventKind::kCommitted:
    case EventKind::kFailedRequest:
    case EventKind::kWatchFired:
    case EventKind::kSessionOpened:
    case EventKind::kSessionReattached:
    case EventKind::kSessionClosed:
    case EventKind::kConnectionClosed:
    case EventKind::kConnected:
    case EventKind::kResourceRead:
    case EventKind::kDeadline:
    case EventKind::kEnded:
    case EventKind::kServing:
    case EventKind::kLogged:
    case EventKind::kTruncated:
    case EventKind::kApplied: return false;
  }
  return false;
}

}  // namespace lockstep::trace
