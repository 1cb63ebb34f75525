// The simulator as a player: its world with clients whose applications never step; what their libraries tell them
// is the log.
#include <deque>

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
  // As fast as loopback: no session may expire merely because a plan is long.
  scenario.link = scenario.step = {.min_us = 50, .max_us = 150};
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
      case Act::kOpen: open(step); break;
      case Act::kRequest: ask(step); break;
      case Act::kLose: lose(step.place); return;
      case Act::kFail: fail(step.place); return;
      case Act::kRegain: to_server(step.place).cut = false; break;
      case Act::kEnd:
        apply({.intervention = scenario::Intervention{
                   scenario::Action::kExpire, world_.scenario->clients[step.place].id, {}}});
        break;
      case Act::kClose: close(step.place); break;
      case Act::kExpire: expire(step); break;
    }
    while (work_once()) continue;
  }

  void open(const Step& step) {
    auto changed = std::make_shared<scenario::Scenario>(*world_.scenario);
    changed->clients[step.place].session_timeout_us = step.timeout_us;
    world_.scenario = std::move(changed);
    sim::Effects effects(world_, nullptr, nullptr);
    process(step.place).state = trace::Process::kRunning;
    sim::open_session(world_, step.place, trace::kNoEvent, effects);
  }

  void ask(const Step& step) {
    const zk::Request request = below(kRoot, step.request);
    {
      sim::Effects effects(world_, nullptr, nullptr);
      sim::submit(world_, step.place, request, trace::kNoEvent, effects);
    }
    std::deque<zk::Request>& asked = asked_[step.place];
    const bool refused = !process(step.place).inputs.empty();  // by the library, whatever is under way
    refused ? asked.push_front(request) : asked.push_back(request);
    hear(step.place);
  }

  void close(uint32_t place) {
    sim::Effects effects(world_, nullptr, nullptr);
    sim::close_handle(world_, place, trace::kNoEvent, effects);
  }

  /// The library tries to connect, and the network tells it that its connection is gone.
  void fail(uint32_t place) {
    const sim::Library& library = process(place).library;
    while (library.state == sim::LibraryState::kConnecting) apply({.mover = Mover::kIo, .index = place});
    {
      sim::Effects effects(world_, nullptr, nullptr);
      effects.send(sim::link_from_server(world_, place, 0),
                   {.kind = sim::PacketKind::kClose, .connection = library.connection}, trace::kNoEvent);
    }
    while (library.state == sim::LibraryState::kHandshake) apply(first_choice());
    to_server(place).queue.clear();  // what the library said on it
  }

  void expire(const Step& step) {
    const uint32_t session = world_.servers.front().connections[step.place].session;
    const std::array<uint32_t, 2> links = {sim::link_to_server(world_, step.place, 0),
                                           sim::link_from_server(world_, step.place, 0)};
    for (const uint32_t link : links) world_.links[link].cut = true;
    ask(step);
    while (world_.sessions[session].life == trace::SessionLife::kLive) apply(first_choice());
    for (const uint32_t link : links) world_.links[link].cut = false;
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

  /// What is due first, pings included.
  sim::Choice first_choice(bool* work = nullptr) {
    sim::Enabled first{.choice = {}, .due_us = sim::kNever};
    for (const sim::Enabled& one : sim::enabled(world_)) {
      if (is_of_application(one.choice.mover)) continue;
      if (work != nullptr) *work = *work || is_work(one.choice);
      if (one.due_us < first.due_us) first = one;
    }
    return first.choice;
  }

  /// What is due first happens as long as there is work; false if there is none.
  bool work_once() {
    bool work = false;
    const sim::Choice first = first_choice(&work);
    if (work) apply(first);
    return work;
  }

  void apply(const sim::Choice& choice) {
    sim::apply(world_, choice);
    for (uint32_t place = 0; place < kPlaces; ++place) hear(place);
  }

  void hear(uint32_t place) {
    while (!process(place).inputs.empty()) {
      const recipes::Input input = process(place).inputs.pop().input;
      zk::Request request;
      if (std::holds_alternative<recipes::ReplyArrived>(input)) {  // in the order in which they were asked
        request = std::move(asked_[place].front());
        asked_[place].pop_front();
      }
      teller_.tell(log_, place, step_, input, request, process(place).library.timeout_us);
      log_[place].back().unordered = is_unordered(place, input);
    }
    process(place).next.input_us = sim::kNever;
  }

  /// A session's end tells of its nodes in hash order, and a library lists what it watches in its own.
  bool is_unordered(uint32_t place, const recipes::Input& input) const {
    if (!std::holds_alternative<recipes::WatchFired>(input)) return false;
    const Step& step = plan_[step_];
    return step.act == Act::kEnd || step.act == Act::kClose || step.act == Act::kExpire ||
           (step.act == Act::kRegain && step.place == place);
  }

  const Plan& plan_;
  size_t step_ = 0;
  sim::World world_;
  std::array<std::deque<zk::Request>, kPlaces> asked_;
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
