// What goes into a recipe and what comes out of it. A recipe never does anything itself: it is handed
// one input at a time, with the time, and returns the effects that somebody else carries out: the
// simulated process, or a real one over libzookeeper.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "recipes/fields.h"
#include "recipes/zookeeper.h"

namespace lockstep::recipes {

// ---- Inputs ------------------------------------------------------------------------------------

/// Begin. Sent once, before anything else.
struct Start {
  bool operator==(const Start&) const = default;
  template <class Self, class Visit>
  static void each_field(Self&, Visit&&) {}
};

/// The reply to the recipe's only outstanding ZooKeeper request.
struct ReplyArrived {
  zk::Reply reply;

  bool operator==(const ReplyArrived&) const = default;
  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("reply", self.reply);
  }
};

/// A watch that this recipe has set has fired.
struct WatchFired {
  zk::WatchEventType type = zk::WatchEventType::kNodeDeleted;
  std::string path;

  bool operator==(const WatchFired&) const = default;
  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("type", self.type);
    visit("path", self.path);
  }
};

/// The client library's word about the session. `session` is the id when connected.
struct SessionChanged {
  zk::SessionState state = zk::SessionState::kConnected;
  zk::SessionId session = 0;

  bool operator==(const SessionChanged&) const = default;
  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("state", self.state);
    visit("session", self.session);
  }
};

/// A deadline that the recipe had set has passed.
enum class DeadlineId : uint8_t { kAcquireTimeout, kWorkDone };
struct DeadlinePassed {
  DeadlineId id = DeadlineId::kWorkDone;

  bool operator==(const DeadlinePassed&) const = default;
  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("id", self.id);
  }
};

/// Go on with the next line of the listing. Only valid while `ready()`.
struct NextLine {
  bool operator==(const NextLine&) const = default;
  template <class Self, class Visit>
  static void each_field(Self&, Visit&&) {}
};

/// Somebody asks the client to let go, or to give up waiting.
enum class CommandKind : uint8_t { kRelease, kCancel };
struct Command {
  CommandKind kind = CommandKind::kRelease;

  bool operator==(const Command&) const = default;
  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("kind", self.kind);
  }
};

/// The resource's answer to the only outstanding write or read.
struct ResourceReplied {
  bool accepted = false;
  int64_t value = 0;      ///< the row's value after the request
  int64_t token_max = 0;  ///< the highest token that the row has accepted; -1 if none

  bool operator==(const ResourceReplied&) const = default;
  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("accepted", self.accepted);
    visit("value", self.value);
    visit("token_max", self.token_max);
  }
};

using Input = std::variant<Start, ReplyArrived, WatchFired, SessionChanged, DeadlinePassed, NextLine,
                           Command, ResourceReplied>;

// ---- Outputs -----------------------------------------------------------------------------------

/// Send this request to ZooKeeper. At most one is outstanding.
struct SendRequest {
  zk::Request request;
};

/// Write to (or, with `read_only`, look at) the external resource.
struct SendToResource {
  bool read_only = false;
  int64_t token = -1;  ///< -1: none
  int64_t value = 0;
  int32_t serial = 0;  ///< counts this client's writes, from 1

  bool operator==(const SendToResource&) const = default;
  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("read_only", self.read_only);
    visit("token", self.token);
    visit("value", self.value);
    visit("serial", self.serial);
  }
};

struct SetDeadline {
  DeadlineId id = DeadlineId::kWorkDone;
  TimeUs at = 0;
};

/// The session has expired for good: open a new one.
struct OpenSession {};

/// Something that the user of the lock would be told.
enum class NoticeKind : uint8_t {
  kAcquired,   ///< the lock was granted
  kSuspended,  ///< connection lost while holding: unsure
  kConfirmed,  ///< looked again after a reconnect: still the holder
  kLost,       ///< no longer the holder, not by own will
  kReleased,   ///< let go
  kTimedOut,   ///< gave up waiting in time
  kCancelled,  ///< gave up waiting when asked to
  kFailed,     ///< ended by an error
};
struct Notice {
  NoticeKind kind = NoticeKind::kAcquired;
  int64_t token = -1;
  zk::Error error = zk::Error::kOk;
};

using Output = std::variant<SendRequest, SendToResource, SetDeadline, OpenSession, Notice>;
using Outputs = std::vector<Output>;

// ---- What a recipe believes --------------------------------------------------------------------

/// What the client takes for true about its own ownership. Only kHolding means "I may write".
enum class Belief : uint8_t {
  kIdle,
  kAcquiring,  ///< in the middle of asking
  kWaiting,    ///< queued behind somebody
  kHolding,
  kSuspended,  ///< held the lock, then lost the connection; does not know
  kReleasing,
  kReleased,
  kLost,
  kTimedOut,
  kCancelled,
  kFailed,
};

std::string_view name_of(Belief belief);
std::string_view name_of(NoticeKind kind);

}  // namespace lockstep::recipes
