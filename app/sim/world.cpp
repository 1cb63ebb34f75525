#include "sim/world.h"

#include <algorithm>

#include "recipes/bug.h"
#include "sim/ensemble.h"
#include "sim/resolve.h"

namespace lockstep::sim {
namespace {

using trace::EventData;
using trace::EventKind;
using ProcessState = trace::Process;

/// An administrator's session creates the lock's parent before the run, as whoever deploys a lock would.
void create_lock_path(Database& database, const scenario::Scenario& scenario) {
  const std::string& path = scenario.lock_path;
  database.tree = DataTree(scenario.sequence_overflow == scenario::SequenceOverflow::kAsDocumented);
  const auto create = [&](const std::string& at) {
    const Resolved resolved = resolve(database.tree, {.op = zk::Op::kCreate, .path = at}, {});
    if (resolved.error != zk::Error::kOk) return;
    database.tree.apply(resolved.changes.front(), {.zxid = ++database.zxid, .time_us = 0, .session = 0});
  };
  ++database.zxid;  // createSession
  for (size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1)) {
    create(path.substr(0, slash));
  }
  create(path);
  database.tree.count_creates(path, scenario.sequence_start);
  ++database.zxid;  // closeSession
}

/// Of equal logs, the last voter's is elected.
uint32_t first_leader(const scenario::Scenario& scenario) {
  uint32_t leader = 0;
  for (uint32_t i = 0; i < scenario.servers.size(); ++i) {
    if (!scenario.servers[i].observer) leader = i;
  }
  return leader;
}

Leading first_leading(const World& world, uint32_t leader, const scenario::Scenario& scenario) {
  Leading leading;
  leading.phase = LeaderPhase::kBroadcast;
  leading.epoch = 1;
  leading.zxid = world.committed.zxid;
  leading.prep = world.committed.tree;
  leading.ping_us = scenario.tick_us / 2;
  leading.handlers.resize(scenario.servers.size());
  for (uint32_t i = 0; i < scenario.servers.size(); ++i) {
    if (i == leader) continue;
    leading.handlers[i] = {.phase = HandlerPhase::kSynced,
                           .connection = 1,
                           .epoch = 1,
                           .zxid = 0,
                           .until_us = scenario.sync_limit * scenario.tick_us,
                           .tick_until = scenario.sync_limit};
  }
  return leading;
}

/// An ensemble that has elected a leader in its first epoch, and in which everybody has caught up.
void make_ensemble(World& world, const scenario::Scenario& scenario) {
  world.committed.zxid = first_zxid(1);
  create_lock_path(world.committed, scenario);
  const uint32_t leader = first_leader(scenario);
  for (uint32_t i = 0; i < scenario.servers.size(); ++i) {
    world.servers[i].database = world.committed;
    Member member;
    member.accepted_epoch = member.current_epoch = 1;
    member.log.base = world.committed.zxid;
    member.connections = 1;
    member.round = 1;
    member.elected = {.server = leader, .zxid = 0, .epoch = 1};
    if (i == leader) {
      member.leading = first_leading(world, leader, scenario);
    } else {
      member.learning = Learning{.leader = leader,
                                 .connection = 1,
                                 .phase = LearnerPhase::kBroadcast,
                                 .until_us = scenario.sync_limit * scenario.tick_us,
                                 .committed = world.committed.zxid};
    }
    world.servers[i].member = std::move(member);
  }
}

/// True if the packet belongs to a connection that its receiver has closed.
bool is_stale(const World& world, const Link& link, const Packet& packet) {
  if (link.kind == LinkKind::kServerServer) return is_stale_for_peer(world, link.from, link.server, packet);
  if (link.kind == LinkKind::kClientResource) {
    return link.to_client && packet.incarnation != world.processes[link.client].incarnation;
  }
  if (link.to_client) {
    const Library& library = world.processes[link.client].library;
    const bool open = library.state == LibraryState::kHandshake || library.state == LibraryState::kConnected;
    return !open || packet.connection != library.connection;
  }
  const ServerConnection& connection = world.servers[link.server].connections[link.client];
  if (world.servers[link.server].process == ProcessState::kCrashed) return true;
  if (packet.kind == PacketKind::kConnect) return packet.connection <= connection.number && connection.number != 0;
  return !connection.open || packet.connection != connection.number;
}

/// Gives a message to a client, and returns its packet where it lies now.
const Packet& arrive_at_client(World& world, const Link& link, InFlight& message, int64_t cause, Effects& fx) {
  if (link.kind == LinkKind::kClientResource) {
    tell(world, link.client, message.packet->from_resource, cause, fx);
    return *message.packet;
  }
  Fifo<Unread>& socket = world.processes[link.client].library.socket;
  socket.push_back({std::move(message.packet), message.number, cause, world.now_us});
  schedule_steps(world, link.client);
  fx.touch_client(link.client);
  return *socket.back().packet;
}

/// Whom a server hears of by a message that arrives: its sender, or those that a follower has heard of.
void note_sessions(World& world, const Link& link, const Packet& packet, Effects& fx) {
  if (link.kind == LinkKind::kServerServer) {
    if (packet.quorum->from_leader) return;
    for (const uint32_t session : packet.quorum->touched) touch_session(world, link.server, session, fx.next(), fx);
  } else if (link.kind == LinkKind::kClientServer && packet.kind != PacketKind::kConnect &&
             packet.kind != PacketKind::kClose && packet.kind != PacketKind::kAuth) {
    const ServerConnection& connection = world.servers[link.server].connections[link.client];
    if (connection.established) touch_session(world, link.server, connection.session, fx.next(), fx);
  }
}

/// Who wants to connect where nobody listens is told so at once, as a kernel does.
/// A client asks a server for a connection whose process is gone: nobody listens there.
bool is_refused(const World& world, const Link& link, const Packet& packet) {
  return link.kind == LinkKind::kClientServer && packet.kind == PacketKind::kConnect &&
         world.servers[link.server].process == ProcessState::kCrashed;
}

void refuse_stale(World& world, const Link& link, const Packet& packet, int64_t cause, Effects& fx) {
  if (link.kind == LinkKind::kServerServer) return refuse_peer(world, link.from, link.server, packet, cause, fx);
  if (!is_refused(world, link, packet)) return;
  fx.send(link_from_server(world, link.client, link.server),
          {.kind = PacketKind::kClose, .connection = packet.connection}, cause);
}

TimeUs deadline_of(const Process& process) {
  TimeUs earliest = kNever;
  for (const Deadline& deadline : process.deadlines) earliest = std::min(earliest, deadline.at_us);
  return earliest;
}

TimeUs due_of_link(const World& world, const Link& link) {
  if (link.cut || link.held || link.queue.empty()) return kNever;
  const bool to_server = link.kind != LinkKind::kClientResource && !link.to_client;
  if (to_server && world.servers[link.server].process == ProcessState::kPaused) return kNever;
  return link.queue.front().due_us;
}

TimeUs due_of_io(const World& world, uint32_t client) {
  const Process& process = world.processes[client];
  if (!io_runs(process)) return kNever;
  // What has arrived is read before the clock is looked at, as a poll loop does.
  if (!process.library.socket.empty()) return process.next.io_us;
  return library_timer(process.library, habits_of(world, client));
}

/// An expiry's two halves.
uint32_t expiring_session(const World& world, uint32_t number) {
  return number / static_cast<uint32_t>(world.servers.size());
}
uint32_t expiring_server(const World& world, uint32_t number) {
  return number % static_cast<uint32_t>(world.servers.size());
}

void expire(World& world, uint32_t number, Effects& fx) {
  const uint32_t server = expiring_server(world, number);
  const uint32_t session = expiring_session(world, number);
  const int64_t cause = world.servers[server].tracker[session].heard_cause;
  close_session(world, server, session, true, cause, fx);
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
    case Mover::kExpire: return expiry_of(world, expiring_server(world, index), expiring_session(world, index));
    case Mover::kServer: return std::min(server_timer(world, index), container_timer(world, index));
  }
  return kNever;
}

