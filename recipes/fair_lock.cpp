#include "recipes/fair_lock.h"

#include <algorithm>

#include "recipes/bug.h"

namespace lockstep::recipes {
namespace {

constexpr std::string_view kMarker = "-lock-";

void append_hex(std::string& text, uint64_t value, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
    text += "0123456789abcdef"[(value >> shift) & 15];
  }
}

}  // namespace

// ---- Inputs ------------------------------------------------------------------------------------

void FairLock::handle(const Input& input, TimeUs now, Outputs& out) {
  std::visit(overloaded{
                 [&](const Start&) { on_start(now, out); },
                 [&](const ReplyArrived& arrived) { on_reply(arrived.reply, out); },
                 [&](const WatchFired&) { on_watch(out); },
                 [&](const SessionChanged& change) { on_session(change, out); },
                 [&](const DeadlinePassed& passed) { on_deadline(passed.id, out); },
                 [&](const NextLine&) { run_line(now, out); },
                 [&](const Command& command) { on_command(command.kind); },
                 [&](const ResourceReplied& reply) { on_resource(reply, out); },
             },
             input);
}

void FairLock::on_start(TimeUs now, Outputs& out) {
  if (state_ != State::kIdle) return;
  if (options_.acquire_timeout_us > 0) {
    out.push_back(SetDeadline{DeadlineId::kAcquireTimeout, now + options_.acquire_timeout_us});
  }
  start_attempt();
}

void FairLock::on_session(const SessionChanged& change, Outputs& out) {
  switch (change.state) {
    case zk::SessionState::kConnected:
      connected_ = true;
      session_ = change.session;
      // Rule 5: the watch may have fired, or been lost, while away.
      if (state_ == State::kWait && !options_.ignore_session_events) state_ = State::kList;
      if (state_ == State::kHeld && !sure_) state_ = State::kList;
      return;
    case zk::SessionState::kDisconnected:
    case zk::SessionState::kAuthFailed:  // The session lives on, and nothing more is heard of it.
      connected_ = false;
      if (granted_ && sure_ && !options_.ignore_session_events) {
        sure_ = false;
        out.push_back(Notice{NoticeKind::kSuspended, token_});
      }
      return;
    case zk::SessionState::kExpired:
      connected_ = false;
      if (!options_.ignore_session_events) expire(out);
      return;
  }
}

void FairLock::expire(Outputs& out) {
  if (state_ == State::kIdle || ended()) return;
  const bool releasing = state_ == State::kRelease || state_ == State::kReleaseSent;
  if (granted_) {
    lose(out);
  } else if (releasing) {
    // The node is gone, by the delete or before it with the session: the client cannot tell, and does not
    // claim to have released. Its work is done all the same.
    const bool unconfirmed = outcome_ == Belief::kReleased;
    if (unconfirmed) lose(out);
    if (!unconfirmed || ++rounds_done_ >= options_.rounds) return finish_round(out);
  } else if (options_.after_expiry == AfterExpiry::kStop) {
    return fail(zk::Error::kSessionExpired, out);
  }
  if (options_.after_expiry == AfterExpiry::kStop) return end(outcome_);
  start_attempt();
  out.push_back(OpenSession{});
}

void FairLock::on_watch(Outputs& out) {
  if (state_ != State::kWait) {
    woken_ = true;
  } else if (options_.believe_wake_up) {
    grant(out);
  } else {
    state_ = State::kList;
  }
}

void FairLock::on_deadline(DeadlineId id, Outputs& out) {
  switch (id) {
    case DeadlineId::kAcquireTimeout:
      if (options_.leave_node_on_timeout && state_ == State::kWait) {
        out.push_back(Notice{NoticeKind::kTimedOut});
        return end(Belief::kTimedOut);
      }
      give_up(Belief::kTimedOut);
      return;
    case DeadlineId::kWorkDone:
      job_.work_done(options_.job);
      if (job_.step() == JobStep::kFinished) on_command(CommandKind::kRelease);
      return;
  }
}

void FairLock::on_command(CommandKind kind) {
  switch (kind) {
    case CommandKind::kCancel:
      give_up(Belief::kCancelled);
      return;
    case CommandKind::kRelease:
      if (!granted_) return;
      granted_ = false;
      job_.stop();
      outcome_ = Belief::kReleased;
      state_ = State::kRelease;
      return;
  }
}

void FairLock::on_resource(const ResourceReplied& reply, Outputs& out) {
  if (!granted_) return;  // An answer to what an earlier owner had sent.
  if (job_.replied(options_.job, reply, token_) == Job::Verdict::kRefused) {
    lose(out);
    state_ = State::kRelease;
    return;
  }
  if (job_.step() == JobStep::kFinished) on_command(CommandKind::kRelease);
}

