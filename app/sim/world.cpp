#include "sim/world.h"

#include <algorithm>

#include "recipes/bug.h"
#include "sim/effects.h"

namespace lockstep::sim {
namespace {

using trace::EventData;
using trace::EventKind;
using ProcessState = trace::Process;

/// An administrator's session creates the lock's parent before the run, as whoever deploys a lock would.
void create_lock_path(Server& server, const std::string& path) {
  const auto create = [&](const std::string& at) {
    std::string name;
    const zk::Request request{.op = zk::Op::kCreate, .path = at};
    if (server.tree.check(request, name) != zk::Error::kOk) return;
    server.tree.apply(request, name, {.zxid = ++server.zxid, .time_us = 0, .session = 0});
  };
  ++server.zxid;  // createSession
  for (size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1)) {
    create(path.substr(0, slash));
  }
  create(path);
  ++server.zxid;  // closeSession
}

/// True if the packet belongs to a connection that its receiver has closed.
bool is_stale(const World& world, const Link& link, const Packet& packet) {
  if (link.peer == Peer::kResource) {
    return link.to_client && packet.incarnation != world.processes[link.client].incarnation;
  }
  if (link.to_client) {
    const Library& library = world.processes[link.client].library;
    const bool open = library.state == LibraryState::kHandshake || library.state == LibraryState::kConnected;
    return !open || packet.connection != library.connection;
  }
  const ServerConnection& connection = world.servers[link.server].connections[link.client];
  if (packet.kind == PacketKind::kConnect) return packet.connection <= connection.number && connection.number != 0;
  return !connection.open || packet.connection != connection.number;
}

/// Gives a message to a client, and returns its packet where it lies now.
const Packet& arrive_at_client(World& world, const Link& link, InFlight& message, int64_t cause, Effects& fx) {
  if (link.peer == Peer::kResource) {
    tell(world, link.client, message.packet.from_resource, cause, fx);
    return message.packet;
  }
  Fifo<Unread>& socket = world.processes[link.client].library.socket;
  socket.push_back({std::move(message.packet), message.number, cause, world.now_us});
  schedule_steps(world, link.client);
  fx.touch_client(link.client);
  return socket.back().packet;
}

TimeUs deadline_of(const Process& process) {
  TimeUs earliest = kNever;
  for (const Deadline& deadline : process.deadlines) earliest = std::min(earliest, deadline.at_us);
  return earliest;
}

TimeUs due_of_link(const World& world, const Link& link) {
  if (link.cut || link.held || link.queue.empty()) return kNever;
  if (link.peer == Peer::kServer && !link.to_client && !world.servers[link.server].up) return kNever;
  return link.queue.front().due_us;
}

TimeUs due_of_io(const World& world, uint32_t client) {
  const Process& process = world.processes[client];
  if (!io_runs(process)) return kNever;
  // What has arrived is read before the clock is looked at, as a poll loop does.
  if (!process.library.socket.empty()) return process.next.io_us;
  return library_timer(process.library, world.scenario->clients[client].profile);
}

TimeUs due_of_session(const World& world, uint32_t index) {
  const Session& session = world.servers.front().sessions[index];
  return session.life == trace::SessionLife::kLive ? session.expires_us : kNever;
}

void expire(World& world, uint32_t index, Effects& fx) {
  const int64_t cause = world.servers.front().sessions[index].heard_cause;
  end_session(world, index, trace::SessionLife::kExpired, cause, fx);
}

}  // namespace

TimeUs due_of(const World& world, Mover mover, uint32_t index) {
  switch (mover) {
    case Mover::kStart:
      return world.processes[index].state == ProcessState::kNotStarted ? world.scenario->clients[index].start_us
                                                                       : kNever;
    case Mover::kDeliver: return due_of_link(world, world.links[index]);
    case Mover::kIo: return due_of_io(world, index);
    case Mover::kInput:
      return app_runs(world.processes[index]) ? world.processes[index].next.input_us : kNever;
    case Mover::kLine: return app_runs(world.processes[index]) ? world.processes[index].next.line_us : kNever;
    case Mover::kDeadline:
      return app_runs(world.processes[index]) ? deadline_of(world.processes[index]) : kNever;
    case Mover::kExpire: return due_of_session(world, index);
  }
  return kNever;
}

bool World::operator==(const World& other) const {
  return *scenario == *other.scenario && fields_equal(*this, other);
}

void write_link_name(const World& world, uint32_t index, std::string& name) {
  const Link& link = world.links[index];
  const std::string& client = world.scenario->clients[link.client].id;
  const std::string& peer = link.peer == Peer::kServer ? world.scenario->servers[link.server].id
                                                       : world.scenario->resource.id;
  name.assign(link.to_client ? peer : client).append(">").append(link.to_client ? client : peer);
}

std::string link_name(const World& world, uint32_t index) {
  std::string name;
  write_link_name(world, index, name);
  return name;
}

