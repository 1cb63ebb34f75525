// An event: one thing that happened, at one moment, in one lane.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "recipes/zookeeper.h"

namespace lockstep::trace {

enum class EventKind : uint8_t {
  kStarted,    ///< a process began
  kLine,       ///< the application ran a line of its listing
  kInput,      ///< the application took one input (a reply, a watch event, ...) from its queue
  kSent,       ///< a message entered a link
  kArrived,    ///< a message left its link: a server handled it, or it lies in a client's socket
  kDropped,    ///< a message of a closed connection was thrown away
  kRead,       ///< the client library read a packet
  kCommitted,  ///< a server applied a transaction; in an ensemble the leader, once a quorum has logged it
  kFailedRequest,  ///< a server refused a write
  kWatchFired,     ///< a watch fired, and its event was sent
  kRoleChanged,  ///< a server became `what`: LOOKING, FOLLOWING, LEADING or OBSERVING
  kServing,      ///< a server of an ensemble begins to answer clients
  kLogged,       ///< a server has written a proposal to its log
  kTruncated,    ///< a server has taken what was never committed out of its log; `zxid` is the last that is left
  kApplied,      ///< a server other than the leader applied a committed transaction
  kSessionOpened,
  kSessionReattached,
  kSessionExpired,  ///< on the server
  kSessionClosed,
  kConnectionClosed,  ///< a server closed a client's connection; its watches are gone
  kConnected,         ///< the client library: session established, or established again
  kDisconnected,
  kExpired,   ///< the client library was told that its session is over
  kAcquired,  ///< the recipe's notices, see recipes::NoticeKind
  kSuspended,
  kConfirmed,
  kLost,
  kReleased,
  kTimedOut,
  kCancelled,
  kFailed,
  kWriteAccepted,  ///< on the resource
  kWriteRefused,
  kResourceRead,
  kIntervened,  ///< somebody interfered; `what` is the intervention's name
  kDeadline,    ///< a deadline of the application passed
  kEnded,       ///< the run is over; `what` says why
};

std::string_view name_of(EventKind kind);
[[nodiscard]] bool from_name(std::string_view name, EventKind& kind);

/// Whether one jumps from one to the next of these: where a belief, a session or the ledger changes, or
/// somebody intervened.
bool is_mark(EventKind kind);

constexpr int64_t kNoEvent = -1;
/// The error of an intervention that had no effect: a running server that is started again, a cut of what is cut.
constexpr std::string_view kNotPossible = "NotPossible";

/// What the event is about. Members that do not apply stay at their defaults and are left out of files.
struct EventData {
  std::string what;      ///< the operation, intervention, line id, input or state
  std::string path;      ///< a znode
  std::string peer;      ///< the other end: of a message, a session's client, a write's sender
  std::string session;   ///< a session's row
  std::string error;     ///< ZooKeeper's name of an error; empty: Ok
  int64_t message = -1;  ///< number of the message that was sent or has arrived
  int64_t zxid = 0;      ///< of what was committed; of a reply that is taken: the newest change that its Stat shows
  int64_t token = -1;
  int64_t value = 0;
  int32_t line = 0;
  bool stale = false;  ///< of a write: its sender did not hold the lock in truth

  bool operator==(const EventData&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("what", self.what);
    visit("path", self.path);
    visit("peer", self.peer);
    visit("session", self.session);
    visit("error", self.error);
    visit("message", self.message);
    visit("zxid", self.zxid);
    visit("token", self.token);
    visit("value", self.value);
    visit("line", self.line);
    visit("stale", self.stale);
  }
};

struct Event {
  int64_t index = 0;
  TimeUs time_us = 0;
  std::string lane;  ///< who: a client, server or resource
  EventKind kind = EventKind::kStarted;
  int64_t cause = kNoEvent;  ///< index of the event that made this one happen
  EventData data;

  bool operator==(const Event&) const = default;
};

}  // namespace lockstep::trace