bool World::operator==(const World& other) const {
  return *scenario == *other.scenario && fields_equal(*this, other);
}

void write_link_name(const World& world, uint32_t index, std::string& name) {
  const Link& link = world.links[index];
  name.assign(lane_name(world, sender_of(link))).append(">").append(lane_name(world, receiver_of(link)));
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
  const auto add_links = [&](LinkKind kind, uint32_t server) {
    for (const bool to_client : {false, true}) {
      world.links.push_back({.kind = kind, .client = client, .server = server, .to_client = to_client});
    }
  };
  for (uint32_t server = 0; server < world.servers.size(); ++server) add_links(LinkKind::kClientServer, server);
  add_links(LinkKind::kClientResource, 0);
  for (Server& server : world.servers) server.connections.resize(world.processes.size());
}

World initial_world(const scenario::Scenario& scenario) {
  World world;
  world.scenario = std::make_shared<const scenario::Scenario>(scenario);
  world.servers.resize(scenario.servers.size());
  if (is_alone(world)) {
    create_lock_path(world.servers.front().database, scenario);
  } else {
    make_ensemble(world, scenario);
  }
  for (uint32_t from = 0; from < world.servers.size(); ++from) {
    for (uint32_t to = 0; to < world.servers.size(); ++to) {
      if (to != from) world.links.push_back({.kind = LinkKind::kServerServer, .server = to, .from = from});
    }
  }
  for (size_t i = 0; i < scenario.clients.size(); ++i) add_process(world);
  world.resource.rule = scenario.resource.rule;
  world.resource.value = scenario.resource.initial_value;
  return world;
}

