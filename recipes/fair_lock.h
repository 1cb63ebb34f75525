// The fair lock: a queue of ephemeral sequential nodes, each waiter watching the one before it.
//
// Rules (ZooKeeper's recipes page, "Locks", and what its reports taught since):
//   1. Create an ephemeral sequential child whose name carries a GUID of this attempt. If the reply is
//      lost, look for the GUID before creating another: the first create may have been applied.
//   2. List the children, sort by the number behind the name, as signed integers.
//   3. Own node first: the lock is held, and its token is fixed: the own node's czxid.
//   4. Else read the node just before, with a watch. It is gone: list again. It is there: wait.
//   5. Any event, of the watch or of the session, means: list again. An event is a hint, not a grant.
//   6. While disconnected a holder is not sure: it starts nothing that writes. Reconnected, it lists
//      again before it goes on. Expired, it has lost the lock, whatever it was doing; a release that was
//      under way has released nothing that it knows of.
//   7. Release deletes the own node and no other, and repeats the delete until its outcome is known.
//   8. A waiter that times out or is cancelled deletes its node too; it ends in exactly one state.
//
// States and the line on which each stands (a state in CAPITALS is about to run its line):
//
//   IDLE -Start,Connected-> CREATE -> creating -ok-> LIST -> listing -> LOOK -first-> held
//                             |  ^        |unknown       ^                |not first
//                             |  |none    v              |NoNode,event    v
//                     NoNode: PARENT    FIND->STAT-ok->LIST   wait <-ok- WATCH -> watching
//   held -job done, Release-> RELEASE -> releasing -Ok,NoNode-> ended (or CREATE, next round)
//   held -Disconnected-> suspended -Connected-> LIST ... LOOK -still first-> held
//   any -Expired-> ended
//
// What it gives: among live sessions at most one first node; grants in the order of creation; one
// waiter woken by a release. What it does not give: that a client which believes that it holds the
// lock does hold it (pauses, partitions). Only the resource can refuse a stale write (the token).
// Cost of an uncontended round: 1 create, 1 getChildren, 1 delete; waiting adds 1 getData with a
// watch, and 1 getChildren when woken.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "recipes/job.h"
#include "recipes/listing.h"
#include "recipes/machine.h"

namespace lockstep::recipes {

/// Which node a waiter watches. Only kPredecessor is right.
enum class WatchTarget : uint8_t { kPredecessor, kSmallest, kChildren };
/// What a waiter makes of a predecessor that vanished between list and watch. Only kLookAgain is right.
enum class VanishedPredecessor : uint8_t { kLookAgain, kTakeForLock, kIgnore };
/// Where a token comes from. Only kCzxid is bound to the grant and never falls, whatever becomes of the parent.
enum class TokenSource : uint8_t { kCzxid, kSequence, kUuid, kClock };
/// What a create whose outcome is unknown is followed by. Only kFindOwn is right.
enum class LostCreateReply : uint8_t { kFindOwn, kCreateAgain };
/// In which order the queue is read. Only kNumber is right: names begin with a GUID.
enum class QueueOrder : uint8_t { kNumber, kWholeName };
/// What a holder makes of being connected again. Only kLookAgain is right.
enum class AfterReconnect : uint8_t { kLookAgain, kBelieve };
/// Which node a release, or giving up, deletes. Only kOwn is right.
enum class ReleasedNode : uint8_t { kOwn, kSmallest };
/// What a client does once its session has expired: stop, or open a new session and queue again.
enum class AfterExpiry : uint8_t { kStop, kRequeue };

struct FairLockOptions {
  std::string path = "/locks/sku-1";  ///< the lock's parent node
  uint64_t guid_seed = 1;             ///< different for every client of a run
  TimeUs acquire_timeout_us = 0;      ///< 0: wait for ever
  int32_t rounds = 1;                 ///< how often to acquire and release
  TokenSource token = TokenSource::kCzxid;
  AfterExpiry after_expiry = AfterExpiry::kStop;
  TimeUs clock_ahead_us = 0;          ///< of this client's clock, from which kClock takes tokens
  JobPlan job;

  // Mistakes. Each default is the right way.
  WatchTarget watch = WatchTarget::kPredecessor;
  VanishedPredecessor vanished_predecessor = VanishedPredecessor::kLookAgain;
  bool believe_wake_up = false;         ///< an event is taken for the grant
  bool ignore_session_events = false;   ///< Disconnected and Expired change nothing
  bool check_in_client = false;         ///< compare tokens here, before the write
  bool leave_node_on_timeout = false;   ///< give up waiting without deleting the node
  LostCreateReply lost_create_reply = LostCreateReply::kFindOwn;
  QueueOrder queue_order = QueueOrder::kNumber;
  AfterReconnect after_reconnect = AfterReconnect::kLookAgain;
  ReleasedNode released_node = ReleasedNode::kOwn;
  bool forget_early_events = false;     ///< wait/notify: an event that comes before the wait has begun is lost

  bool operator==(const FairLockOptions&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("path", self.path);
    visit("guid_seed", self.guid_seed);
    visit("acquire_timeout_us", self.acquire_timeout_us);
    visit("rounds", self.rounds);
    visit("token", self.token);
    visit("after_expiry", self.after_expiry);
    visit("clock_ahead_us", self.clock_ahead_us);
    visit("job", self.job);
    visit("watch", self.watch);
    visit("vanished_predecessor", self.vanished_predecessor);
    visit("believe_wake_up", self.believe_wake_up);
    visit("ignore_session_events", self.ignore_session_events);
    visit("check_in_client", self.check_in_client);
    visit("leave_node_on_timeout", self.leave_node_on_timeout);
    visit("lost_create_reply", self.lost_create_reply);
    visit("queue_order", self.queue_order);
    visit("after_reconnect", self.after_reconnect);
    visit("released_node", self.released_node);
    visit("forget_early_events", self.forget_early_events);
  }
};

/// The lines of the listing, by number.
enum class FairLockLine : uint8_t {
  kNone = 0,
  kCreate = 1,
  kFind = 2,
  kList = 3,
  kLook = 4,
  kWatch = 5,
  kWait = 6,
  kWork = 7,
  kCheck = 8,
  kWrite = 9,
  kRelease = 10,
};

class FairLock {
 public:
  FairLock() = default;
  explicit FairLock(FairLockOptions options) : options_(std::move(options)) {}