// ---- Lines -------------------------------------------------------------------------------------

bool FairLock::ready() const {
  switch (state_) {
    case State::kParent:
    case State::kCreate:
    case State::kFind:
    case State::kStat:
    case State::kList:
    case State::kWatch:
    case State::kRelease: return connected_;
    case State::kLook: return true;
    case State::kHeld: return sure_ && job_.ready();
    case State::kIdle:
    case State::kParentSent:
    case State::kCreateSent:
    case State::kFindSent:
    case State::kStatSent:
    case State::kListSent:
    case State::kWatchSent:
    case State::kWait:
    case State::kReleaseSent:
    case State::kEnded: return false;
  }
  return false;
}

void FairLock::run_line(TimeUs now, Outputs& out) {
  require(ready(), "the fair lock was told to go on while it waits; ask ready() first");
  const auto send = [&](zk::Request request, State next) {
    out.push_back(SendRequest{std::move(request)});
    state_ = next;
  };
  switch (state_) {
    case State::kParent:
      return send({.op = zk::Op::kCreate, .path = missing_parent_}, State::kParentSent);
    case State::kCreate:
      return send({.op = zk::Op::kCreate,
                   .path = child_path("_c_" + guid() + std::string(kMarker)),
                   .mode = zk::CreateMode::kEphemeralSequential},
                  State::kCreateSent);
    case State::kFind:
      return send({.op = zk::Op::kGetChildren, .path = options_.path}, State::kFindSent);
    case State::kStat: return send({.op = zk::Op::kExists, .path = node_}, State::kStatSent);
    case State::kList:
      woken_ = false;
      return send({.op = zk::Op::kGetChildren,
                   .path = options_.path,
                   .watch = options_.watch == WatchTarget::kChildren},
                  State::kListSent);
    case State::kLook: return look(out);
    case State::kWatch:
      return send({.op = zk::Op::kGetData, .path = child_path(waits_for_), .watch = true},
                  State::kWatchSent);
    case State::kHeld: return job_.next_line(options_.job, now, token_, out);
    case State::kRelease: return send({.op = zk::Op::kDelete, .path = node_}, State::kReleaseSent);
    case State::kIdle:
    case State::kParentSent:
    case State::kCreateSent:
    case State::kFindSent:
    case State::kStatSent:
    case State::kListSent:
    case State::kWatchSent:
    case State::kWait:
    case State::kReleaseSent:
    case State::kEnded: return;
  }
}

void FairLock::look(Outputs& out) {
  if (!listed_.present) {
    if (granted_) {
      lose(out);
      end(outcome_);
    } else {
      start_attempt();  // Somebody deleted the node: the place in the queue is gone.
    }
    return;
  }
  if (listed_.before.empty()) return grant(out);
  if (granted_) {  // Not first any more: it cannot happen while the node lives, but believe the list.
    lose(out);
    state_ = State::kRelease;
    return;
  }
  if (options_.watch == WatchTarget::kChildren) {
    waits_for_ = listed_.first;
    return wait();
  }
  waits_for_ = options_.watch == WatchTarget::kSmallest ? listed_.first : listed_.before;
  state_ = State::kWatch;
}

// ---- Replies -----------------------------------------------------------------------------------