bool session_index(const World& world, zk::SessionId id, uint32_t& index) {
  const auto place = static_cast<uint64_t>(id & 0x00ff'ffff'ffff'ffff);
  if (id == 0 || place == 0 || place > world.sessions.size()) return false;
  index = static_cast<uint32_t>(place - 1);
  return world.sessions[index].id == id;
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
  offer(Mover::kExpire, world.sessions.size() * world.servers.size());
  offer(Mover::kServer, world.servers.size());
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
    case Mover::kExpire: {
      const std::string session =
          "expire " + session_name(world, world.sessions[expiring_session(world, choice.index)]);
      if (is_alone(world)) return session;
      return session + " by " + server_id(world, expiring_server(world, choice.index));
    }
    case Mover::kServer: return "run " + server_id(world, choice.index);
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
  const bool stale = is_stale(world, link, *message.packet);
  const bool to_client = !stale && link.to_client;
  if (!stale && !link.to_client) note_sessions(world, link, *message.packet, fx);
  const Packet& packet =
      to_client ? arrive_at_client(world, link, message, fx.next(), fx) : *message.packet;
  const auto kind = stale ? EventKind::kDropped : EventKind::kArrived;
  const int64_t arrived =
      fx.emit(receiver_of(link), kind, cause == trace::kNoEvent ? message.cause : cause, [&](EventData& data) {
        data.what = stale && is_refused(world, link, packet) ? "connection refused" : sim::what_of(packet);
        data.path = path_of(packet);
        data.peer = lane_name(world, sender_of(link));
        data.message = message.number;
        data.token = packet.to_resource.token;
        data.value = packet.to_resource.value;
      });
  if (stale) return refuse_stale(world, link, packet, arrived, fx);
  if (link.to_client) return;
  switch (link.kind) {
    case LinkKind::kClientServer:
      return arrive_at_server(world, link.server, link.client, std::move(*message.packet), arrived, fx);
    case LinkKind::kClientResource: return arrive_at_resource(world, link.client, *message.packet, arrived, fx);
    case LinkKind::kServerServer: return arrive_at_peer(world, link.from, link.server, *message.packet, arrived, fx);
  }
}

void apply(World& world, const Choice& choice, Observer* observer, Moved* moved) {
  Effects fx(world, observer, moved);
  if (choice.intervention) {
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
    case Mover::kServer:
      if (due == container_timer(world, choice.index)) return check_containers(world, choice.index, fx);
      return run_server(world, choice.index, fx);
  }
}

}  // namespace lockstep::sim
