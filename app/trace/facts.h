// Facts: numbers about a snapshot that lessons, properties and pictures speak of, each computed here and
// nowhere else. In a snapshot's JSON they stand under /facts, and a client's danger and place under
// /clients/ID.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "trace/event.h"
#include "trace/snapshot.h"

namespace lockstep::trace {

/// How a client's belief stands to the truth.
enum class Danger : uint8_t {
  kNone,       ///< they agree
  kBehind,     ///< it has not heard yet; normal
  kDangerous,  ///< it believes that it holds the lock, and does not
};
std::string_view name_of(Danger danger);

/// A crashed process believes nothing, whatever it believed last.
inline bool believes_to_hold(const ClientRow& client) {
  return client.belief == Belief::kHolding && client.process != Process::kCrashed;
}

/// The names of the lock's children that have a sequence number, in queue order: by that number as a
/// signed integer, then by the whole name (two numbers are equal only once the counter is stuck).
std::vector<std::string> queue_of(const Snapshot& snapshot, std::string_view lock_path);

/// The client that holds the lock in truth: the owner of the first node in the queue, if its session
/// lives; empty if none.
std::string holder_of(const Snapshot& snapshot, std::string_view lock_path);

struct HashOfName {
  using is_transparent = void;
  size_t operator()(std::string_view name) const { return std::hash<std::string_view>()(name); }
};
using Places = std::unordered_map<std::string, int64_t, HashOfName, std::equal_to<>>;

/// The truth about the lock at one moment, worked out once for everybody who asks about the same snapshot.
struct Truth {
  std::string lock_path;
  std::vector<std::string> queue;  ///< as queue_of
  std::string holder;              ///< as holder_of
  Places places;            ///< by client: of its first node in the queue, from 0
};
Truth truth_of(const Snapshot& snapshot, std::string_view lock_path);

Danger danger_of(const Snapshot& snapshot, const Truth& truth, std::string_view client);
Danger danger_of(const Snapshot& snapshot, std::string_view lock_path, std::string_view client);

/// The client's place in the queue, from 0 (it owns the first node); -1 if it owns no node there.
int64_t place_of(const Truth& truth, std::string_view client);

/// At the end of a moment (Trace::ends_moment) they are what a person would say. Within a moment a waiter
/// may count as stuck for the length of a step, because what will wake it is not sent yet.
struct Facts {
  int64_t believers = 0;  ///< clients that believe that they hold the lock
  int64_t holders = 0;    ///< clients that hold it in truth: 0 or 1
  int64_t dangerous = 0;  ///< clients in danger
  int64_t behind = 0;
  int64_t waiters = 0;        ///< clients that believe that they wait
  int64_t stuck_waiters = 0;  ///< waiters that nothing on its way, armed or unread will ever wake
  int64_t queue_length = 0;
  int64_t chain_breaks = 0;  ///< waiters at rest without a watch on the node just before their own
  int64_t watches_on_first = 0;  ///< watches armed on the first node of the queue
  int64_t messages_in_flight = 0;
  Counters counters;

  /// The counters are visited as members of their own: /facts/watch_events.
  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("believers", self.believers);
    visit("holders", self.holders);
    visit("dangerous", self.dangerous);
    visit("behind", self.behind);
    visit("waiters", self.waiters);
    visit("stuck_waiters", self.stuck_waiters);
    visit("queue_length", self.queue_length);
    visit("chain_breaks", self.chain_breaks);
    visit("watches_on_first", self.watches_on_first);
    visit("messages_in_flight", self.messages_in_flight);
    Counters::each_count(self.counters, visit);
  }
};

Facts facts_of(const Snapshot& snapshot, std::string_view lock_path);

Facts facts_of(const Snapshot& snapshot, const Truth& truth);

/// True for the kinds of events that change a counter by themselves.
bool is_counted(EventKind kind);

/// Folds one event into the counters. `counters.believers` must count `after`'s already: whoever changes
/// client rows keeps it right (delta.h), since counting all clients at each event would cost too much.
/// A release is a commit that takes nodes away: a delete, or the end of a session that had some; a watch
/// event counts as woken by it if it is its cause.
void count(Counters& counters, const Event& event);

/// How many clients believe that they hold the lock, counted row by row.
int64_t count_believers(const Snapshot& snapshot);

}  // namespace lockstep::trace
