// What makes a server a member of an ensemble: its vote, its log, and what it keeps as leader or as learner
// (a follower or an observer). After ZooKeeper 3.8: fast leader election, then discovery, synchronization and
// broadcast of ZAB. The rules stand in election.cpp, leading.cpp and learning.cpp.
//
// Servers go by their place in the scenario, which is also the order of their ids. Time-outs are counted in the
// servers' ticks: initLimit while a learner connects and catches up, syncLimit afterwards.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "recipes/fields.h"
#include "scenario/scenario.h"
#include "sim/acl.h"
#include "sim/database.h"
#include "sim/fifo.h"
#include "sim/shared.h"
#include "sim/txn.h"
#include "trace/snapshot.h"

namespace lockstep::sim {

// ---- Votes -------------------------------------------------------------------------------------

struct Vote {
  uint32_t server = 0;  // for whom
  zk::Zxid zxid = 0;    // the last in that server's log
  int32_t epoch = 0;    // its current epoch

  bool operator==(const Vote&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("server", self.server);
    visit("zxid", self.zxid);
    visit("epoch", self.epoch);
  }
};

/// The order of votes: epoch, then zxid, then the server's id.
bool beats(const Vote& vote, const Vote& other);

/// A vote as somebody has sent it.
struct Ballot {
  Vote vote;
  int64_t round = 0;  // the sender's logical clock
  trace::ServerRole role = trace::ServerRole::kLooking;

  bool operator==(const Ballot&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("vote", self.vote);
    visit("round", self.round);
    visit("role", self.role);
  }
};

/// A server that is LOOKING.
struct Election {
  Vote vote;
  std::map<uint32_t, Ballot> ballots;  // of this round, by server
  std::map<uint32_t, Ballot> settled;  // of servers that follow or lead, whatever their round
  TimeUs resend_us = 0;        // when it tells its vote again, if it hears nothing
  TimeUs resend_after_us = 0;  // doubles each time
  TimeUs decide_us = INT64_MAX;  // a quorum agrees: the end of the wait for a better vote

  bool operator==(const Election&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("vote", self.vote);
    visit("ballots", self.ballots);
    visit("settled", self.settled);
    visit("resend_us", self.resend_us);
    visit("resend_after_us", self.resend_after_us);
    visit("decide_us", self.decide_us);
  }
};

// ---- The log -----------------------------------------------------------------------------------

/// Proposals on disk. What lies before `base` is in the database, and was cut off.
struct Log {
  zk::Zxid base = 0;
  Fifo<Shared<Txn>> txns;

  zk::Zxid last() const { return txns.empty() ? base : txns.end()[-1]->zxid; }

  bool operator==(const Log&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("base", self.base);
    visit("txns", self.txns);
  }
};

/// How many applied transactions a log keeps, so that a learner that is behind can be sent what it lacks
/// (ZooKeeper's commitLogCount); one that is further behind is sent a snapshot.
constexpr size_t kLogKept = 500;

// ---- A learner: follower or observer -------------------------------------------------------------

enum class LearnerPhase : uint8_t {
  kConnecting,  // about to connect to the leader at `until_us`
  kDiscovery,   // has sent FOLLOWERINFO, waits for the new epoch
  kSynchronization,
  kBroadcast,  // UPTODATE: serves clients
};

struct Learning {
  uint32_t leader = 0;
  uint32_t connection = 0;
  LearnerPhase phase = LearnerPhase::kConnecting;
  int32_t attempts = 0;     // to connect
  TimeUs until_us = 0;      // when it gives up on a silent leader; kConnecting: when it tries
  zk::Zxid committed = 0;   // as far as the leader has told
  std::set<uint32_t> touched;  // sessions heard of since the leader's last ping

  bool operator==(const Learning&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("leader", self.leader);
    visit("connection", self.connection);
    visit("phase", self.phase);
    visit("attempts", self.attempts);
    visit("until_us", self.until_us);
    visit("committed", self.committed);
    visit("touched", self.touched);
  }
};

// ---- A leader ----------------------------------------------------------------------------------

enum class HandlerPhase : uint8_t {
  kNone,      // no connection
  kInfo,      // FOLLOWERINFO has come
  kAckEpoch,  // ACKEPOCH has come
  kSyncing,   // everything that it lacks and NEWLEADER were sent
  kSynced,    // has acknowledged NEWLEADER
};

/// A leader's end of the connection with a learner (ZooKeeper's LearnerHandler).
struct Handler {
  HandlerPhase phase = HandlerPhase::kNone;
  uint32_t connection = 0;
  int32_t epoch = 0;   // accepted; with ACKEPOCH: current
  zk::Zxid zxid = 0;   // the last in its log
  TimeUs until_us = 0;  // when silence ends the connection
  int64_t tick_until = 0;  // the last tick in which it counts as synced without being heard

  bool operator==(const Handler&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("phase", self.phase);
    visit("connection", self.connection);
    visit("epoch", self.epoch);
    visit("zxid", self.zxid);
    visit("until_us", self.until_us);
    visit("tick_until", self.tick_until);
  }
};

struct Proposal {
  Shared<Txn> txn;
  uint32_t acks = 0;  // one bit a server that has logged it

