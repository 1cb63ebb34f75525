// One simulated ZooKeeper server: its tree, sessions, connections and watches. Standalone so far.
//
// Rules (zookeeper.md A3 to A5): the timeout asked for is clamped to 2..20 ticks; a session that was not
// heard of for longer than its timeout ends at the next tick; ending it is one transaction that deletes all
// of its ephemerals; events enter a connection before any reply that was made after them; watches live on
// the connection; reattaching on the same server closes the old connection first.
#pragma once

#include <cstdint>
#include <vector>

#include "recipes/fields.h"
#include "sim/tree.h"
#include "sim/watches.h"
#include "trace/snapshot.h"

namespace lockstep::sim {

struct Session {
  zk::SessionId id = 0;
  uint32_t client = 0;
  uint32_t ordinal = 1;  // of the sessions opened for this client, from 1: its row is "A#1"
  trace::SessionLife life = trace::SessionLife::kLive;
  TimeUs timeout_us = 0;
  TimeUs heard_us = 0;
  TimeUs expires_us = 0;     // when it ends if nothing more is heard; once ended, when that was
  int64_t heard_cause = -1;  // the event by which it was last heard of

  bool operator==(const Session&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("id", self.id);
    visit("client", self.client);
    visit("ordinal", self.ordinal);
    visit("life", self.life);
    visit("timeout_us", self.timeout_us);
    visit("heard_us", self.heard_us);
    visit("expires_us", self.expires_us);
    visit("heard_cause", self.heard_cause);
  }
};

/// The server's end of a client's connection.
struct ServerConnection {
  bool open = false;
  uint32_t number = 0;    // which of the client's connections
  uint32_t session = 0;   // index in sessions
  bool established = false;  // a session was opened or reattached on it
  uint32_t opened = 0;       // sessions ever opened for this client

  bool operator==(const ServerConnection&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("open", self.open);
    visit("number", self.number);
    visit("session", self.session);
    visit("established", self.established);
    visit("opened", self.opened);
  }
};

struct Server {
  bool up = true;
  zk::Zxid zxid = 0;
  DataTree tree;
  Watches watches;
  std::vector<Session> sessions;               // ended ones stay: an id says its place
  std::vector<ServerConnection> connections;   // by client

  bool operator==(const Server&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("up", self.up);
    visit("zxid", self.zxid);
    visit("tree", self.tree);
    visit("watches", self.watches);
    visit("sessions", self.sessions);
    visit("connections", self.connections);
  }
};

/// Session ids start with the server's number in the highest byte, as real ones do.
constexpr zk::SessionId kFirstSessionId = 0x0100'0000'0000'0001;

/// min(max(asked, 2 ticks), 20 ticks).
TimeUs negotiated_timeout(TimeUs asked_us, TimeUs tick_us);
/// The end of the tick in which the session, last heard of at `heard_us`, runs out.
TimeUs expiry_time(TimeUs heard_us, TimeUs timeout_us, TimeUs tick_us);

/// The index of a live or ended session by its id; false if this server never gave it.
[[nodiscard]] bool session_index(const Server& server, zk::SessionId id, uint32_t& index);

}  // namespace lockstep::sim
