// Facts: numbers about a snapshot that lessons, properties and pictures speak of, each computed here and
// nowhere else. In a snapshot's JSON they stand under /facts, and a client's danger and place under
// /clients/ID.
#pragma once

#include <cstdint>
#include <string>
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

/// The children of the lock's parent that have a sequence number, in queue order.
std::vector<std::string> queue_of(const Snapshot& snapshot, std::string_view lock_path);

/// The client that holds the lock in truth: the owner of the first node in the queue, if its session
/// lives; empty if none.
std::string holder_of(const Snapshot& snapshot, std::string_view lock_path);

Danger danger_of(const Snapshot& snapshot, std::string_view lock_path, std::string_view client);

struct Facts {
  int64_t believers = 0;    ///< clients that believe that they hold the lock
  int64_t holders = 0;      ///< clients that hold it in truth: 0 or 1
  int64_t dangerous = 0;    ///< clients in danger
  int64_t behind = 0;
  int64_t waiters = 0;      ///< clients that believe that they wait
  int64_t stuck_waiters = 0;  ///< waiters that nothing on its way, armed or unread will ever wake
  int64_t queue_length = 0;
  int64_t chain_breaks = 0;   ///< waiters whose watch is not on the node just before their own
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
    Counters::each_field(self.counters, visit);
  }
};

Facts facts_of(const Snapshot& snapshot, std::string_view lock_path);

/// Folds one event into the counters; `after` is the snapshot with the event's delta applied.
void count(Counters& counters, const Event& event, const Snapshot& after);

}  // namespace lockstep::trace