void add_process(World& world) {
  const auto client = static_cast<uint32_t>(world.processes.size());
  Process process;
  process.next = {kNever, kNever, kNever};
  world.processes.push_back(std::move(process));
  for (const Peer peer : {Peer::kServer, Peer::kResource}) {
    for (const bool to_client : {false, true}) {
      Link link;
      link.client = client;
      link.peer = peer;
      link.to_client = to_client;
      world.links.push_back(std::move(link));
    }
  }
  for (Server& server : world.servers) server.connections.emplace_back();
}

World initial_world(const scenario::Scenario& scenario) {
  World world;
  world.scenario = std::make_shared<const scenario::Scenario>(scenario);
  world.servers.resize(scenario.servers.size());
  for (Server& server : world.servers) create_lock_path(server, scenario.lock_path);
  for (size_t i = 0; i < scenario.clients.size(); ++i) add_process(world);
  world.resource.rule = scenario.resource.rule;
  world.resource.value = scenario.resource.initial_value;
  return world;
}

// ---- Choices -----------------------------------------------------------------------------------

std::vector<Enabled> enabled(const World& world) {
  std::vector<Enabled> all;
  const auto offer = [&](Mover mover, size_t count) {
    for (uint32_t index = 0; index < count; ++index) {
      const TimeUs due = std::max(world.now_us, due_of(world, mover, index));
      if (due != kNever) all.push_back({{.mover = mover, .index = index}, due});
    }
  };
  for (const Mover mover : {Mover::kStart, Mover::kIo, Mover::kInput, Mover::kLine, Mover::kDeadline}) {
    offer(mover, world.processes.size());
  }
  offer(Mover::kDeliver, world.links.size());
  offer(Mover::kExpire, world.servers.front().sessions.size());
  return all;
}

std::string name_of(const World& world, const Choice& choice) {
  if (choice.intervention) return scenario::name_of(*choice.intervention);
  const auto client = [&] { return world.scenario->clients[choice.index].id; };
  switch (choice.mover) {
    case Mover::kStart: return "start " + client();
    case Mover::kDeliver: return "deliver " + link_name(world, choice.index);
    case Mover::kIo: return "run " + client() + ".io";
    case Mover::kInput: return "tell " + client() + ".app";
    case Mover::kLine: return "run " + client() + ".app";
    case Mover::kDeadline: return "deadline " + client();
    case Mover::kExpire:
      return "expire " + session_name(world, world.servers.front().sessions[choice.index]);
  }
  return {};
}

std::optional<Choice> choice_named(const World& world, const std::string& name) {
  for (const Enabled& option : enabled(world)) {
    if (name_of(world, option.choice) == name) return option.choice;
  }
  if (auto intervention = scenario::intervention_named(name)) {
    return Choice{.intervention = std::move(intervention)};
  }
  return std::nullopt;
}

// ---- Applying ----------------------------------------------------------------------------------

void deliver(World& world, uint32_t index, int64_t cause, Effects& fx) {
  Link& link = world.links[index];
  InFlight message = link.queue.pop();
  fx.touch_message(index, message.number);
  fx.advance_link(index);
  const bool stale = is_stale(world, link, message.packet);
  const bool to_client = !stale && link.to_client;
  const Packet& packet =
      to_client ? arrive_at_client(world, link, message, fx.next(), fx) : message.packet;
  Lane to{LaneKind::kClient, link.client};
  Lane from{link.peer == Peer::kServer ? LaneKind::kServer : LaneKind::kResource, link.server};
  if (!link.to_client) std::swap(to, from);
  const auto kind = stale ? EventKind::kDropped : EventKind::kArrived;
  const int64_t arrived =
      fx.emit(to, kind, cause == trace::kNoEvent ? message.cause : cause, [&](EventData& data) {
        data.what = sim::what_of(packet);
        data.path = path_of(packet);
        data.peer = lane_name(world, from);
        data.message = message.number;
        data.token = packet.to_resource.token;
        data.value = packet.to_resource.value;
      });
  if (stale || link.to_client) return;
  if (link.peer == Peer::kServer) {
    arrive_at_server(world, link.client, message.packet, arrived, fx);
  } else {
    arrive_at_resource(world, link.client, message.packet, arrived, fx);
  }
}

void apply(World& world, const Choice& choice, Observer* observer, Moved* moved) {
  Effects fx(world, observer, moved);
  if (choice.intervention) {
    require(is_possible(world, *choice.intervention),
            "an intervention was applied that is not possible; a replay has diverged from its world");
    world.now_us = std::max(world.now_us, choice.at_us);
    return interfere(world, *choice.intervention, fx);
  }
  const TimeUs due = due_of(world, choice.mover, choice.index);
  require(due != kNever, "a choice was applied that is not enabled; a replay has diverged from its world");
  world.now_us = std::max(world.now_us, due);
  switch (choice.mover) {
    case Mover::kStart: return start_process(world, choice.index, trace::kNoEvent, fx);
    case Mover::kDeliver: return deliver(world, choice.index, trace::kNoEvent, fx);
    case Mover::kIo: return run_io(world, choice.index, fx);
    case Mover::kInput: return run_input(world, choice.index, fx);
    case Mover::kLine: return run_line(world, choice.index, fx);
    case Mover::kDeadline: return run_deadline(world, choice.index, fx);
    case Mover::kExpire: return expire(world, choice.index, fx);
  }
}

}  // namespace lockstep::sim
