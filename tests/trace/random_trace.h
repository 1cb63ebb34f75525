// Traces made of chance, for what must hold whatever happens. The same seed gives the same trace on every
// machine.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "recipes/fields.h"
#include "trace/names.h"
#include "trace/trace.h"

namespace lockstep::trace::testing {

class Dice {
 public:
  explicit Dice(uint64_t seed) : state_(seed) {}
  uint64_t bits() { return state_ = mix64(state_); }
  /// 0 <= below(n) < n.
  uint64_t below(uint64_t n) { return bits() % n; }

 private:
  uint64_t state_;
};

inline std::string random_text(Dice& dice) {
  const std::vector<std::string> texts = {"",
                                          "A",
                                          "zk1",
                                          "/locks/sku-1",
                                          "a \"quoted\" text",
                                          "\xe9\x94\x81",
                                          "/locks/sku-1/_c_x-lock-0000000001"};
  return texts[dice.below(texts.size())];
}

/// Also the numbers at the ends of what fits.
template <class N>
N random_number(Dice& dice) {
  switch (dice.below(6)) {
    case 0: return std::numeric_limits<N>::min();
    case 1: return std::numeric_limits<N>::max();
    case 2: return static_cast<N>(dice.bits());
    default: return static_cast<N>(dice.below(100));
  }
}

template <class F>
void randomize(F& field, Dice& dice) {
  if constexpr (Described<F>) {
    F::each_field(field, [&](const char*, auto& inner) {
      if (dice.below(2) == 0) randomize(inner, dice);
    });
  } else if constexpr (std::is_same_v<F, std::string>) {
    field = random_text(dice);
  } else if constexpr (std::is_same_v<F, bool>) {
    field = dice.below(2) == 0;
  } else if constexpr (std::is_enum_v<F>) {
    std::vector<F> values;
    each_enumerator<F>([&](F value) { values.push_back(value); });
    field = values[dice.below(values.size())];
  } else {
    field = random_number<F>(dice);
  }
}

/// Puts, changes and erases some rows.
inline void change(Snapshot& snapshot, Dice& dice) {
  Snapshot::each_table(snapshot, [&]<class Row>(const char*, Table<Row>& table) {
    if (dice.below(3) != 0) return;
    const std::string id = std::to_string(dice.below(12)) + (dice.below(4) == 0 ? "/~#" : "");
    if (dice.below(4) == 0) {
      table.erase(id);
    } else {
      randomize(table[id], dice);
    }
  });
}

inline Event random_event(Dice& dice, const Trace& trace) {
  Event event;
  event.time_us = trace.last().time_us + static_cast<TimeUs>(dice.below(3000));
  event.lane = std::string(1, static_cast<char>('A' + dice.below(5)));
  randomize(event.kind, dice);
  if (dice.below(3) != 0)
    event.cause = static_cast<int64_t>(dice.below(static_cast<uint64_t>(trace.size()) + 1)) - 1;
  randomize(event.data, dice);
  if (event.kind == EventKind::kCommitted && dice.below(2) == 0) event.data.what = "delete";
  return event;
}

struct Recorded {
  Trace trace;
  std::vector<Event> events;
  std::vector<Snapshot> snapshots;  ///< after each event, without counters
};

inline Recorded random_trace(uint64_t seed, int64_t events) {
  Dice dice(seed);
  Snapshot snapshot;
  for (int i = 0; i < 5; ++i) change(snapshot, dice);
  Recorded recorded;
  Header header;
  header.source = Source::kExplored;
  header.scenario.servers.push_back({.id = "zk1"});
  header.scenario.clients.push_back({.id = "A"});
  recorded.trace = Trace(std::move(header), snapshot);
  for (int64_t index = 0; index < events; ++index) {
    change(snapshot, dice);
    Event event = random_event(dice, recorded.trace);
    snapshot.time_us = event.time_us;
    recorded.trace.append(event, snapshot);
    event.index = index;
    recorded.events.push_back(event);
    recorded.snapshots.push_back(snapshot);
  }
  return recorded;
}

/// The snapshot without what the trace counts by itself.
inline Snapshot without_counters(Snapshot snapshot) {
  snapshot.counters = {};
  return snapshot;
}

}  // namespace lockstep::trace::testing