void FairLock::on_reply(const zk::Reply& reply, Outputs& out) {
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
    case State::kWatchSent: return after_watch(reply, out);
    case State::kReleaseSent: return after_release(reply, out);
    case State::kIdle:
    case State::kParent:
    case State::kCreate:
    case State::kFind:
    case State::kStat:
    case State::kList:
    case State::kLook:
    case State::kWatch:
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
  if (zk::is_outcome_unknown(reply.error)) {
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
  const std::string prefix = "_c_" + guid() + std::string(kMarker);
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
  const std::string* first = children.first();
  const std::string* before = children.before(own);
  return {.present = true, .first = first == nullptr ? "" : *first, .before = before == nullptr ? "" : *before};
}

void FairLock::after_watch(const zk::Reply& reply, Outputs& out) {
  if (giving_up_) {
    state_ = State::kRelease;
  } else if (zk::is_outcome_unknown(reply.error)) {
    state_ = State::kList;
  } else if (reply.error == zk::Error::kNoNode) {
    switch (options_.vanished_predecessor) {
      case VanishedPredecessor::kLookAgain: state_ = State::kList; return;
      case VanishedPredecessor::kTakeForLock: return grant(out);
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

// ---- Turning points ----------------------------------------------------------------------------

void FairLock::start_attempt() {
  ++attempt_;
  granted_ = false;
  sure_ = true;
  woken_ = false;
  giving_up_ = false;
  node_.clear();
  listed_ = {};
  waits_for_.clear();
  job_.stop();
  state_ = State::kCreate;
}

void FairLock::grant(Outputs& out) {
  const bool confirmed = granted_;
  granted_ = true;
  sure_ = true;
  waits_for_.clear();
  state_ = State::kHeld;
  if (confirmed) {
    out.push_back(Notice{NoticeKind::kConfirmed, token_});
    if (!connected_) {  // Disconnected again between the list and this look.
      sure_ = false;
      out.push_back(Notice{NoticeKind::kSuspended, token_});
    }
    return;
  }
  token_ = token_of_node();
  out.push_back(Notice{NoticeKind::kAcquired, token_});
  job_.begin(options_.check_in_client);
  if (!connected_ && !options_.ignore_session_events) {
    sure_ = false;
    out.push_back(Notice{NoticeKind::kSuspended, token_});
  }
}

void FairLock::wait() {
  state_ = State::kWait;
  if (woken_ || (!connected_ && options_.watch == WatchTarget::kChildren)) state_ = State::kList;
}

void FairLock::lose(Outputs& out) {
  granted_ = false;
  sure_ = true;
  job_.stop();
  outcome_ = Belief::kLost;
  out.push_back(Notice{NoticeKind::kLost, token_});
}

void FairLock::give_up(Belief outcome) {
  if (granted_ || giving_up_) return;  // Too late: it ended in exactly one state already.
  switch (state_) {
    case State::kIdle:
    case State::kHeld:
    case State::kRelease:
    case State::kReleaseSent:
    case State::kEnded: return;
    case State::kParent:
    case State::kCreate:
      return end(outcome);  // No node yet, nothing to delete.
    case State::kList:
    case State::kLook:
    case State::kWatch:
    case State::kWait:
      outcome_ = outcome;
      giving_up_ = true;
      waits_for_.clear();
      state_ = State::kRelease;
      return;
    case State::kParentSent:
    case State::kCreateSent:
    case State::kFind:
    case State::kFindSent:
    case State::kStat:
    case State::kStatSent:
    case State::kListSent:
    case State::kWatchSent:  // The reply decides how to go on.
      outcome_ = outcome;
      giving_up_ = true;
      return;
  }
}

void FairLock::finish_round(Outputs& out) {
  giving_up_ = false;
  switch (outcome_) {
    case Belief::kReleased:
      out.push_back(Notice{NoticeKind::kReleased, token_});
      if (++rounds_done_ < options_.rounds) return start_attempt();
      break;
    case Belief::kTimedOut: out.push_back(Notice{NoticeKind::kTimedOut}); break;
    case Belief::kCancelled: out.push_back(Notice{NoticeKind::kCancelled}); break;
    case Belief::kIdle:
    case Belief::kAcquiring:
    case Belief::kWaiting:
    case Belief::kHolding:
    case Belief::kSuspended:
    case Belief::kReleasing:
    case Belief::kLost:
    case Belief::kFailed: break;
  }
  end(outcome_);
}

void FairLock::fail(zk::Error error, Outputs& out) {
  out.push_back(Notice{NoticeKind::kFailed, token_, error});
  end(Belief::kFailed);
}

void FairLock::end(Belief outcome) {
  node_.clear();
  state_ = State::kEnded;
  outcome_ = outcome;
}

// ---- What it knows -----------------------------------------------------------------------------

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

std::string FairLock::guid() const {
  const uint64_t high = mix64(hash_combine(options_.guid_seed, 2 * uint64_t{attempt_}));
  const uint64_t low = mix64(hash_combine(options_.guid_seed, 2 * uint64_t{attempt_} + 1));
  std::string text;
  append_hex(text, high >> 32, 8);
  text += '-';
  append_hex(text, high >> 16, 4);
  text += '-';
  append_hex(text, high, 4);
  text += '-';
  append_hex(text, low >> 48, 4);
  text += '-';
  append_hex(text, low, 12);
  return text;
}

std::string FairLock::child_path(const std::string& name) const {
  return options_.path == "/" ? "/" + name : options_.path + "/" + name;
}

int64_t FairLock::token_of_node() const {
  int32_t number = -1;
  switch (options_.token) {
    case TokenSource::kCzxid: return czxid_;
    case TokenSource::kSequence: return zk::sequence_of(node_, number) ? number : -1;
  }
  return -1;
}

}  // namespace lockstep::recipes
