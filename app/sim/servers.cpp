// A server as a process: its role, its clock, its links to the others, its crash and its start.
#include <algorithm>

#include "recipes/bug.h"
#include "sim/ensemble.h"
#include "sim/resolve.h"

namespace lockstep::sim {
namespace {

using trace::EventData;
using trace::EventKind;
using trace::ServerRole;

std::string_view word_of(ServerRole role) {
  switch (role) {
    case ServerRole::kLooking: return "LOOKING";
    case ServerRole::kFollowing: return "FOLLOWING";
    case ServerRole::kLeading: return "LEADING";
    case ServerRole::kObserving: return "OBSERVING";
    case ServerRole::kStandalone: return "standalone";
  }
  return {};
}

bool is_running(const World& world, uint32_t server) {
  return world.servers[server].process == trace::Process::kRunning;
}

/// Connects for the first time: nothing of a connection can be there yet.
bool opens(const QuorumPacket& packet) {
  return packet.kind == QuorumPacketKind::kFollowerInfo || packet.kind == QuorumPacketKind::kObserverInfo;
}

}  // namespace

ServerRole role_of(const World& world, uint32_t server) {
  const std::optional<Member>& member = world.servers[server].member;
  if (!member) return ServerRole::kStandalone;
  if (member->leading) return ServerRole::kLeading;
  if (!member->learning) return ServerRole::kLooking;
  return world.scenario->servers[server].observer ? ServerRole::kObserving : ServerRole::kFollowing;
}

bool gives_zxids(const World& world, uint32_t server) {
  const std::optional<Member>& member = world.servers[server].member;
  if (!member) return world.servers[server].process != trace::Process::kCrashed;
  return member->leading && member->leading->phase == LeaderPhase::kBroadcast;
}

bool is_serving(const World& world, uint32_t server) {
  const std::optional<Member>& member = world.servers[server].member;
  if (member && member->learning) return member->learning->phase == LearnerPhase::kBroadcast;
  return gives_zxids(world, server);
}

int32_t authority(const World& world) {
  int32_t found = -1;
  int32_t epoch = -1;
  for (uint32_t server = 0; server < world.servers.size(); ++server) {
    if (!gives_zxids(world, server)) continue;
    const int32_t its = world.servers[server].member ? world.servers[server].member->current_epoch : 0;
    if (its <= epoch) continue;
    epoch = its;
    found = static_cast<int32_t>(server);
  }
  return found;
}

int64_t tell_role(World& world, uint32_t server, int64_t cause, Effects& fx) {
  fx.touch_server(server);
  const ServerRole role = role_of(world, server);
  return fx.emit({LaneKind::kServer, server}, EventKind::kRoleChanged, cause, [&](EventData& data) {
    data.what = word_of(role);
    if (member_of(world, server).learning) data.peer = server_id(world, member_of(world, server).learning->leader);
  });
}

// ---- Between servers -----------------------------------------------------------------------------

void send_to_peer(World& world, uint32_t from, uint32_t to, uint32_t connection, QuorumPacket&& packet, int64_t cause,
                  Effects& fx) {
  Packet wrapped{.kind = PacketKind::kQuorum, .connection = connection};
  wrapped.quorum = Shared<QuorumPacket>(std::move(packet));
  fx.send(link_between(world, from, to), std::move(wrapped), cause);
}

void send_to_leader(World& world, uint32_t server, QuorumPacket&& packet, int64_t cause, Effects& fx) {
  const Learning& learning = *member_of(world, server).learning;
  send_to_peer(world, server, learning.leader, learning.connection, std::move(packet), cause, fx);
}

void close_peer(World& world, uint32_t from, uint32_t to, uint32_t connection, bool from_leader, int64_t cause,
                Effects& fx) {
  QuorumPacket packet{.kind = QuorumPacketKind::kFin};
  packet.from_leader = from_leader;
  send_to_peer(world, from, to, connection, std::move(packet), cause, fx);
}

bool is_stale_for_peer(const World& world, uint32_t from, uint32_t to, const Packet& packet) {
  const Member& member = member_of(world, to);
  const QuorumPacket& quorum = *packet.quorum;
  if (world.servers[to].process == trace::Process::kCrashed) return true;
  if (quorum.kind == QuorumPacketKind::kNotification) return quorum.incarnation != member.incarnation;
  if (quorum.from_leader) {
    const std::optional<Learning>& learning = member.learning;
    return !learning || learning->leader != from || learning->connection != packet.connection ||
           learning->phase == LearnerPhase::kConnecting;
  }
  if (!member.leading) return true;
  const Handler& handler = member.leading->handlers[from];
  if (opens(quorum)) return packet.connection < handler.connection;
  return handler.phase == HandlerPhase::kNone || handler.connection != packet.connection;
}

void refuse_peer(World& world, uint32_t from, uint32_t to, const Packet& packet, int64_t cause, Effects& fx) {
  if (opens(*packet.quorum)) close_peer(world, to, from, packet.connection, true, cause, fx);
}

void arrive_at_peer(World& world, uint32_t from, uint32_t to, const Packet& packet, int64_t cause, Effects& fx) {
  fx.move_server(to);
  const QuorumPacket& quorum = *packet.quorum;
  const bool closed = quorum.kind == QuorumPacketKind::kFin;
  if (quorum.kind == QuorumPacketKind::kNotification) return hear_ballot(world, to, from, quorum, cause, fx);
  if (quorum.from_leader) {
    return closed ? lose_leader(world, to, cause, fx) : hear_leader(world, to, quorum, cause, fx);
  }
  if (closed) return lose_learner(world, to, from, fx);
  hear_learner(world, to, from, quorum, packet.connection, cause, fx);
}

// ---- Its clock, its crash and its start ----------------------------------------------------------

TimeUs server_timer(const World& world, uint32_t server) {
  const std::optional<Member>& member = world.servers[server].member;
  if (!member || !is_running(world, server)) return kNever;
  if (member->leading) return leading_timer(*member->leading);
  if (member->learning) return member->learning->until_us;
  return member->election ? election_timer(*member->election) : kNever;
}

void run_server(World& world, uint32_t server, Effects& fx) {
  const Member& member = member_of(world, server);
  fx.touch_server(server);
  if (member.leading) return run_leading(world, server, fx);
  if (member.learning) return run_learning(world, server, fx);
  run_election(world, server, fx);
}

void start_server(World& world, uint32_t server, int64_t cause, Effects& fx) {
  if (world.servers[server].member) return start_election(world, server, cause, fx);
  begin_container_checks(world, server);
}

void forget_all_but_disk(World& world, uint32_t server, Effects& fx) {
  forget_sessions(world, server, fx);
  if (!world.servers[server].member) return;
  Member& member = member_of(world, server);
  member.learning.reset();
  member.leading.reset();
  member.election.reset();
  member.peers.clear();
  member.round = 0;
  ++member.incarnation;
}

void close_all_sockets(World& world, uint32_t server, const std::optional<Member>& before, int64_t cause,
                       Effects& fx) {
  close_all_connections(world, server, cause, fx);
  if (!before) return;
  if (before->learning && before->learning->phase != LearnerPhase::kConnecting) {
    close_peer(world, server, before->learning->leader, before->learning->connection, false, cause, fx);
  }
  if (!before->leading) return;
  for (uint32_t i = 0; i < before->leading->handlers.size(); ++i) {
    const Handler& handler = before->leading->handlers[i];
    if (handler.phase != HandlerPhase::kNone) close_peer(world, server, i, handler.connection, true, cause, fx);
  }
}

// ---- Where zxids are given -----------------------------------------------------------------------

Txn prepare(World& world, uint32_t server, const zk::Request& request, uint32_t session, const Ids& ids,
            const Origin& origin) {
  Txn txn;
  txn.session = session;
  txn.request = request;
  txn.awaited = true;
  txn.origin = origin;
  txn.path = request.path;
  if (!is_alone(world)) txn.error = check_session(world, server, session, origin.server);
  if (txn.error == zk::Error::kOk) {
    const zk::SessionId id = world.sessions[session].id;
    Resolved resolved = resolve(prepared_tree(world, server), request, {.session = id, .ids = ids});
    txn.error = resolved.error;
    txn.failed = resolved.failed;
    txn.path = std::move(resolved.path);
    txn.changes = std::move(resolved.changes);
  }
  txn.kind = txn.error == zk::Error::kOk ? TxnKind::kWrite : TxnKind::kError;
  return txn;
}

void take_up(World& world, uint32_t server, Txn&& txn, int64_t cause, Effects& fx) {
  if (!is_alone(world)) return propose(world, server, std::move(txn), cause, fx);
  txn.zxid = world.servers[server].database.zxid + 1;
  txn.time_us = world.now_us;
  apply_txn(world, server, txn, cause, fx);
}

}  // namespace lockstep::sim
