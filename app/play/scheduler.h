// The scheduler: always the mover that comes due first. It keeps a heap of due times and renews only those
// that a step may have changed, so that a step's cost does not grow with the number of clients.
//
// Most due times only ever move away: every message puts off a ping, and every ping a session's end. So each
// mover has one entry in the heap, no later than it is due, which finds its place once it comes up.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/world.h"

namespace lockstep::play {

class Scheduler {
 public:
  /// Looks at the whole world.
  explicit Scheduler(const sim::World& world);

  /// The choice that comes due first, ties by kind and number; nullopt if nothing ever will.
  std::optional<sim::Enabled> next(const sim::World& world);
  /// Call after each apply(), with what it reported.
  void renew(const sim::World& world, const sim::Moved& moved);

 private:
  struct Due {
    TimeUs at_us = 0;
    sim::Mover mover = sim::Mover::kStart;
    uint32_t index = 0;
  };
  /// Due times, the first on top. Each has four below it: a step down costs two lines of memory, and there are half
  /// as many steps as with two.
  class Heap {
   public:
    bool empty() const { return dues_.empty(); }
    const Due& top() const { return dues_.front(); }
    void push(const Due& due);
    void pop();

   private:
    std::vector<Due> dues_;
  };
  static bool is_before(const Due& a, const Due& b);

  void look(const sim::World& world, sim::Mover mover, uint32_t index);
  void look_at_client(const sim::World& world, uint32_t client);

  /// What is known of one mover.
  struct Known {
    TimeUs due_us = sim::kNever;
    TimeUs entry_us = sim::kNever;  // its entry in the heap; others of it are stale
  };
  void enter(Known& known, sim::Mover mover, uint32_t index);

  Heap heap_;
  std::vector<std::vector<Known>> known_;  // by mover and index
};

}  // namespace lockstep::play