  /// Takes one input and appends its effects to `out`. NextLine requires ready().
  void handle(const Input& input, TimeUs now, Outputs& out);

  /// True if the machine is about to run its current line, and nothing keeps it from doing so.
  bool ready() const;
  /// True once the client has nothing more to do.
  bool ended() const { return state_ == State::kEnded; }

  FairLockLine line() const;
  Belief belief() const;
  /// The token of the current or last grant; -1 if there was none.
  int64_t token() const { return token_; }
  /// The own node's full path, as far as the client knows it; empty if none.
  const std::string& node() const { return node_; }
  /// The name of the node that it waits for; empty unless waiting.
  const std::string& waits_for() const { return waits_for_; }
  /// Rounds finished so far.
  int32_t rounds_done() const { return rounds_done_; }
  const FairLockOptions& options() const { return options_; }

  bool operator==(const FairLock&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("options", self.options_);
    visit("state", self.state_);
    visit("connected", self.connected_);
    visit("granted", self.granted_);
    visit("sure", self.sure_);
    visit("woken", self.woken_);
    visit("giving_up", self.giving_up_);
    visit("session", self.session_);
    visit("attempt", self.attempt_);
    visit("node", self.node_);
    visit("czxid", self.czxid_);
    visit("listed", self.listed_);
    visit("waits_for", self.waits_for_);
    visit("missing_parent", self.missing_parent_);
    visit("token", self.token_);
    visit("job", self.job_);
    visit("outcome", self.outcome_);
    visit("rounds_done", self.rounds_done_);
  }

 private:
  /// What the last list said about the queue; more of it is never needed.
  struct Listed {
    bool present = false;  // the own node is in it
    std::string first;     // the name with the lowest number
    std::string before;    // the name just before the own; empty if the own is first

    bool operator==(const Listed&) const = default;

    template <class Self, class Visit>
    static void each_field(Self& self, Visit&& visit) {
      visit("present", self.present);
      visit("first", self.first);
      visit("before", self.before);
    }
  };

  enum class State : uint8_t {
    kIdle,
    kParent,
    kParentSent,
    kCreate,
    kCreateSent,
    kFind,
    kFindSent,
    kStat,
    kStatSent,
    kList,
    kListSent,
    kLook,
    kWatch,
    kWatchSent,
    kBeginWait,  // with forget_early_events only: else waiting begins with the watch
    kWait,
    kHeld,
    kRelease,
    kReleaseSent,
    kEnded,
  };

  // Inputs.
  void on_start(TimeUs now, Outputs& out);
  void on_session(const SessionChanged& change, Outputs& out);
  void on_reply(const zk::Reply& reply, TimeUs now, Outputs& out);
  void on_watch(TimeUs now, Outputs& out);
  void on_deadline(DeadlineId id, Outputs& out);
  void on_command(CommandKind kind);
  void on_resource(const ResourceReplied& reply, Outputs& out);
  void run_line(TimeUs now, Outputs& out);

  // Replies, one function a state that waits for one.
  void after_parent(const zk::Reply& reply, Outputs& out);
  void after_create(const zk::Reply& reply, Outputs& out);
  void after_find(const zk::Reply& reply, Outputs& out);
  void after_stat(const zk::Reply& reply, Outputs& out);
  void after_list(const zk::Reply& reply, Outputs& out);
  Listed sort_out(const Names& children) const;
  Listed sort_by_name(const Names& children, const std::string& own) const;
  void after_watch(const zk::Reply& reply, TimeUs now, Outputs& out);
  void after_release(const zk::Reply& reply, Outputs& out);

  void look(TimeUs now, Outputs& out);
  void grant(TimeUs now, Outputs& out);
  void wait();
  void lose(Outputs& out);
  void give_up(Belief outcome);
  void start_attempt();
  void finish_round(Outputs& out);
  void fail(zk::Error error, Outputs& out);
  void end(Belief outcome);
  void expire(Outputs& out);
  void be_sure_again(Outputs& out);
  std::string own_prefix() const;
  std::string child_path(const std::string& name) const;
  int64_t token_at(TimeUs now) const;
  std::string released_path() const;

  FairLockOptions options_;
  State state_ = State::kIdle;
  bool connected_ = false;
  bool granted_ = false;    // acquired, and neither released nor known to be lost
  bool sure_ = true;        // false from Disconnected until looked again
  bool woken_ = false;      // an event came while looking
  bool giving_up_ = false;  // timed out or cancelled; outcome_ says which
  zk::SessionId session_ = 0;
  uint32_t attempt_ = 0;
  std::string node_;
  zk::Zxid czxid_ = 0;
  Listed listed_;
  std::string waits_for_;
  std::string missing_parent_;
  int64_t token_ = -1;
  Job job_;
  Belief outcome_ = Belief::kIdle;
  int32_t rounds_done_ = 0;
};

/// "create", "find", "list", "look", "watch", "wait", "work", "check", "write", "release".
std::string_view fair_lock_line_id(int number);

/// The program as the learner reads it, with the lines that `options` changes marked.
Listing fair_lock_listing(const FairLockOptions& options);

}  // namespace lockstep::recipes
