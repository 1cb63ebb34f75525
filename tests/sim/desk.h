// Sessions driven by hand: applications that never step, whose libraries are given requests and tell what they
// hear.
#pragma once

#include <string>
#include <vector>

#include "sim/effects.h"
#include "worlds.h"

namespace lockstep::toy {

/// The lock's parent, which every toy world has; names of requests begin below it, with "/".
inline const std::string kTop = "/locks/sku-1";

inline zk::Request create(const std::string& name, zk::CreateMode mode = zk::CreateMode::kPersistent) {
  return {.op = zk::Op::kCreate, .path = kTop + name, .mode = mode};
}
inline zk::Request erase(const std::string& name) { return {.op = zk::Op::kDelete, .path = kTop + name}; }

class Desk {
 public:
  explicit Desk(int clients) : Desk(toy::clients(clients)) {}
  explicit Desk(const scenario::Scenario& scenario) : world(sim::initial_world(scenario)) {
    for (uint32_t client = 0; client < world.processes.size(); ++client) open(client);
  }

  void open(uint32_t client) {
    {
      sim::Effects effects(world, nullptr, nullptr);
      world.processes[client].state = trace::Process::kRunning;
      sim::open_session(world, client, trace::kNoEvent, effects);
    }
    settle();
    (void)heard(client);
  }

  void send(uint32_t client, const zk::Request& request) {
    sim::Effects effects(world, nullptr, nullptr);
    sim::submit(world, client, request, trace::kNoEvent, effects);
  }

  /// The network tells both ends that their connection is gone. The library reattaches by itself.
  void lose(uint32_t client) {
    const uint32_t connection = world.processes[client].library.connection;
    for (const uint32_t link :
         {sim::link_to_server(world, client, 0), sim::link_from_server(world, client, 0)}) {
      sim::Effects effects(world, nullptr, nullptr);
      sim::Packet close{.kind = sim::PacketKind::kClose, .connection = connection};
      effects.send(link, std::move(close), trace::kNoEvent);
    }
    while (server().connections[client].open || is_connected(client)) step();
  }

  bool is_connected(uint32_t client) const {
    return world.processes[client].library.state == sim::LibraryState::kConnected;
  }

  /// Sends, waits until nothing is under way any more, and gives the reply; what else was told is in `told`.
  zk::Reply ask(uint32_t client, const zk::Request& request) {
    send(client, request);
    settle();
    told = heard(client);
    zk::Reply reply;
    for (const recipes::Input& input : told) {
      if (const auto* arrived = std::get_if<recipes::ReplyArrived>(&input)) reply = arrived->reply;
    }
    return reply;
  }

  /// Lets happen what needs no waiting: messages, and what libraries read.
  void settle() {
    while (step()) continue;
  }

  /// What is due first, pings included, as long as there is anything that needs no waiting; false if not.
  bool step() {
    const auto all = sim::enabled(world);
    const sim::Enabled* first = nullptr;
    bool work = false;
    for (const sim::Enabled& one : all) {
      const sim::Mover mover = one.choice.mover;
      if (mover != sim::Mover::kDeliver && mover != sim::Mover::kIo) continue;
      const bool waits = mover == sim::Mover::kIo && is_connected(one.choice.index) &&
                         world.processes[one.choice.index].library.socket.empty();
      work = work || !waits;
      if (first == nullptr || one.due_us < first->due_us) first = &one;
    }
    if (work) sim::apply(world, first->choice);
    return work;
  }

  /// What a client's library has told since the last time.
  std::vector<recipes::Input> heard(uint32_t client) {
    std::vector<recipes::Input> inputs;
    sim::Process& process = world.processes[client];
    while (!process.inputs.empty()) inputs.push_back(process.inputs.pop().input);
    process.next.input_us = sim::kNever;
    return inputs;
  }
  /// The same in words: "NodeCreated /a", "Connected", "reply NoNode".
  std::vector<std::string> heard_words(uint32_t client) {
    std::vector<std::string> words;
    for (const recipes::Input& input : heard(client)) words.push_back(word_of(input));
    return words;
  }

  static std::string word_of(const recipes::Input& input) {
    if (const auto* reply = std::get_if<recipes::ReplyArrived>(&input)) {
      return "reply " + std::string(zk::name_of(reply->reply.error));
    }
    if (const auto* fired = std::get_if<recipes::WatchFired>(&input)) {
      return std::string(zk::name_of(fired->type)) + " " + fired->path;
    }
    const auto* changed = std::get_if<recipes::SessionChanged>(&input);
    return changed == nullptr ? "?" : std::string(zk::name_of(changed->state));
  }

  sim::Server& server() { return world.servers.front(); }
  sim::Database& database() { return server().database; }

  sim::World world;
  std::vector<recipes::Input> told;
};

}  // namespace lockstep::toy