  bool operator==(const Proposal&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("txn", self.txn);
    visit("acks", self.acks);
  }
};

/// A sync that waits for what was proposed before it.
struct PendingSync {
  zk::Zxid after = 0;
  Origin origin;

  bool operator==(const PendingSync&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("after", self.after);
    visit("origin", self.origin);
  }
};

enum class LeaderPhase : uint8_t { kDiscovery, kSynchronization, kBroadcast };

struct Leading {
  LeaderPhase phase = LeaderPhase::kDiscovery;
  int32_t epoch = 0;     // the new one, once a quorum has told its accepted epochs
  TimeUs until_us = 0;   // when it gives up on reaching kBroadcast
  std::vector<Handler> handlers;  // by server
  zk::Zxid zxid = 0;     // the last that was given
  Fifo<Proposal> outstanding;
  DataTree prep;         // the tree as it will be once all that is outstanding has been applied
  Fifo<PendingSync> syncs;
  TimeUs ping_us = 0;    // twice a tick
  int64_t half_ticks = 0;

  bool operator==(const Leading&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("phase", self.phase);
    visit("epoch", self.epoch);
    visit("until_us", self.until_us);
    visit("handlers", self.handlers);
    visit("zxid", self.zxid);
    visit("outstanding", self.outstanding);
    visit("prep", self.prep);
    visit("syncs", self.syncs);
    visit("ping_us", self.ping_us);
    visit("half_ticks", self.half_ticks);
  }
};

// ---- A member ----------------------------------------------------------------------------------

/// Exactly one of the last three is there while the server is up.
struct Member {
  // On disk.
  int32_t accepted_epoch = 0;
  int32_t current_epoch = 0;
  Log log;
  // Counts that survive, so that no message of an earlier life is taken for one of this.
  uint32_t incarnation = 1;
  uint32_t connections = 0;

  int64_t round = 0;                   // the logical clock of elections
  std::map<uint32_t, uint32_t> peers;  // by server: the incarnation with which it was heard to vote last
  Vote elected;                        // what the last election ended in
  std::optional<Election> election;
  std::optional<Learning> learning;
  std::optional<Leading> leading;

  bool operator==(const Member&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("accepted_epoch", self.accepted_epoch);
    visit("current_epoch", self.current_epoch);
    visit("log", self.log);
    visit("incarnation", self.incarnation);
    visit("connections", self.connections);
    visit("round", self.round);
    visit("peers", self.peers);
    visit("elected", self.elected);
    visit("election", self.election);
    visit("learning", self.learning);
    visit("leading", self.leading);
  }
};

/// Whether `count` of the scenario's voters are strictly more than half of them.
bool is_quorum(const scenario::Scenario& scenario, size_t count);
/// How many voters `servers` (one bit each) has.
size_t voters_in(const scenario::Scenario& scenario, uint32_t servers);

// ---- What servers send each other --------------------------------------------------------------

enum class QuorumPacketKind : uint8_t {
  kNotification,  // election
  kFollowerInfo,
  kObserverInfo,
  kLeaderInfo,
  kAckEpoch,
  kDiff,
  kTrunc,
  kSnap,
  kNewLeader,
  kUpToDate,
  kProposal,
  kAck,
  kCommit,
  kInform,  // to observers, who are not asked
  kRequest,
  kSync,
  kRevalidate,
  kPing,
  kFin,  // the sender has closed the TCP connection
};

/// One message between servers. Which members mean something depends on the kind.
struct QuorumPacket {
  QuorumPacketKind kind = QuorumPacketKind::kPing;
  bool from_leader = false;   // sent by the leader's end of a connection, not the learner's
  Ballot ballot;              // kNotification
  uint32_t incarnation = 0;   // kNotification: of the receiver, as its sender knew it
  uint32_t sender = 0;        // kNotification: of the sender
  int32_t epoch = 0;          // kFollowerInfo, kLeaderInfo, kAckEpoch, kNewLeader
  zk::Zxid zxid = 0;          // kAckEpoch, kDiff, kTrunc, kAck, kCommit
  Shared<Txn> txn;            // kProposal, kInform
  Shared<Database> snapshot;  // kSnap
  TxnKind asked = TxnKind::kWrite;  // kRequest
  zk::Request request;        // kRequest, of kind kWrite
  Ids ids;                    // the same: of which the client has given proof
  uint32_t session = 0;       // kRequest, kSync, kRevalidate: index in World::sessions
  bool valid = false;         // kRevalidate, in answer
  Origin origin;              // kRequest, kSync, kRevalidate
  std::vector<uint32_t> touched;  // kPing, in answer: sessions

  bool operator==(const QuorumPacket&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("kind", self.kind);
    visit("from_leader", self.from_leader);
    visit("ballot", self.ballot);
    visit("incarnation", self.incarnation);
    visit("sender", self.sender);
    visit("epoch", self.epoch);
    visit("zxid", self.zxid);
    visit("txn", self.txn);
    visit("snapshot", self.snapshot);
    visit("asked", self.asked);
    visit("request", self.request);
    visit("ids", self.ids);
    visit("session", self.session);
    visit("valid", self.valid);
    visit("origin", self.origin);
    visit("touched", self.touched);
  }
};

/// ZooKeeper's name of a kind ("NEWLEADER"); an election's message is a "notification".
std::string_view name_of(QuorumPacketKind kind);

}  // namespace lockstep::sim
