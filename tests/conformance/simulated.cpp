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

scenario::Scenario seats(uint32_t servers) {
  scenario::Scenario scenario;
  for (uint32_t i = 1; i <= servers; ++i) scenario.servers.push_back({"zk" + std::to_string(i)});
  scenario.lock_path = kRoot;
  scenario.tick_us = 500 * kMillisecond;
  // As fast as loopback: no session may expire merely because a plan is long.
  scenario.link = scenario.server_link = scenario.step = {.min_us = 50, .max_us = 150};
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
  Playing(const Plan& plan, uint32_t servers)
      : plan_(plan), world_(sim::initial_world(seats(servers))), teller_(kRoot) {}

  Played play() {
    for (step_ = 0; step_ < plan_.size(); ++step_) take(plan_[step_]);
    return {log_, teller_.disorder_in_time()};
  }

 private:
  sim::Process& process(uint32_t place) { return world_.processes[place]; }
  /// Where its connection is, or was.
  uint32_t server_of(uint32_t place) { return process(place).library.server; }

  /// The ways to all servers, and with `back` from them too.
  void cut_all(uint32_t place, bool cut, bool back) {
    for (uint32_t server = 0; server < world_.servers.size(); ++server) {
      world_.links[sim::link_to_server(world_, place, server)].cut = cut;
      if (back || !cut) world_.links[sim::link_from_server(world_, place, server)].cut = cut;
    }
  }

  /// Its next connection leads to this server: an attempt that has got nowhere is forgotten.
  void steer(uint32_t place, uint32_t server) {
    auto changed = std::make_shared<scenario::Scenario>(*world_.scenario);
    changed->clients[place].server = world_.scenario->servers[server % world_.servers.size()].id;
    world_.scenario = std::move(changed);
    sim::Library& library = process(place).library;
    library.cursor = 0;
    if (library.state != sim::LibraryState::kHandshake) return;
    world_.links[sim::link_to_server(world_, place, library.server)].queue.clear();
    library.state = sim::LibraryState::kConnecting;
    library.connect_at_us = world_.now_us;
  }

  void take(const Step& step) {
    switch (step.act) {
      case Act::kOpen: open(step); break;
      case Act::kRequest: ask(step.place, below(kRoot, step.request)); break;
      case Act::kLose: lose(step.place); return;
      case Act::kFail: fail(step.place); return;
      case Act::kRegain:
        steer(step.place, step.server);
        cut_all(step.place, false, true);
        break;
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
    {
      sim::Effects effects(world_, nullptr, nullptr);
      process(step.place).state = trace::Process::kRunning;
      sim::open_session(world_, step.place, trace::kNoEvent, effects);
    }
    steer(step.place, step.server);
  }

  void ask(uint32_t place, const zk::Request& request) {
    {
      sim::Effects effects(world_, nullptr, nullptr);
      sim::submit(world_, place, request, trace::kNoEvent, effects);
    }
    std::deque<zk::Request>& asked = asked_[place];
    const bool refused = !process(place).inputs.empty();  // by the library, whatever is under way
    refused ? asked.push_front(request) : asked.push_back(request);
    hear(place);
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
      effects.send(sim::link_from_server(world_, place, library.server),
                   {.kind = sim::PacketKind::kClose, .connection = library.connection}, trace::kNoEvent);
    }
    const uint32_t server = library.server;
    while (library.state == sim::LibraryState::kHandshake && library.server == server) apply(first_choice());
    world_.links[sim::link_to_server(world_, place, server)].queue.clear();  // what the library said on it
  }

  void expire(const Step& step) {
    const uint32_t server = server_of(step.place);
    const uint32_t session = world_.servers[server].connections[step.place].session;
    cut_all(step.place, true, true);
    ask(step.place, below(kRoot, step.request));
    while (world_.sessions[session].life == trace::SessionLife::kLive) apply(first_choice());
    steer(step.place, server);
    cut_all(step.place, false, true);
  }

  /// The network tells both ends that their connection is gone; then the way is closed. Before, the session reads, as
  /// it does on the real server to have heard everything: the reply's zxid is the one from which on it will ask for
  /// what it has missed.
  void lose(uint32_t place) {
    ask(place, {.op = zk::Op::kExists, .path = kMark});
    while (work_once()) continue;
    const uint32_t server = server_of(place);
    {
      sim::Effects effects(world_, nullptr, nullptr);
      const uint32_t connection = process(place).library.connection;
      for (const uint32_t link : {sim::link_to_server(world_, place, server), sim::link_from_server(world_, place, server)}) {
        sim::Packet close{.kind = sim::PacketKind::kClose, .connection = connection};
        effects.send(link, std::move(close), trace::kNoEvent);
      }
    }
    const auto gone = [&] {
      return process(place).library.state != sim::LibraryState::kConnected &&
             !world_.servers[server].connections[place].open;
    };
    while (!gone() && work_once()) continue;
    cut_all(place, true, false);
  }

  /// Servers of an ensemble ping each other all the time.
  static bool is_heartbeat(const sim::Link& link) {
    return link.kind == sim::LinkKind::kServerServer &&
           link.queue.front().packet->quorum->kind == sim::QuorumPacketKind::kPing;
  }

  /// True for what has to happen now, and not just when time goes by.
  bool is_work(const sim::Choice& choice) {
    if (choice.mover == Mover::kDeliver) return !is_heartbeat(world_.links[choice.index]);
    if (choice.mover != Mover::kIo) return false;
    const sim::Library& library = process(choice.index).library;
    const bool may_connect = !world_.links[sim::link_to_server(world_, choice.index, 0)].cut;
    return !library.socket.empty() || (library.state == sim::LibraryState::kConnecting && may_connect);
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
        if (request.path == kMark) continue;
      }
      if (is_a_race(plan_[step_], place, input, world_.servers.size())) continue;
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
  explicit Simulator(uint32_t servers) : servers_(servers) {}
  Played play(const Plan& plan) override { return Playing(plan, servers_).play(); }

 private:
  uint32_t servers_;
};

}  // namespace

std::unique_ptr<Player> simulator(uint32_t servers) { return std::make_unique<Simulator>(servers); }

}  // namespace lockstep::conformance
