// The snapshot: everything that is true at one moment of a run, in three bands. Belief is in `clients`;
// truth in `znodes`, `sessions`, `watches` and `servers`; the ledger in `resources` and `ledger`. Between
// them lie `links` and the `messages` in flight.
//
// Rows hold primary facts only, as the world projects them. What follows from them (who is in danger, how
// many believe) is computed in facts.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "recipes/machine.h"
#include "recipes/zookeeper.h"
#include "scenario/scenario.h"
#include "trace/table.h"

namespace lockstep::trace {

using recipes::Belief;
using scenario::RegisterRule;

enum class Process : uint8_t {
  kNotStarted,
  kRunning,
  kPaused,  ///< both sides stopped (a GC pause, SIGSTOP)
  kHung,    ///< the application is stuck, the client library goes on
  kCrashed,
};

/// What the client library believes about its connection.
enum class Connection : uint8_t {
  kNone,
  kConnecting,
  kConnected,
  kExpired,  ///< it has been told that the session is over
  kClosed,
};

struct ClientRow {
  Process process = Process::kNotStarted;
  TimeUs process_since_us = 0;  ///< when `process` last changed
  int32_t stops = 0;  ///< how often it was paused, hung or crashed so far
  Connection connection = Connection::kNone;
  Belief belief = Belief::kIdle;
  int64_t token = -1;     ///< of the current or last grant; -1: none
  int32_t line = 0;       ///< in its listing; 0: none
  bool at_line = false;   ///< true: about to run `line`; false: waiting for its outcome
  std::string node;       ///< its own node as it knows it, a full path
  std::string waits_for;  ///< name of the node it waits for, while waiting
  std::string session;    ///< id of its session's row ("A#1"), as it knows it
  std::string server;     ///< which its library is connected to, or tries to connect to; empty: none
  int32_t unread = 0;     ///< packets that have arrived and were not read yet
  int32_t inputs = 0;     ///< what the library has told the application, which has not looked yet
  int32_t rounds_done = 0;
  int32_t writes_sent = 0;

  bool operator==(const ClientRow&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("process", self.process);
    visit("process_since_us", self.process_since_us);
    visit("stops", self.stops);
    visit("connection", self.connection);
    visit("belief", self.belief);
    visit("token", self.token);
    visit("line", self.line);
    visit("at_line", self.at_line);
    visit("node", self.node);
    visit("waits_for", self.waits_for);
    visit("session", self.session);
    visit("server", self.server);
    visit("unread", self.unread);
    visit("inputs", self.inputs);
    visit("rounds_done", self.rounds_done);
    visit("writes_sent", self.writes_sent);
  }
};

/// Key: the full path.
struct ZnodeRow {
  std::string data;
  zk::Stat stat;
  std::string owner;  ///< id of the owning session's row; empty if persistent

  bool operator==(const ZnodeRow&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("data", self.data);
    visit("stat", self.stat);
    visit("owner", self.owner);
  }
};

enum class SessionLife : uint8_t { kLive, kExpired, kClosed };

/// Key: client and ordinal ("A#1"). Ended sessions stay, so that one can say what became of them.
struct SessionRow {
  std::string client;
  zk::SessionId session_id = 0;
  SessionLife life = SessionLife::kLive;
  TimeUs timeout_us = 0;  ///< as negotiated
  TimeUs heard_us = 0;    ///< when the server last heard of it
  /// When the server (of an ensemble: the leader) will expire it if it hears nothing; -1: there is no leader,
  /// and nobody will. When it ended, once it has.
  TimeUs expires_us = 0;
  std::string server;  ///< which serves its newest connection; empty: none

  bool operator==(const SessionRow&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("client", self.client);
    visit("session_id", self.session_id);
    visit("life", self.life);
    visit("timeout_us", self.timeout_us);
    visit("heard_us", self.heard_us);
    visit("expires_us", self.expires_us);
    visit("server", self.server);
  }
};

enum class WatchTable : uint8_t { kData, kChildren };

/// Key: "SESSION TABLE PATH", in an ensemble "SESSION TABLE SERVER PATH". A watch as the server has registered it.
struct WatchRow {
  std::string session;
  WatchTable table = WatchTable::kData;
  std::string path;
  std::string server;

  bool operator==(const WatchRow&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("session", self.session);
    visit("table", self.table);
    visit("path", self.path);
    visit("server", self.server);
  }
};

enum class ServerRole : uint8_t { kStandalone, kLooking, kFollowing, kLeading, kObserving };

struct ServerRow {
  Process process = Process::kRunning;
  ServerRole role = ServerRole::kStandalone;
  bool serving = true;    ///< answers clients
  zk::Zxid zxid = 0;      ///< last applied
  zk::Zxid logged = 0;    ///< last in its log; above `zxid` while not known to be committed
  int32_t epoch = 0;      ///< its current epoch; 0 alone
  std::string leader;     ///< whom it follows, or itself; empty: none
  std::string vote;       ///< while looking: whom it votes for

  bool operator==(const ServerRow&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("process", self.process);
    visit("role", self.role);
    visit("serving", self.serving);
    visit("zxid", self.zxid);
    visit("logged", self.logged);
    visit("epoch", self.epoch);
    visit("leader", self.leader);
    visit("vote", self.vote);
  }
};

/// Key: "FROM>TO". One direction.
struct LinkRow {
  std::string from;
  std::string to;
  bool cut = false;
  bool held = false;  ///< somebody holds its messages back

