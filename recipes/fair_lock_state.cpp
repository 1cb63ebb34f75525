// What the fair lock knows of itself: where it stands, what it believes, its node and token.
#include "recipes/fair_lock.h"
#include "recipes/guid.h"

namespace lockstep::recipes {

FairLockLine FairLock::line() const {
  switch (state_) {
    case State::kIdle:
    case State::kEnded: return FairLockLine::kNone;
    case State::kParent:
    case State::kParentSent:
    case State::kCreate:
    case State::kCreateSent: return FairLockLine::kCreate;
    case State::kFind:
    case State::kFindSent:
    case State::kStat:
    case State::kStatSent: return FairLockLine::kFind;
    case State::kList:
    case State::kListSent: return FairLockLine::kList;
    case State::kLook: return FairLockLine::kLook;
    case State::kWatch:
    case State::kWatchSent: return FairLockLine::kWatch;
    case State::kBeginWait:
    case State::kWait: return FairLockLine::kWait;
    case State::kRelease:
    case State::kReleaseSent: return FairLockLine::kRelease;
    case State::kHeld: break;
  }
  switch (job_.step()) {
    case JobStep::kCheck:
    case JobStep::kChecking: return FairLockLine::kCheck;
    case JobStep::kWrite:
    case JobStep::kWriting: return FairLockLine::kWrite;
    case JobStep::kNone:
    case JobStep::kWork:
    case JobStep::kWorking:
    case JobStep::kFinished: return FairLockLine::kWork;
  }
  return FairLockLine::kNone;
}

Belief FairLock::belief() const {
  if (granted_) return sure_ ? Belief::kHolding : Belief::kSuspended;
  switch (state_) {
    case State::kIdle: return Belief::kIdle;
    case State::kEnded: return outcome_;
    case State::kBeginWait:
    case State::kWait: return Belief::kWaiting;
    case State::kRelease:
    case State::kReleaseSent: return outcome_ == Belief::kLost ? Belief::kLost : Belief::kReleasing;
    case State::kParent:
    case State::kParentSent:
    case State::kCreate:
    case State::kCreateSent:
    case State::kFind:
    case State::kFindSent:
    case State::kStat:
    case State::kStatSent:
    case State::kList:
    case State::kListSent:
    case State::kLook:
    case State::kWatch:
    case State::kWatchSent:
    case State::kHeld: return waits_for_.empty() ? Belief::kAcquiring : Belief::kWaiting;
  }
  return Belief::kIdle;
}

std::string FairLock::own_prefix() const { return "_c_" + guid_of(options_.guid_seed, attempt_) + "-lock-"; }

std::string FairLock::child_path(const std::string& name) const {
  return options_.path == "/" ? "/" + name : options_.path + "/" + name;
}

std::string FairLock::released_path() const {
  const bool own = options_.released_node == ReleasedNode::kOwn || listed_.first.empty();
  return own ? node_ : child_path(listed_.first);
}

int64_t FairLock::token_at(TimeUs now) const {
  int32_t number = -1;
  switch (options_.token) {
    case TokenSource::kCzxid: return czxid_;
    case TokenSource::kSequence: return zk::sequence_of(node_, number) ? number : -1;
    case TokenSource::kUuid: return static_cast<int64_t>(hash_of(own_prefix()) >> 1);
    case TokenSource::kClock: return (now + options_.clock_ahead_us) / kMillisecond;
  }
  return -1;
}

}  // namespace lockstep::recipes
