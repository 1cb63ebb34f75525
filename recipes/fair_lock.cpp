#include "recipes/fair_lock.h"

#include "recipes/bug.h"

namespace lockstep::recipes {

// ---- Inputs ------------------------------------------------------------------------------------

void FairLock::handle(const Input& input, TimeUs now, Outputs& out) {
  std::visit(overloaded{
                 [&](const Start&) { on_start(now, out); },
                 [&](const ReplyArrived& arrived) { on_reply(arrived.reply, now, out); },
                 [&](const WatchFired&) { on_watch(now, out); },
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
      if (state_ == State::kHeld && !sure_) be_sure_again(out);
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

void FairLock::be_sure_again(Outputs& out) {
  if (options_.after_reconnect == AfterReconnect::kLookAgain) {
    state_ = State::kList;
    return;
  }
  sure_ = true;
  out.push_back(Notice{NoticeKind::kConfirmed, token_});
}

void FairLock::expire(Outputs& out) {
  if (state_ == State::kIdle || ended()) return;
  if (granted_ && options_.after_reconnect == AfterReconnect::kBelieve) {  // A new session is a connection, too.
    out.push_back(OpenSession{});
    return;
  }
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

void FairLock::on_watch(TimeUs now, Outputs& out) {
  if (state_ != State::kWait) {
    woken_ = true;
  } else if (options_.believe_wake_up) {
    grant(now, out);
  } else {
    state_ = State::kList;
  }
}

void FairLock::on_deadline(DeadlineId id, Outputs& out) {
  switch (id) {
    case DeadlineId::kAcquireTimeout:
      if (options_.leave_node_on_timeout && (state_ == State::kWait || state_ == State::kBeginWait)) {
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
    case State::kLook:
    case State::kBeginWait: return true;
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
                   .path = child_path(own_prefix()),
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
    case State::kLook: return look(now, out);
    case State::kBeginWait: state_ = State::kWait; return;
    case State::kWatch:
      return send({.op = zk::Op::kGetData, .path = child_path(waits_for_), .watch = true},
                  State::kWatchSent);
    case State::kHeld: return job_.next_line(options_.job, now, token_, out);
    case State::kRelease: return send({.op = zk::Op::kDelete, .path = released_path()}, State::kReleaseSent);
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

void FairLock::look(TimeUs now, Outputs& out) {
  if (!listed_.present) {
    if (granted_) {
      lose(out);
      end(outcome_);
    } else {
      start_attempt();  // Somebody deleted the node: the place in the queue is gone.
    }
    return;
  }
  if (listed_.before.empty()) return grant(now, out);
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

void FairLock::grant(TimeUs now, Outputs& out) {
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
  token_ = token_at(now);
  out.push_back(Notice{NoticeKind::kAcquired, token_});
  job_.begin(options_.check_in_client);
  if (!connected_ && !options_.ignore_session_events) {
    sure_ = false;
    out.push_back(Notice{NoticeKind::kSuspended, token_});
  }
}

void FairLock::wait() {
  state_ = options_.forget_early_events ? State::kBeginWait : State::kWait;
  if (options_.forget_early_events) return;
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
    case State::kBeginWait:
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

}  // namespace lockstep::recipes
