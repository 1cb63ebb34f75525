// What the fair lock makes of ZooKeeper's replies.
#include "recipes/fair_lock.h"

#include <algorithm>

namespace lockstep::recipes {

void FairLock::on_reply(const zk::Reply& reply, TimeUs now, Outputs& out) {
  if (reply.error == zk::Error::kSessionExpired || reply.error == zk::Error::kInvalidState) {
    // The session event that goes with it decides; who ignores those takes it for done.
    if (options_.ignore_session_events && state_ == State::kReleaseSent) finish_round(out);
    return;
  }
  switch (state_) {
    case State::kParentSent: return after_parent(reply, out);
    case State::kCreateSent: return after_create(reply, out);
    case State::kFindSent: return after_find(reply, out);
    case State::kStatSent: return after_stat(reply, out);
    case State::kListSent: return after_list(reply, out);
    case State::kWatchSent: return after_watch(reply, now, out);
    case State::kReleaseSent: return after_release(reply, out);
    case State::kIdle:
    case State::kParent:
    case State::kCreate:
    case State::kFind:
    case State::kStat:
    case State::kList:
    case State::kLook:
    case State::kWatch:
    case State::kBeginWait:
    case State::kWait:
    case State::kHeld:
    case State::kRelease:
    case State::kEnded: return;  // An answer to a request of an attempt that is over.
  }
}

void FairLock::after_parent(const zk::Reply& reply, Outputs& out) {
  if (zk::is_outcome_unknown(reply.error)) {
    state_ = State::kParent;
  } else if (reply.error == zk::Error::kNoNode && missing_parent_ != "/") {
    missing_parent_ = zk::parent_of(missing_parent_);
    state_ = State::kParent;
  } else if (reply.error == zk::Error::kOk || reply.error == zk::Error::kNodeExists) {
    state_ = State::kCreate;  // Which finds the next missing one, if there is one.
  } else {
    fail(reply.error, out);
  }
}

void FairLock::after_create(const zk::Reply& reply, Outputs& out) {
  if (zk::is_outcome_unknown(reply.error) && options_.lost_create_reply == LostCreateReply::kCreateAgain) {
    if (giving_up_) return finish_round(out);
    state_ = State::kCreate;
  } else if (zk::is_outcome_unknown(reply.error)) {
    state_ = State::kFind;
  } else if (reply.error == zk::Error::kNoNode) {
    missing_parent_ = options_.path;
    state_ = State::kParent;
  } else if (reply.error != zk::Error::kOk) {
    fail(reply.error, out);
  } else {
    node_ = reply.path;
    czxid_ = reply.stat.czxid;
    state_ = giving_up_ ? State::kRelease : State::kList;
  }
}

void FairLock::after_find(const zk::Reply& reply, Outputs& out) {
  if (zk::is_outcome_unknown(reply.error)) {
    state_ = State::kFind;
    return;
  }
  const std::string prefix = own_prefix();
  const auto own = std::find_if(reply.children.begin(), reply.children.end(),
                                [&](const std::string& name) { return name.starts_with(prefix); });
  if (own != reply.children.end()) {
    node_ = child_path(*own);
    state_ = State::kStat;
  } else if (giving_up_) {
    finish_round(out);
  } else {
    state_ = State::kCreate;
  }
}

void FairLock::after_stat(const zk::Reply& reply, Outputs&) {
  if (zk::is_outcome_unknown(reply.error)) {
    state_ = State::kStat;
  } else if (reply.error != zk::Error::kOk || reply.stat.ephemeral_owner != session_) {
    start_attempt();  // Gone, or a leftover of a session that is dying: never adopt it.
  } else {
    czxid_ = reply.stat.czxid;
    state_ = giving_up_ ? State::kRelease : State::kList;
  }
}

void FairLock::after_list(const zk::Reply& reply, Outputs& out) {
  if (zk::is_outcome_unknown(reply.error)) {
    state_ = State::kList;
  } else if (giving_up_) {
    state_ = State::kRelease;
  } else if (reply.error != zk::Error::kOk && reply.error != zk::Error::kNoNode) {
    fail(reply.error, out);
  } else {
    listed_ = sort_out(reply.children);
    state_ = State::kLook;
  }
}

/// Finds the neighbours by number; a child that has none does not take part. Equal numbers (a parent
/// whose counter is stuck) are ordered by name, so that everybody sees the same order.
FairLock::Listed FairLock::sort_out(const Names& children) const {
  const std::string own(zk::name_in(node_));
  if (!children.contains(own)) return {};
  if (options_.queue_order == QueueOrder::kWholeName) return sort_by_name(children, own);
  const std::string* first = children.first();
  const std::string* before = children.before(own);
  return {.present = true, .first = first == nullptr ? "" : *first, .before = before == nullptr ? "" : *before};
}

FairLock::Listed FairLock::sort_by_name(const Names& children, const std::string& own) const {
  Listed listed{.present = true, .first = own};
  for (const std::string& name : children) {
    if (name < listed.first) listed.first = name;
    if (name < own && name > listed.before) listed.before = name;
  }
  return listed;
}

void FairLock::after_watch(const zk::Reply& reply, TimeUs now, Outputs& out) {
  if (giving_up_) {
    state_ = State::kRelease;
  } else if (zk::is_outcome_unknown(reply.error)) {
    state_ = State::kList;
  } else if (reply.error == zk::Error::kNoNode) {
    switch (options_.vanished_predecessor) {
      case VanishedPredecessor::kLookAgain: state_ = State::kList; return;
      case VanishedPredecessor::kTakeForLock: return grant(now, out);
      case VanishedPredecessor::kIgnore: return wait();
    }
  } else if (reply.error != zk::Error::kOk) {
    fail(reply.error, out);
  } else {
    wait();
  }
}

void FairLock::after_release(const zk::Reply& reply, Outputs& out) {
  if (zk::is_outcome_unknown(reply.error)) {
    state_ = State::kRelease;  // Rule 7: deleting again is harmless, not knowing is not.
  } else if (reply.error == zk::Error::kOk || reply.error == zk::Error::kNoNode) {
    finish_round(out);
  } else {
    fail(reply.error, out);
  }
}

}  // namespace lockstep::recipes
