#include "recipes/machine.h"

namespace lockstep::recipes {

std::string_view name_of(Belief belief) {
  switch (belief) {
    case Belief::kIdle: return "idle";
    case Belief::kAcquiring: return "acquiring";
    case Belief::kWaiting: return "waiting";
    case Belief::kHolding: return "holding";
    case Belief::kSuspended: return "suspended";
    case Belief::kReleasing: return "releasing";
    case Belief::kReleased: return "released";
    case Belief::kLost: return "lost";
    case Belief::kTimedOut: return "timed_out";
    case Belief::kCancelled: return "cancelled";
    case Belief::kFailed: return "failed";
  }
  return "unknown";
}

std::string_view name_of(NoticeKind kind) {
  switch (kind) {
    case NoticeKind::kAcquired: return "acquired";
    case NoticeKind::kSuspended: return "suspended";
    case NoticeKind::kConfirmed: return "confirmed";
    case NoticeKind::kLost: return "lost";
    case NoticeKind::kReleased: return "released";
    case NoticeKind::kTimedOut: return "timed_out";
    case NoticeKind::kCancelled: return "cancelled";
    case NoticeKind::kFailed: return "failed";
  }
  return "unknown";
}

}  // namespace lockstep::recipes
