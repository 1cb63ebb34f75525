// The rules between servers. `server`, `from` and `to` are places in the scenario's list of servers.
//
// election.cpp: who is to lead. leading.cpp and learning.cpp: the two ends of ZAB. sessions.cpp: who counts the
// silence of sessions. commit.cpp: what a server does with a transaction that is committed.
#pragma once

#include <cstdint>
#include <string>

#include "sim/effects.h"

namespace lockstep::sim {

inline bool is_alone(const World& world) { return world.servers.size() == 1; }
inline Member& member_of(World& world, uint32_t server) { return *world.servers[server].member; }
inline const Member& member_of(const World& world, uint32_t server) { return *world.servers[server].member; }
inline const std::string& server_id(const World& world, uint32_t server) {
  return world.scenario->servers[server].id;
}

/// Of the session whose transaction it is; 0 for a server's own.
inline zk::SessionId id_of(const World& world, const Txn& txn) {
  return txn.session == kNoSession ? 0 : world.sessions[txn.session].id;
}

trace::ServerRole role_of(const World& world, uint32_t server);
/// Whether it answers clients.
bool is_serving(const World& world, uint32_t server);
/// Whether transactions begin here: alone, or leading with a quorum behind it.
bool gives_zxids(const World& world, uint32_t server);
/// The server that expires sessions: alone, or the established leader of the highest epoch. -1: none.
int32_t authority(const World& world);

/// Tells what the server has become, and gives the event's index.
int64_t tell_role(World& world, uint32_t server, int64_t cause, Effects& fx);

/// `connection` is the learner's count; 0 for an election's.
void send_to_peer(World& world, uint32_t from, uint32_t to, uint32_t connection, QuorumPacket&& packet, int64_t cause,
                  Effects& fx);
/// Tells a peer that a connection is closed.
void close_peer(World& world, uint32_t from, uint32_t to, uint32_t connection, bool from_leader, int64_t cause,
                Effects& fx);
/// Over the connection that a learner has.
void send_to_leader(World& world, uint32_t server, QuorumPacket&& packet, int64_t cause, Effects& fx);
/// True for a packet of a connection that its receiver does not have, or has no more.
bool is_stale_for_peer(const World& world, uint32_t from, uint32_t to, const Packet& packet);
/// A stale packet has come from `from`: who wanted to connect is told that it can't.
void refuse_peer(World& world, uint32_t from, uint32_t to, const Packet& packet, int64_t cause, Effects& fx);
/// A packet of another server has arrived.
void arrive_at_peer(World& world, uint32_t from, uint32_t to, const Packet& packet, int64_t cause, Effects& fx);

/// When the server next does something by its own clock; kNever if nothing is due.
TimeUs server_timer(const World& world, uint32_t server);
/// Does it.
void run_server(World& world, uint32_t server, Effects& fx);
/// It has been started again: a member looks for a leader, with what is on its disk.
void start_server(World& world, uint32_t server, int64_t cause, Effects& fx);
/// It has ended without a word, and only its disk is left.
void forget_all_but_disk(World& world, uint32_t server, Effects& fx);
/// Its kernel closes the connections that it had; `before` is what it was.
void close_all_sockets(World& world, uint32_t server, const std::optional<Member>& before, int64_t cause, Effects& fx);

// ---- Election ------------------------------------------------------------------------------------

void start_election(World& world, uint32_t server, int64_t cause, Effects& fx);
void hear_ballot(World& world, uint32_t server, uint32_t from, const QuorumPacket& packet, int64_t cause, Effects& fx);
TimeUs election_timer(const Election& election);
void run_election(World& world, uint32_t server, Effects& fx);

// ---- Leading -------------------------------------------------------------------------------------

void start_leading(World& world, uint32_t server, int64_t cause, Effects& fx);
/// It gives up: closes all connections and looks for a leader.
void stop_leading(World& world, uint32_t server, int64_t cause, Effects& fx);
void hear_learner(World& world, uint32_t server, uint32_t from, const QuorumPacket& packet, uint32_t connection,
                  int64_t cause, Effects& fx);
/// A learner has closed its connection.
void lose_learner(World& world, uint32_t server, uint32_t from, Effects& fx);
TimeUs leading_timer(const Leading& leading);
void run_leading(World& world, uint32_t server, Effects& fx);
/// Gives a transaction its zxid, logs and proposes it.
void propose(World& world, uint32_t server, Txn&& txn, int64_t cause, Effects& fx);
/// Answers once all that was proposed before is committed.
void sync_with_leader(World& world, uint32_t server, const Origin& origin, int64_t cause, Effects& fx);
/// What is left to the database once all that is outstanding is applied.
DataTree& prepared_tree(World& world, uint32_t server);

// ---- Learning ------------------------------------------------------------------------------------

void start_learning(World& world, uint32_t server, uint32_t leader, int64_t cause, Effects& fx);
/// The leader is gone or silent: closes all connections, that to the leader too if it is `connected`, and looks for
/// another.
void stop_learning(World& world, uint32_t server, bool connected, int64_t cause, Effects& fx);
void hear_leader(World& world, uint32_t server, const QuorumPacket& packet, int64_t cause, Effects& fx);
/// The leader has closed the connection, or never took it.
void lose_leader(World& world, uint32_t server, int64_t cause, Effects& fx);
void run_learning(World& world, uint32_t server, Effects& fx);

// ---- Log and commit ------------------------------------------------------------------------------

/// Writes a proposal to the log; gives the event's index.
int64_t write_to_log(World& world, uint32_t server, const Shared<Txn>& txn, int64_t cause, Effects& fx);
/// Applies what is in the log up to `zxid`.
void apply_log(World& world, uint32_t server, zk::Zxid zxid, int64_t cause, Effects& fx);
/// Applies a committed transaction: changes the database, tells watchers, answers who waits for it here.
void apply_txn(World& world, uint32_t server, const Txn& txn, int64_t cause, Effects& fx);

// ---- Sessions and requests -----------------------------------------------------------------------

/// The outcome of a write that begins here and now, without a zxid yet.
Txn prepare(World& world, uint32_t server, const zk::Request& request, uint32_t session, const Ids& ids,
            const Origin& origin);
/// Takes a transaction up where zxids are given: applies it alone, proposes it in an ensemble.
void take_up(World& world, uint32_t server, Txn&& txn, int64_t cause, Effects& fx);

/// The session was heard of, through `server`.
void touch_session(World& world, uint32_t server, uint32_t session, int64_t cause, Effects& fx);
/// Begins to count a session's silence; `owner` is the server through which its writes come.
void track_session(World& world, uint32_t server, uint32_t session, uint32_t owner, int64_t cause, Effects& fx);
void untrack_session(World& world, uint32_t server, uint32_t session, Effects& fx);
/// Begins to count for every session there is, each with its full time-out.
void track_all_sessions(World& world, uint32_t server, int64_t cause, Effects& fx);
/// Nobody counts here any more.
void forget_sessions(World& world, uint32_t server, Effects& fx);
/// Whether the session lives as far as this server, which expires sessions, knows; if so, its writes come
/// through `owner` from now on.
bool revalidate(World& world, uint32_t server, uint32_t session, uint32_t owner, int64_t cause, Effects& fx);
/// kOk, kSessionExpired, or kSessionMoved for a write that comes through another server than the session does.
zk::Error check_session(World& world, uint32_t server, uint32_t session, uint32_t owner);
/// Begins to end a session, in one transaction.
void close_session(World& world, uint32_t server, uint32_t session, bool expired, int64_t cause, Effects& fx);
/// When this server will expire the session; kNever if it will not.
TimeUs expiry_of(const World& world, uint32_t server, uint32_t session);

// ---- Containers ----------------------------------------------------------------------------------

/// The server has begun to give zxids.
void begin_container_checks(World& world, uint32_t server);
/// The database has changed: there may be containers to delete, or none any more.
void plan_container_check(World& world, uint32_t server);
/// When the server deletes the containers there are to delete; kNever if there are none.
TimeUs container_timer(const World& world, uint32_t server);
void check_containers(World& world, uint32_t server, Effects& fx);

// ---- Clients -------------------------------------------------------------------------------------

/// A client's connection waits for the answer to a reattach, or to a sync (server_side.cpp).
void answer_revalidation(World& world, const Origin& origin, uint32_t session, bool valid, int64_t cause, Effects& fx);
void answer_sync(World& world, const Origin& origin, int64_t cause, Effects& fx);
/// Answers who waited for a transaction, which has been applied here (server_side.cpp).
void answer(World& world, uint32_t server, const Txn& txn, zk::Reply&& reply, int64_t applied, Effects& fx);
/// Fires the watches that a change sets off on this server (server_side.cpp).
void fire_for(World& world, uint32_t server, const Done& done, int64_t cause, Effects& fx);
/// Closes a client's connection; with `tell_client` the client's end is told.
void close_connection(World& world, uint32_t server, uint32_t client, bool tell_client, int64_t cause, Effects& fx);
/// Closes all of them: the server does not serve any more.
void close_all_connections(World& world, uint32_t server, int64_t cause, Effects& fx);

}  // namespace lockstep::sim