  bool operator==(const LinkRow&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("from", self.from);
    visit("to", self.to);
    visit("cut", self.cut);
    visit("held", self.held);
  }
};

/// Key: a number that counts the run's messages. A message in the network.
struct MessageRow {
  std::string link;  ///< key of its link
  std::string what;  ///< "create", "create ok", "NodeDeleted", "write", "ping", ...
  std::string path;  ///< the node it is about; empty if none
  int64_t token = -1;
  int64_t value = 0;
  TimeUs sent_us = 0;
  TimeUs due_us = 0;  ///< when it arrives if nothing keeps it

  bool operator==(const MessageRow&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("link", self.link);
    visit("what", self.what);
    visit("path", self.path);
    visit("token", self.token);
    visit("value", self.value);
    visit("sent_us", self.sent_us);
    visit("due_us", self.due_us);
  }
};

/// Key: the resource's id.
struct ResourceRow {
  RegisterRule rule = RegisterRule::kNone;
  int64_t value = 0;
  int64_t token_max = -1;  ///< the highest token accepted; -1: none yet
  std::string last_writer;

  bool operator==(const ResourceRow&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("rule", self.rule);
    visit("value", self.value);
    visit("token_max", self.token_max);
    visit("last_writer", self.last_writer);
  }
};

/// Key: a number from "1". One write, as the resource judged it.
struct LedgerRow {
  std::string resource;
  std::string client;
  int64_t token = -1;
  int64_t value = 0;
  bool accepted = false;
  bool stale = false;  ///< in truth its sender did not hold the lock when it arrived
  int64_t token_max_before = -1;
  TimeUs time_us = 0;

  bool operator==(const LedgerRow&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("resource", self.resource);
    visit("client", self.client);
    visit("token", self.token);
    visit("value", self.value);
    visit("accepted", self.accepted);
    visit("stale", self.stale);
    visit("token_max_before", self.token_max_before);
    visit("time_us", self.time_us);
  }
};

/// Counts over the run so far. They follow from the events (see count() in facts.h).
struct Counters {
  int64_t grants = 0;
  int64_t grants_out_of_order = 0;  ///< grants whose token is below an earlier one's
  int64_t token_granted_max = -1;
  int64_t watch_events = 0;  ///< watches that have fired
  int64_t woken_by_last_release = 0;
  int64_t writes_accepted = 0;
  int64_t writes_refused = 0;
  int64_t stale_writes_accepted = 0;
  int64_t stale_writes_refused = 0;
  int64_t sessions_expired = 0;
  int64_t believers_max = 0;  ///< the most clients that ever believed to hold at once

  // What counting needs to remember.
  int64_t believers = 0;      ///< how many believe so now; follows from the rows
  int64_t last_release = -1;  ///< index of the last commit that deleted a node or closed a session

  bool operator==(const Counters&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    each_count(self, visit);
    visit("believers", self.believers);
  }

  /// All but `believers`, which is a fact of its own.
  template <class Self, class Visit>
  static void each_count(Self& self, Visit&& visit) {
    visit("grants", self.grants);
    visit("grants_out_of_order", self.grants_out_of_order);
    visit("token_granted_max", self.token_granted_max);
    visit("watch_events", self.watch_events);
    visit("woken_by_last_release", self.woken_by_last_release);
    visit("writes_accepted", self.writes_accepted);
    visit("writes_refused", self.writes_refused);
    visit("stale_writes_accepted", self.stale_writes_accepted);
    visit("stale_writes_refused", self.stale_writes_refused);
    visit("sessions_expired", self.sessions_expired);
    visit("believers_max", self.believers_max);
    visit("last_release", self.last_release);
  }
};

struct Snapshot {
  TimeUs time_us = 0;
  Table<ClientRow> clients;
  Table<ZnodeRow> znodes;
  Table<SessionRow> sessions;
  Table<WatchRow> watches;
  Table<ServerRow> servers;
  Table<LinkRow> links;
  Table<MessageRow> messages;
  Table<ResourceRow> resources;
  Table<LedgerRow> ledger;
  Counters counters;

  bool operator==(const Snapshot&) const = default;

  template <class Self, class Visit>
  static void each_table(Self& self, Visit&& visit) {
    visit("clients", self.clients);
    visit("znodes", self.znodes);
    visit("sessions", self.sessions);
    visit("watches", self.watches);
    visit("servers", self.servers);
    visit("links", self.links);
    visit("messages", self.messages);
    visit("resources", self.resources);
    visit("ledger", self.ledger);
  }
};

/// One row, by its table's place in the order of each_table and its id.
struct RowRef {
  uint8_t table = 0;
  std::string_view id;
};

std::string_view name_of(Process process);
std::string_view name_of(Connection connection);
std::string_view name_of(SessionLife life);
std::string_view name_of(WatchTable table);
std::string_view name_of(ServerRole role);
std::string_view name_of(RegisterRule rule);

/// The enumerator with this name; false if there is none. For every enum that a row uses.
template <class E>
[[nodiscard]] bool from_name(std::string_view name, E& value);

}  // namespace lockstep::trace
