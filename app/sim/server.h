// One ZooKeeper server, alone or a member of an ensemble: its database, its clients' connections and watches,
// and the sessions whose silence it counts.
//
// Rules (zookeeper.md A3 to A5): the timeout asked for is clamped to 2..20 ticks; a session that was not
// heard of for longer than its timeout ends at the next tick; ending it is one transaction that deletes all
// of its ephemerals; events enter a connection before any reply that was made after them; watches live on
// the connection; reattaching on the same server closes the old connection first.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "recipes/fields.h"
#include "sim/database.h"
#include "sim/network.h"
#include "sim/quorum.h"
#include "sim/watches.h"
#include "trace/snapshot.h"

namespace lockstep::sim {

/// A session that a server has given an id to. World::sessions has them all; an id says its place there.
struct Session {
  zk::SessionId id = 0;
  uint32_t client = 0;
  uint32_t ordinal = 1;  // of the sessions opened for this client, from 1: its row is "A#1"
  TimeUs timeout_us = 0;
  bool opened = false;  // committed; before that, nobody but its server knows of it
  trace::SessionLife life = trace::SessionLife::kLive;
  TimeUs heard_us = 0;  // when it was last heard of, as far as the last server knew that counted
  TimeUs ended_us = 0;

  bool operator==(const Session&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("id", self.id);
    visit("client", self.client);
    visit("ordinal", self.ordinal);
    visit("timeout_us", self.timeout_us);
    visit("opened", self.opened);
    visit("life", self.life);
    visit("heard_us", self.heard_us);
    visit("ended_us", self.ended_us);
  }
};

enum class TrackedLife : uint8_t { kNone, kLive, kClosing };

constexpr int32_t kNoOwner = -1;

/// What the server that expires sessions knows of one.
struct Tracked {
  TrackedLife life = TrackedLife::kNone;
  int32_t owner = kNoOwner;  // the server through which its writes come
  TimeUs heard_us = 0;
  TimeUs expires_us = 0;     // when it ends if nothing more is heard
  int64_t heard_cause = -1;  // the event by which it was last heard of

  bool operator==(const Tracked&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("life", self.life);
    visit("owner", self.owner);
    visit("heard_us", self.heard_us);
    visit("expires_us", self.expires_us);
    visit("heard_cause", self.heard_cause);
  }
};

/// The server's end of a client's connection.
struct ServerConnection {
  bool open = false;
  bool established = false;  // a session was opened or reattached on it
  uint32_t number = 0;    // which of the client's connections
  uint32_t session = 0;   // index in World::sessions
  Ids ids;                // of which the client has given proof, on this connection
  Fifo<Packet> waiting;   // in an ensemble: what the leader has not answered yet, and what came after that

  bool operator==(const ServerConnection&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("open", self.open);
    visit("established", self.established);
    visit("number", self.number);
    visit("session", self.session);
    visit("ids", self.ids);
    visit("waiting", self.waiting);
  }
};

struct Server {
  trace::Process process = trace::Process::kRunning;
  Database database;
  Watches watches;
  std::vector<ServerConnection> connections;  // by client
  std::vector<Tracked> tracker;               // by session; empty where sessions are not expired
  std::optional<Member> member;               // of an ensemble
  TimeUs serving_since_us = 0;           // since when it has given zxids: containers are looked for from then on
  TimeUs container_check_us = INT64_MAX;  // when next, once there are some to delete


  bool operator==(const Server&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("process", self.process);
    visit("database", self.database);
    visit("watches", self.watches);
    visit("connections", self.connections);
    visit("tracker", self.tracker);
    visit("member", self.member);
    visit("serving_since_us", self.serving_since_us);
    visit("container_check_us", self.container_check_us);
  }
};

/// The id of the session with this place in World::sessions, opened by the given server, whose number stands in
/// the highest byte, as in real ids.
constexpr zk::SessionId session_id(uint32_t server, uint32_t index) {
  return (static_cast<zk::SessionId>(server) + 1) << 56 | (static_cast<zk::SessionId>(index) + 1);
}

/// min(max(asked, 2 ticks), 20 ticks).
TimeUs negotiated_timeout(TimeUs asked_us, TimeUs tick_us);
/// The end of the tick in which the session, last heard of at `heard_us`, runs out.
TimeUs expiry_time(TimeUs heard_us, TimeUs timeout_us, TimeUs tick_us);

}  // namespace lockstep::sim
