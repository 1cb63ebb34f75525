// A learner's end of ZAB, follower or observer: it tells the leader what it has accepted, takes the new epoch,
// is sent what it lacks, and serves clients from UPTODATE on. A follower logs each proposal before it says ACK.
// When it hears nothing of its leader for syncLimit ticks it closes all connections of clients and looks for
// another; until then it goes on to answer reads from what it has.
#include <algorithm>

#include "recipes/bug.h"
#include "sim/ensemble.h"

namespace lockstep::sim {
namespace {

using trace::EventData;
using trace::EventKind;

constexpr int32_t kAttempts = 5;
constexpr TimeUs kBetweenAttempts = 100 * kMillisecond;

Learning& learning_of(World& world, uint32_t server) { return *member_of(world, server).learning; }
bool is_observer(const World& world, uint32_t server) { return world.scenario->servers[server].observer; }

void send_ack(World& world, uint32_t server, zk::Zxid zxid, int64_t cause, Effects& fx) {
  send_to_leader(world, server, {.kind = QuorumPacketKind::kAck, .zxid = zxid}, cause, fx);
}

/// The silence of a leader that a learner bears: longer while it catches up.
void hope(World& world, uint32_t server) {
  Learning& learning = learning_of(world, server);
  const Member& member = member_of(world, server);
  const bool caught_up = learning.phase == LearnerPhase::kBroadcast || member.current_epoch == member.accepted_epoch;
  const int32_t ticks = learning.phase != LearnerPhase::kDiscovery && caught_up ? world.scenario->sync_limit
                                                                               : world.scenario->init_limit;
  learning.until_us = world.now_us + ticks * world.scenario->tick_us;
}

void connect_to_leader(World& world, uint32_t server, int64_t cause, Effects& fx) {
  Member& member = member_of(world, server);
  Learning& learning = *member.learning;
  learning.phase = LearnerPhase::kDiscovery;
  learning.connection = ++member.connections;
  ++learning.attempts;
  learning.until_us = world.now_us + world.scenario->init_limit * world.scenario->tick_us;
  const auto kind = is_observer(world, server) ? QuorumPacketKind::kObserverInfo : QuorumPacketKind::kFollowerInfo;
  send_to_leader(world, server, {.kind = kind, .epoch = member.accepted_epoch}, cause, fx);
}

void hear_leader_info(World& world, uint32_t server, const QuorumPacket& packet, int64_t cause, Effects& fx) {
  Member& member = member_of(world, server);
  if (packet.epoch < member.accepted_epoch) return stop_learning(world, server, true, cause, fx);
  // Who has accepted this epoch already must not be counted for it again.
  const bool again = packet.epoch == member.accepted_epoch;
  member.accepted_epoch = packet.epoch;
  member.learning->phase = LearnerPhase::kSynchronization;
  hope(world, server);
  fx.touch_server(server);
  QuorumPacket answer{.kind = QuorumPacketKind::kAckEpoch, .epoch = again ? -1 : member.current_epoch};
  answer.zxid = member.log.last();
  send_to_leader(world, server, std::move(answer), cause, fx);
}

void hear_trunc(World& world, uint32_t server, zk::Zxid zxid, int64_t cause, Effects& fx) {
  Member& member = member_of(world, server);
  require(world.servers[server].database.zxid <= zxid || epoch_of(zxid) < epoch_of(world.servers[server].database.zxid),
          "a leader cuts off what a learner has applied");
  Fifo<Shared<Txn>> left;
  for (Shared<Txn>& txn : member.log.txns) {
    if (txn->zxid <= zxid) left.push_back(std::move(txn));
  }
  member.log.txns = std::move(left);
  member.learning->committed = std::max(member.learning->committed, zxid);
  fx.touch_server(server);
  fx.emit({LaneKind::kServer, server}, EventKind::kTruncated, cause, [&](EventData& data) { data.zxid = zxid; });
}

void hear_snap(World& world, uint32_t server, const QuorumPacket& packet, int64_t cause, Effects& fx) {
  Member& member = member_of(world, server);
  world.servers[server].database = *packet.snapshot;
  member.log = {.base = packet.zxid, .txns = {}};
  member.learning->committed = packet.zxid;
  fx.touch_server(server);
  fx.emit({LaneKind::kServer, server}, EventKind::kApplied, cause, [&](EventData& data) {
    data.what = name_of(packet.kind);
    data.zxid = packet.zxid;
  });
}

void hear_proposal(World& world, uint32_t server, const Shared<Txn>& txn, int64_t cause, Effects& fx) {
  const Member& member = member_of(world, server);
  const int64_t logged = write_to_log(world, server, txn, cause, fx);
  if (member.current_epoch == member.accepted_epoch) send_ack(world, server, txn->zxid, logged, fx);
}

void hear_commit(World& world, uint32_t server, zk::Zxid zxid, int64_t cause, Effects& fx) {
  Learning& learning = learning_of(world, server);
  learning.committed = std::max(learning.committed, zxid);
  if (learning.phase == LearnerPhase::kBroadcast) apply_log(world, server, learning.committed, cause, fx);
}

void hear_new_leader(World& world, uint32_t server, const QuorumPacket& packet, int64_t cause, Effects& fx) {
  Member& member = member_of(world, server);
  member.current_epoch = packet.epoch;
  hope(world, server);
  fx.touch_server(server);
  send_ack(world, server, first_zxid(packet.epoch), cause, fx);
  if (is_observer(world, server)) return;
  for (const Shared<Txn>& txn : member.log.txns) {
    if (txn->zxid > member.learning->committed) send_ack(world, server, txn->zxid, cause, fx);
  }
}

void hear_up_to_date(World& world, uint32_t server, int64_t cause, Effects& fx) {
  Member& member = member_of(world, server);
  Learning& learning = *member.learning;
  learning.phase = LearnerPhase::kBroadcast;
  member.elected.epoch = member.current_epoch;
  apply_log(world, server, learning.committed, cause, fx);
  Database& database = world.servers[server].database;
  database.zxid = std::max(database.zxid, first_zxid(member.current_epoch));
  fx.touch_server(server);
  const int64_t serving =
      fx.emit({LaneKind::kServer, server}, EventKind::kServing, cause, [](EventData&) {});
  send_ack(world, server, first_zxid(member.current_epoch), serving, fx);
}

void hear_ping(World& world, uint32_t server, int64_t cause, Effects& fx) {
  Learning& learning = learning_of(world, server);
  QuorumPacket answer{.kind = QuorumPacketKind::kPing};
  answer.touched.assign(learning.touched.begin(), learning.touched.end());
  learning.touched.clear();
  send_to_leader(world, server, std::move(answer), cause, fx);
}

}  // namespace

void start_learning(World& world, uint32_t server, uint32_t leader, int64_t cause, Effects& fx) {
  Member& member = member_of(world, server);
  member.learning.emplace();
  member.learning->leader = leader;
  const int64_t follows = tell_role(world, server, cause, fx);
  connect_to_leader(world, server, follows, fx);
}

void stop_learning(World& world, uint32_t server, bool connected, int64_t cause, Effects& fx) {
  const Learning& learning = learning_of(world, server);
  close_all_connections(world, server, cause, fx);
  if (connected) {
    close_peer(world, server, learning.leader, learning.connection, false, cause, fx);
  }
  start_election(world, server, cause, fx);
}

void lose_leader(World& world, uint32_t server, int64_t cause, Effects& fx) {
  Learning& learning = learning_of(world, server);
  const bool may_try_again = learning.phase == LearnerPhase::kDiscovery && learning.attempts < kAttempts;
  if (!may_try_again) return stop_learning(world, server, false, cause, fx);
  learning.phase = LearnerPhase::kConnecting;
  learning.until_us = world.now_us + kBetweenAttempts;
  fx.touch_server(server);
}

void hear_leader(World& world, uint32_t server, const QuorumPacket& packet, int64_t cause, Effects& fx) {
  hope(world, server);
  fx.touch_server(server);
  switch (packet.kind) {
    case QuorumPacketKind::kLeaderInfo: return hear_leader_info(world, server, packet, cause, fx);
    case QuorumPacketKind::kDiff: learning_of(world, server).committed = packet.zxid; return;
    case QuorumPacketKind::kTrunc: return hear_trunc(world, server, packet.zxid, cause, fx);
    case QuorumPacketKind::kSnap: return hear_snap(world, server, packet, cause, fx);
    case QuorumPacketKind::kProposal: return hear_proposal(world, server, packet.txn, cause, fx);
    case QuorumPacketKind::kCommit: return hear_commit(world, server, packet.zxid, cause, fx);
    case QuorumPacketKind::kInform:
      (void)write_to_log(world, server, packet.txn, cause, fx);
      return hear_commit(world, server, packet.txn->zxid, cause, fx);
    case QuorumPacketKind::kNewLeader: return hear_new_leader(world, server, packet, cause, fx);
    case QuorumPacketKind::kUpToDate: return hear_up_to_date(world, server, cause, fx);
    case QuorumPacketKind::kPing: return hear_ping(world, server, cause, fx);
    case QuorumPacketKind::kSync: return answer_sync(world, packet.origin, cause, fx);
    case QuorumPacketKind::kRevalidate:
      return answer_revalidation(world, packet.origin, packet.session, packet.valid, cause, fx);
    default: bug("a learner was sent what only learners send");
  }
}

void run_learning(World& world, uint32_t server, Effects& fx) {
  if (learning_of(world, server).phase == LearnerPhase::kConnecting) {
    return connect_to_leader(world, server, trace::kNoEvent, fx);
  }
  stop_learning(world, server, true, trace::kNoEvent, fx);
}

}  // namespace lockstep::sim
