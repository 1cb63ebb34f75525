// The client library inside a process: its io side keeps one connection, pings, notices silence, reattaches
// and tells the application. Two profiles, `c` and `java`, differ in how they tell (zookeeper.md A7).
//
// It learns that its session has expired only from a server, never from its own clock.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "recipes/fields.h"
#include "scenario/scenario.h"
#include "sim/fifo.h"
#include "sim/network.h"

namespace lockstep::sim {

enum class LibraryState : uint8_t {
  kOff,         // the process has not started, or has crashed
  kConnecting,  // about to open a connection at connect_at_us
  kHandshake,   // has sent kConnect, waits for the answer
  kConnected,
  kExpired,
  kAuthFailed,
  kClosed,
};

/// A request that has not been answered.
struct Pending {
  int32_t xid = 0;
  zk::Request request;

  bool operator==(const Pending&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("xid", self.xid);
    visit("request", self.request);
  }
};

/// A packet that the kernel has received and the library has not read.
struct Unread {
  Box<Packet> packet;
  int64_t number = 0;
  int64_t cause = -1;
  TimeUs arrived_us = 0;

  bool operator==(const Unread&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("packet", self.packet);
    visit("number", self.number);
    visit("cause", self.cause);
    visit("arrived_us", self.arrived_us);
  }
};

struct Library {
  LibraryState state = LibraryState::kOff;
  uint32_t connection = 0;  // number of the current or last connection
  uint32_t server = 0;      // of the current or last connection
  uint32_t cursor = 0;      // in its list of servers: which it tries next
  bool all_tried = false;   // the whole list has failed: the C library waits a little then
  zk::SessionId session = 0;
  TimeUs timeout_us = 0;         // negotiated; before that, asked for
  zk::Zxid last_zxid = 0;        // in any reply
  int32_t next_xid = 1;
  TimeUs heard_us = 0;  // of this connection, or when it was tried
  TimeUs alive_us = 0;  // when any server was last heard of
  TimeUs sent_us = 0;
  TimeUs connect_at_us = 0;
  int64_t timer_cause = -1;  // the event since which the silence lasts
  Fifo<Pending> outstanding;  // sent
  Fifo<Pending> queued;       // not sent yet: issued while there was no connection
  std::vector<zk::Id> auths;  // credentials, shown again on each connection
  std::vector<zk::Request> auths_unanswered;
  std::set<std::string> data_watches;
  std::set<std::string> exist_watches;
  std::set<std::string> children_watches;
  Fifo<Unread> socket;

  bool operator==(const Library&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("state", self.state);
    visit("connection", self.connection);
    visit("server", self.server);
    visit("cursor", self.cursor);
    visit("all_tried", self.all_tried);
    visit("session", self.session);
    visit("timeout_us", self.timeout_us);
    visit("last_zxid", self.last_zxid);
    visit("next_xid", self.next_xid);
    visit("heard_us", self.heard_us);
    visit("alive_us", self.alive_us);
    visit("sent_us", self.sent_us);
    visit("connect_at_us", self.connect_at_us);
    visit("timer_cause", self.timer_cause);
    visit("outstanding", self.outstanding);
    visit("queued", self.queued);
    visit("auths", self.auths);
    visit("auths_unanswered", self.auths_unanswered);
    visit("data_watches", self.data_watches);
    visit("exist_watches", self.exist_watches);
    visit("children_watches", self.children_watches);
    visit("socket", self.socket);
  }
};

/// How a client's library works.
struct Habits {
  scenario::Profile profile = scenario::Profile::kC;
  bool local_expiry = false;
  uint32_t servers = 1;  // in its list
};

/// Goes on to the next server of its list, before it connects. The list begins with `first`.
void choose_server(Library& library, uint32_t first, uint32_t servers);
/// Notes that a connection has failed or ended. The C library steps over a server then, and goes on to the one
/// after it: of three it tries the first, the third, the second; of two always the same (as 3.8 does).
void note_failure(Library& library, scenario::Profile profile, uint32_t servers);

/// What the library answers by itself without sending the request; kOk: it sends it. A check comes inside a
/// multi only, as in both client libraries.
zk::Error refused_by_library(const zk::Request& request, scenario::Profile profile);
/// What it tells of a request that has no answer: each operation of a multi ends as the whole does.
zk::Reply unanswered(const zk::Request& request, zk::Error error);

/// When the library next does something by its own clock: open a connection, ping, or give the connection
/// up. kNever if nothing is due.
TimeUs library_timer(const Library& library, const Habits& habits);
/// How long it waits for an answer to connecting: the C library as long as for any other, the Java library its
/// time-out shared out among the servers.
TimeUs handshake_limit(const Library& library, const Habits& habits);
/// When it takes its session for expired by its own clock: four thirds of the time-out after any server was last
/// heard of, if it is one that does so; else kNever.
TimeUs local_expiry_time(const Library& library, const Habits& habits);
/// The two thirds of the session's timeout after which silence counts as a lost connection.
TimeUs silence_limit(const Library& library);
/// When the next ping is due; kNever while not connected, or while the profile waits for an answer.
TimeUs ping_time(const Library& library, scenario::Profile profile);

}  // namespace lockstep::sim
