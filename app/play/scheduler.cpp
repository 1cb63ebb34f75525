#include "play/scheduler.h"

#include <algorithm>
#include <tuple>

namespace lockstep::play {
namespace {

constexpr size_t kMovers = 8;
constexpr size_t kBelow = 4;  // of an entry in the heap

}  // namespace

bool Scheduler::is_before(const Due& a, const Due& b) {
  return std::tuple(a.at_us, a.mover, a.index) < std::tuple(b.at_us, b.mover, b.index);
}

void Scheduler::Heap::push(const Due& due) {
  size_t hole = dues_.size();
  dues_.push_back(due);
  while (hole > 0) {
    const size_t parent = (hole - 1) / kBelow;
    if (!is_before(due, dues_[parent])) break;
    dues_[hole] = dues_[parent];
    hole = parent;
  }
  dues_[hole] = due;
}

void Scheduler::Heap::pop() {
  const Due last = dues_.back();
  dues_.pop_back();
  if (dues_.empty()) return;
  size_t hole = 0;
  for (;;) {
    const size_t first = kBelow * hole + 1;
    if (first >= dues_.size()) break;
    const size_t end = std::min(first + kBelow, dues_.size());
    size_t least = first;
    for (size_t child = first + 1; child < end; ++child) {
      if (is_before(dues_[child], dues_[least])) least = child;
    }
    if (!is_before(dues_[least], last)) break;
    dues_[hole] = dues_[least];
    hole = least;
  }
  dues_[hole] = last;
}

Scheduler::Scheduler(const sim::World& world) : known_(kMovers) {
  for (uint32_t client = 0; client < world.processes.size(); ++client) look_at_client(world, client);
  for (uint32_t link = 0; link < world.links.size(); ++link) look(world, sim::Mover::kDeliver, link);
  const auto expiries = static_cast<uint32_t>(world.sessions.size() * world.servers.size());
  for (uint32_t expiry = 0; expiry < expiries; ++expiry) look(world, sim::Mover::kExpire, expiry);
  for (uint32_t server = 0; server < world.servers.size(); ++server) look(world, sim::Mover::kServer, server);
}

void Scheduler::look(const sim::World& world, sim::Mover mover, uint32_t index) {
  std::vector<Known>& all = known_[static_cast<size_t>(mover)];
  if (index >= all.size()) all.resize(index + 1);
  Known& known = all[index];
  known.due_us = sim::due_of(world, mover, index);
  if (known.due_us < known.entry_us) enter(known, mover, index);
}

void Scheduler::enter(Known& known, sim::Mover mover, uint32_t index) {
  known.entry_us = known.due_us;
  if (known.due_us != sim::kNever) heap_.push({known.due_us, mover, index});
}

void Scheduler::look_at_client(const sim::World& world, uint32_t client) {
  for (const sim::Mover mover : {sim::Mover::kStart, sim::Mover::kIo, sim::Mover::kInput, sim::Mover::kLine,
                                 sim::Mover::kDeadline}) {
    look(world, mover, client);
  }
}

std::optional<sim::Enabled> Scheduler::next(const sim::World& world) {
  while (!heap_.empty()) {
    const Due due = heap_.top();
    Known& known = known_[static_cast<size_t>(due.mover)][due.index];
    if (known.due_us == due.at_us) {
      return sim::Enabled{{.mover = due.mover, .index = due.index}, std::max(due.at_us, world.now_us)};
    }
    heap_.pop();
    if (known.entry_us == due.at_us) enter(known, due.mover, due.index);
  }
  return std::nullopt;
}

void Scheduler::renew(const sim::World& world, const sim::Moved& moved) {
  for (const uint32_t client : moved.clients) look_at_client(world, client);
  for (const uint32_t link : moved.links) look(world, sim::Mover::kDeliver, link);
  for (const uint32_t expiry : moved.expiries) look(world, sim::Mover::kExpire, expiry);
  for (const uint32_t server : moved.servers) look(world, sim::Mover::kServer, server);
}

}  // namespace lockstep::play
