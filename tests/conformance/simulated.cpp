// The simulator as a player: its world with clients whose applications never step; what their libraries tell them
// is the log.
#include "conformance/players.h"
#include "scenario/scenario.h"
#include "sim/effects.h"
#include "sim/world.h"

namespace lockstep::conformance {
namespace {

using sim::Mover;

constexpr const char* kRoot = "/root";

scenario::Scenario seats() {
  scenario::Scenario scenario;
  scenario.servers = {{"zk1"}};
  scenario.lock_path = kRoot;
  scenario.tick_us = 500 * kMillisecond;
  for (uint32_t place = 0; place < kPlaces; ++place) {
    scenario::ClientSpec client;
    client.id = "S" + std::to_string(place);
    client.session_timeout_us = 10 * kSecond;
    scenario.clients.push_back(client);
  }
  return scenario;
}

class Playing {
 public:
  explicit Playing(const Plan& plan)
      : plan_(plan), world_(sim::initial_world(seats())), teller_(kRoot) {}

  Played play() {
    for (step_ = 0; step_ < plan_.size(); ++step_) take(plan_[step_]);
    return {log_, teller_.disorder_in_time()};
  }

 private:
  sim::Process& process(uint32_t place) { return world_.processes[place]; }
  sim::Link& to_server(uint32_t place) { return world_.links[sim::link_to_server(world_, place, 0)]; }

  void take(const Step& step) {
    switch (step.act) {
      case Act::kOpen: open(step.place); break;
      case Act::kRequest: ask(step); break;
      case Act::kLose: lose(step.place); return;
      case Act::kRegain: to_server(step.place).cut = false; break;
      case Act::kEnd:
        apply({.intervention = scenario::Intervention{
                   scenario::Action::kExpire, world_.scenario->clients[step.place].id, {}}});
        break;
    }
    while (work_once()) continue;
  }

  void open(uint32_t place) {
    sim::Effects effects(world_, nullptr, nullptr);
    process(place).state = trace::Process::kRunning;
    sim::open_session(world_, place, trace::kNoEvent, effects);
  }

  void ask(const Step& step) {
    request_ = below(kRoot, step.request);
    sim::Effects effects(world_, nullptr, nullptr);
    sim::submit(world_, step.place, request_, trace::kNoEvent, effects);
    hear(step.place);  // The library may have answered by itself.
  }

  /// The network tells both ends that their connection is gone; then the way is closed.
  void lose(uint32_t place) {
    {
      sim::Effects effects(world_, nullptr, nullptr);
      const uint32_t connection = process(place).library.connection;
      for (const uint32_t link : {sim::link_to_server(world_, place, 0), sim::link_from_server(world_, place, 0)}) {
        sim::Packet close{.kind = sim::PacketKind::kClose, .connection = connection};
        effects.send(link, std::move(close), trace::kNoEvent);
      }
    }
    const auto gone = [&] {
      return process(place).library.state != sim::LibraryState::kConnected &&
             !world_.servers.front().connections[place].open;
    };
    while (!gone() && work_once()) continue;
    to_server(place).cut = true;
  }

  /// True for what has to happen now, and not just when time goes by.
  bool is_work(const sim::Choice& choice) {
    if (choice.mover == Mover::kDeliver) return true;
    if (choice.mover != Mover::kIo) return false;
    const sim::Library& library = process(choice.index).library;
    return !library.socket.empty() || (library.state == sim::LibraryState::kConnecting &&
                                       !to_server(choice.index).cut);
  }

  static bool is_of_application(Mover mover) {
    return mover == Mover::kStart || mover == Mover::kInput || mover == Mover::kLine ||
           mover == Mover::kDeadline;
  }

  /// What is due first happens, pings included, as long as there is work; false if there is none.
  bool work_once() {
    const sim::Choice* first = nullptr;
    TimeUs due = sim::kNever;
    bool work = false;
    const std::vector<sim::Enabled> all = sim::enabled(world_);
    for (const sim::Enabled& one : all) {
      if (is_of_application(one.choice.mover)) continue;
      work = work || is_work(one.choice);
      if (first != nullptr && one.due_us >= due) continue;
      first = &one.choice;
      due = one.due_us;
    }
    if (work) apply(*first);
    return work;
  }

  void apply(const sim::Choice& choice) {
    sim::apply(world_, choice);
    for (uint32_t place = 0; place < kPlaces; ++place) hear(place);
  }

  void hear(uint32_t place) {
    const Act act = plan_[step_].act;
    while (!process(place).inputs.empty()) {
      const recipes::Input input = process(place).inputs.pop().input;
      teller_.tell(log_, place, step_, input, request_);
      // A session's end tells of its nodes in hash order, and a library lists what it watches in its own.
      log_[place].back().unordered = std::holds_alternative<recipes::WatchFired>(input) &&
                                     (act == Act::kEnd || act == Act::kRegain);
    }
    process(place).next.input_us = sim::kNever;
  }

  const Plan& plan_;
  size_t step_ = 0;
  sim::World world_;
  zk::Request request_;
  Teller teller_;
  Log log_;
};

class Simulator final : public Player {
 public:
  Played play(const Plan& plan) override { return Playing(plan).play(); }
};

}  // namespace

std::unique_ptr<Player> simulator() { return std::make_unique<Simulator>(); }

}  // namespace lockstep::conformance
