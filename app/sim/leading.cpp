// A leader's end of ZAB. Discovery: a quorum tells its accepted epochs, and the new epoch is one above all of
// them. Synchronization: each learner is sent what it lacks, and a quorum acknowledges NEWLEADER; only then
// does the leader serve. Broadcast: a proposal is committed once strictly more than half of the voters have
// logged it, in the order of zxids. A leader that does not hear a quorum for syncLimit ticks gives up.
#include <algorithm>

#include "recipes/bug.h"
#include "sim/ensemble.h"

namespace lockstep::sim {
namespace {

using trace::EventData;
using trace::EventKind;

Leading& leading_of(World& world, uint32_t server) { return *member_of(world, server).leading; }
bool is_voter(const World& world, uint32_t server) { return !world.scenario->servers[server].observer; }
TimeUs init_time(const World& world) { return world.scenario->init_limit * world.scenario->tick_us; }
TimeUs sync_time(const World& world) { return world.scenario->sync_limit * world.scenario->tick_us; }

void send(World& world, uint32_t server, uint32_t to, QuorumPacket&& packet, int64_t cause, Effects& fx) {
  packet.from_leader = true;
  send_to_peer(world, server, to, leading_of(world, server).handlers[to].connection, std::move(packet), cause, fx);
}

bool gets_proposals(const Handler& handler) {
  return handler.phase == HandlerPhase::kSyncing || handler.phase == HandlerPhase::kSynced;
}

/// Of the voters, the leader itself included, how many have come to `phase` at least.
size_t voters_at(const World& world, uint32_t server, HandlerPhase phase) {
  const Leading& leading = *member_of(world, server).leading;
  size_t count = 0;
  for (uint32_t i = 0; i < leading.handlers.size(); ++i) {
    count += is_voter(world, i) && (i == server || leading.handlers[i].phase >= phase) ? 1 : 0;
  }
  return count;
}

bool quorum_at(const World& world, uint32_t server, HandlerPhase phase) {
  return is_quorum(*world.scenario, voters_at(world, server, phase));
}

/// Everything up to here counts as committed for a learner that catches up: before the epoch has begun, the
/// leader's whole log.
zk::Zxid committed_by(const World& world, uint32_t server) {
  const Member& member = member_of(world, server);
  if (member.leading->outstanding.empty()) return member.log.last();
  const zk::Zxid pending = member.leading->outstanding.front().txn->zxid;
  zk::Zxid committed = member.log.base;
  for (const Shared<Txn>& txn : member.log.txns) {
    if (txn->zxid >= pending) break;
    committed = txn->zxid;
  }
  return committed;
}

// ---- Synchronization -----------------------------------------------------------------------------

/// The last transaction that the leader's committed log and the learner's share: the learner's last one if the
/// leader has it, else the highest below it.
zk::Zxid common_zxid(const World& world, uint32_t server, zk::Zxid last, zk::Zxid committed) {
  const Log& log = member_of(world, server).log;
  zk::Zxid common = log.base;
  for (const Shared<Txn>& txn : log.txns) {
    if (txn->zxid > last || txn->zxid > committed) break;
    common = txn->zxid;
  }
  return common;
}

/// Sends the learner what it lacks, then NEWLEADER.
void synchronize(World& world, uint32_t server, uint32_t learner, int64_t cause, Effects& fx) {
  Leading& leading = leading_of(world, server);
  const Member& member = member_of(world, server);
  Handler& handler = leading.handlers[learner];
  handler.phase = HandlerPhase::kSyncing;
  const zk::Zxid committed = committed_by(world, server);
  zk::Zxid from = common_zxid(world, server, handler.zxid, committed);
  QuorumPacket first{.kind = QuorumPacketKind::kDiff};
  first.zxid = committed;
  if (handler.zxid < member.log.base) {
    first.kind = QuorumPacketKind::kSnap;
    first.snapshot = Shared<Database>(Database(world.servers[server].database));
    from = common_zxid(world, server, world.servers[server].database.zxid, committed);
    first.zxid = from;
  } else if (from != handler.zxid) {
    first.kind = QuorumPacketKind::kTrunc;
    first.zxid = from;
  }
  send(world, server, learner, std::move(first), cause, fx);
  for (const Shared<Txn>& txn : member.log.txns) {
    if (txn->zxid <= from) continue;
    send(world, server, learner, {.kind = QuorumPacketKind::kProposal, .txn = txn}, cause, fx);
    if (txn->zxid > committed) continue;
    send(world, server, learner, {.kind = QuorumPacketKind::kCommit, .zxid = txn->zxid}, cause, fx);
  }
  // What it is sent again counts only once it has been logged again.
  for (Proposal& proposal : leading.outstanding) proposal.acks &= ~(1u << learner);
  send(world, server, learner, {.kind = QuorumPacketKind::kNewLeader, .epoch = leading.epoch}, cause, fx);
}

void send_up_to_date(World& world, uint32_t server, uint32_t learner, int64_t cause, Effects& fx) {
  send(world, server, learner, {.kind = QuorumPacketKind::kUpToDate}, cause, fx);
}

/// A quorum has the leader's history: the epoch begins.
void establish(World& world, uint32_t server, int64_t cause, Effects& fx) {
  Member& member = member_of(world, server);
  Leading& leading = *member.leading;
  require(member.log.last() >= world.committed.zxid, "a leader was established that lacks what was committed");
  leading.phase = LeaderPhase::kBroadcast;
  leading.zxid = first_zxid(leading.epoch);
  leading.ping_us = world.now_us + world.scenario->tick_us / 2;
  leading.half_ticks = 0;
  member.elected.epoch = leading.epoch;
  apply_log(world, server, member.log.last(), cause, fx);
  Database& database = world.servers[server].database;
  database.zxid = std::max(database.zxid, leading.zxid);
  leading.prep = database.tree;
  begin_container_checks(world, server);
  track_all_sessions(world, server, cause, fx);
  fx.touch_server(server);
  const int64_t serving =
      fx.emit({LaneKind::kServer, server}, EventKind::kServing, cause, [](EventData&) {});
  for (uint32_t learner = 0; learner < leading.handlers.size(); ++learner) {
    if (leading.handlers[learner].phase == HandlerPhase::kSynced) send_up_to_date(world, server, learner, serving, fx);
  }
}

// ---- Discovery -----------------------------------------------------------------------------------

void send_epoch(World& world, uint32_t server, uint32_t learner, int64_t cause, Effects& fx) {
  send(world, server, learner, {.kind = QuorumPacketKind::kLeaderInfo, .epoch = leading_of(world, server).epoch},
       cause, fx);
}

/// Once a quorum has told its accepted epochs, the new one is above all of them.
void choose_epoch(World& world, uint32_t server, int64_t cause, Effects& fx) {
  Member& member = member_of(world, server);
  Leading& leading = *member.leading;
  if (leading.epoch != 0 || !quorum_at(world, server, HandlerPhase::kInfo)) return;
  int32_t highest = member.accepted_epoch;
  for (uint32_t i = 0; i < leading.handlers.size(); ++i) {
    if (is_voter(world, i) && leading.handlers[i].phase != HandlerPhase::kNone) {
      highest = std::max(highest, leading.handlers[i].epoch);
    }
  }
  leading.epoch = member.accepted_epoch = highest + 1;
  fx.touch_server(server);
  for (uint32_t i = 0; i < leading.handlers.size(); ++i) {
    if (leading.handlers[i].phase == HandlerPhase::kInfo) send_epoch(world, server, i, cause, fx);
  }
}

/// Once a quorum has accepted the epoch, everybody who has is synchronized.
void begin_synchronization(World& world, uint32_t server, int64_t cause, Effects& fx) {
  Member& member = member_of(world, server);
  Leading& leading = *member.leading;
  if (leading.phase == LeaderPhase::kDiscovery) {
    if (leading.epoch == 0 || !quorum_at(world, server, HandlerPhase::kAckEpoch)) return;
    leading.phase = LeaderPhase::kSynchronization;
    leading.until_us = world.now_us + init_time(world);
    member.current_epoch = leading.epoch;
    fx.touch_server(server);
  }
  for (uint32_t i = 0; i < leading.handlers.size(); ++i) {
    if (leading.handlers[i].phase == HandlerPhase::kAckEpoch) synchronize(world, server, i, cause, fx);
  }
  if (leading.phase == LeaderPhase::kSynchronization && quorum_at(world, server, HandlerPhase::kSynced)) {
    establish(world, server, cause, fx);
  }
}

void hear_info(World& world, uint32_t server, uint32_t from, const QuorumPacket& packet, uint32_t connection,
               int64_t cause, Effects& fx) {
  Leading& leading = leading_of(world, server);
  const int64_t tick = leading.half_ticks / 2;
  leading.handlers[from] = {.phase = HandlerPhase::kInfo,
                            .connection = connection,
                            .epoch = packet.epoch,
                            .until_us = world.now_us + init_time(world),
                            .tick_until = tick + world.scenario->init_limit + world.scenario->sync_limit};
  if (leading.epoch != 0) return send_epoch(world, server, from, cause, fx);
  choose_epoch(world, server, cause, fx);
}

void hear_ack_epoch(World& world, uint32_t server, uint32_t from, const QuorumPacket& packet, int64_t cause,
                    Effects& fx) {
  const Member& member = member_of(world, server);
  Handler& handler = leading_of(world, server).handlers[from];
  handler.zxid = packet.zxid;
  handler.phase = HandlerPhase::kAckEpoch;
  const bool ahead = std::pair(packet.epoch, packet.zxid) > std::pair(member.current_epoch, member.log.last());
  // A leader never takes over what it lacks: then somebody else must lead.
  if (ahead && is_voter(world, from) && member.leading->phase == LeaderPhase::kDiscovery) {
    return stop_leading(world, server, cause, fx);
  }
  begin_synchronization(world, server, cause, fx);
}

// ---- Broadcast -----------------------------------------------------------------------------------

void answer_sync_of(World& world, uint32_t server, const Origin& origin, int64_t cause, Effects& fx) {
  if (origin.server == server) return answer_sync(world, origin, cause, fx);
  if (!gets_proposals(leading_of(world, server).handlers[origin.server])) return;
  QuorumPacket answer{.kind = QuorumPacketKind::kSync};
  answer.origin = origin;
  send(world, server, origin.server, std::move(answer), cause, fx);
}

void commit_first(World& world, uint32_t server, int64_t cause, Effects& fx) {
  Leading& leading = leading_of(world, server);
  const Shared<Txn> txn = leading.outstanding.pop().txn;
  apply_txn(world, server, *txn, cause, fx);
  const int64_t committed = fx.next() - 1;
  for (uint32_t i = 0; i < leading.handlers.size(); ++i) {
    if (!gets_proposals(leading.handlers[i])) continue;
    if (is_voter(world, i)) {
      send(world, server, i, {.kind = QuorumPacketKind::kCommit, .zxid = txn->zxid}, committed, fx);
    } else {
      send(world, server, i, {.kind = QuorumPacketKind::kInform, .txn = txn}, committed, fx);
    }
  }
  while (!leading.syncs.empty() && leading.syncs.front().after <= txn->zxid) {
    answer_sync_of(world, server, leading.syncs.pop().origin, committed, fx);
  }
}

void commit_what_can_be(World& world, uint32_t server, int64_t cause, Effects& fx) {
  Leading& leading = leading_of(world, server);
  while (!leading.outstanding.empty() &&
         is_quorum(*world.scenario, voters_in(*world.scenario, leading.outstanding.front().acks))) {
    commit_first(world, server, cause, fx);
  }
}

void hear_ack(World& world, uint32_t server, uint32_t from, const QuorumPacket& packet, int64_t cause, Effects& fx) {
  Leading& leading = leading_of(world, server);
  Handler& handler = leading.handlers[from];
  if (handler.phase == HandlerPhase::kSyncing && packet.zxid == first_zxid(leading.epoch)) {
    handler.phase = HandlerPhase::kSynced;
    if (leading.phase == LeaderPhase::kBroadcast) return send_up_to_date(world, server, from, cause, fx);
    if (quorum_at(world, server, HandlerPhase::kSynced)) establish(world, server, cause, fx);
    return;
  }
  for (Proposal& proposal : leading.outstanding) {
    if (proposal.txn->zxid == packet.zxid) proposal.acks |= 1u << from;
  }
  commit_what_can_be(world, server, cause, fx);
}

void hear_request(World& world, uint32_t server, const QuorumPacket& packet, int64_t cause, Effects& fx) {
  if (packet.asked == TxnKind::kCloseSession) {
    return close_session(world, server, packet.session, false, cause, fx);
  }
  Txn txn;
  if (packet.asked == TxnKind::kWrite) {
    txn = prepare(world, server, packet.request, packet.session, packet.ids, packet.origin);
  } else {
    txn.kind = packet.asked;
    txn.session = packet.session;
    txn.awaited = true;
    txn.origin = packet.origin;
  }
  take_up(world, server, std::move(txn), cause, fx);
}

void hear_revalidate(World& world, uint32_t server, uint32_t from, const QuorumPacket& packet, int64_t cause,
                     Effects& fx) {
  QuorumPacket answer = packet;
  answer.valid = revalidate(world, server, packet.session, from, cause, fx);
  send(world, server, from, std::move(answer), cause, fx);
}

/// Twice a tick: pings; and at the end of each tick the leader looks whether a quorum is with it.
void run_half_tick(World& world, uint32_t server, Effects& fx) {
  Leading& leading = leading_of(world, server);
  leading.ping_us += world.scenario->tick_us / 2;
  ++leading.half_ticks;
  if (leading.half_ticks % 2 == 0) {
    size_t synced = 1;
    for (uint32_t i = 0; i < leading.handlers.size(); ++i) {
      const Handler& handler = leading.handlers[i];
      const bool heard = handler.phase != HandlerPhase::kNone && leading.half_ticks / 2 <= handler.tick_until;
      synced += is_voter(world, i) && heard ? 1 : 0;
    }
    if (!is_quorum(*world.scenario, synced)) return stop_leading(world, server, trace::kNoEvent, fx);
  }
  for (uint32_t i = 0; i < leading.handlers.size(); ++i) {
    if (!gets_proposals(leading.handlers[i])) continue;
    send(world, server, i, {.kind = QuorumPacketKind::kPing, .zxid = leading.zxid}, trace::kNoEvent, fx);
  }
  fx.touch_server(server);
}

}  // namespace

void start_leading(World& world, uint32_t server, int64_t cause, Effects& fx) {
  Member& member = member_of(world, server);
  member.leading.emplace();
  member.leading->handlers.resize(world.servers.size());
  member.leading->until_us = world.now_us + init_time(world);
  const int64_t leads = tell_role(world, server, cause, fx);
  choose_epoch(world, server, leads, fx);
  begin_synchronization(world, server, leads, fx);
}

void stop_leading(World& world, uint32_t server, int64_t cause, Effects& fx) {
  const std::vector<Handler> handlers = leading_of(world, server).handlers;
  close_all_connections(world, server, cause, fx);
  forget_sessions(world, server, fx);
  for (uint32_t i = 0; i < handlers.size(); ++i) {
    if (handlers[i].phase != HandlerPhase::kNone) close_peer(world, server, i, handlers[i].connection, true, cause, fx);
  }
  start_election(world, server, cause, fx);
}

void lose_learner(World& world, uint32_t server, uint32_t from, Effects& fx) {
  leading_of(world, server).handlers[from] = {};
  fx.touch_server(server);
}

void hear_learner(World& world, uint32_t server, uint32_t from, const QuorumPacket& packet, uint32_t connection,
                  int64_t cause, Effects& fx) {
  Leading& leading = leading_of(world, server);
  if (packet.kind == QuorumPacketKind::kFollowerInfo || packet.kind == QuorumPacketKind::kObserverInfo) {
    return hear_info(world, server, from, packet, connection, cause, fx);
  }
  Handler& handler = leading.handlers[from];
  const bool synced = handler.phase == HandlerPhase::kSynced;
  handler.until_us = world.now_us + (synced ? sync_time(world) : init_time(world));
  if (synced) handler.tick_until = leading.half_ticks / 2 + world.scenario->sync_limit;
  fx.touch_server(server);
  switch (packet.kind) {
    case QuorumPacketKind::kAckEpoch: return hear_ack_epoch(world, server, from, packet, cause, fx);
    case QuorumPacketKind::kAck: return hear_ack(world, server, from, packet, cause, fx);
    case QuorumPacketKind::kRequest: return hear_request(world, server, packet, cause, fx);
    case QuorumPacketKind::kSync: return sync_with_leader(world, server, packet.origin, cause, fx);
    case QuorumPacketKind::kRevalidate: return hear_revalidate(world, server, from, packet, cause, fx);
    case QuorumPacketKind::kPing: return;  // The sessions that it tells of were noted as it arrived.
    default: bug("a leader was sent what only leaders send");
  }
}

TimeUs leading_timer(const Leading& leading) {
  TimeUs due = leading.phase == LeaderPhase::kBroadcast ? leading.ping_us : leading.until_us;
  for (const Handler& handler : leading.handlers) {
    if (handler.phase != HandlerPhase::kNone) due = std::min(due, handler.until_us);
  }
  return due;
}

void run_leading(World& world, uint32_t server, Effects& fx) {
  Leading& leading = leading_of(world, server);
  for (uint32_t i = 0; i < leading.handlers.size(); ++i) {
    Handler& handler = leading.handlers[i];
    if (handler.phase == HandlerPhase::kNone || world.now_us < handler.until_us) continue;
    const uint32_t connection = handler.connection;
    lose_learner(world, server, i, fx);
    return close_peer(world, server, i, connection, true, trace::kNoEvent, fx);
  }
  if (leading.phase != LeaderPhase::kBroadcast) return stop_leading(world, server, trace::kNoEvent, fx);
  run_half_tick(world, server, fx);
}

void propose(World& world, uint32_t server, Txn&& txn, int64_t cause, Effects& fx) {
  Leading& leading = leading_of(world, server);
  txn.zxid = ++leading.zxid;
  txn.time_us = world.now_us;
  const Shared<Txn> shared(std::move(txn));
  // Later requests are judged by what this one will have changed.
  Database prep;
  std::swap(prep.tree, leading.prep);
  (void)sim::apply(prep, *shared, id_of(world, *shared));
  std::swap(prep.tree, leading.prep);
  const int64_t logged = write_to_log(world, server, shared, cause, fx);
  leading.outstanding.push_back({.txn = shared, .acks = 1u << server});
  for (uint32_t i = 0; i < leading.handlers.size(); ++i) {
    if (!gets_proposals(leading.handlers[i]) || !is_voter(world, i)) continue;
    send(world, server, i, {.kind = QuorumPacketKind::kProposal, .txn = shared}, logged, fx);
  }
  commit_what_can_be(world, server, logged, fx);
}

void sync_with_leader(World& world, uint32_t server, const Origin& origin, int64_t cause, Effects& fx) {
  Leading& leading = leading_of(world, server);
  if (!leading.outstanding.empty()) {
    leading.syncs.push_back({.after = leading.outstanding.back().txn->zxid, .origin = origin});
    return;
  }
  answer_sync_of(world, server, origin, cause, fx);
}

DataTree& prepared_tree(World& world, uint32_t server) {
  return is_alone(world) ? world.servers[server].database.tree : leading_of(world, server).prep;
}

}  // namespace lockstep::sim
