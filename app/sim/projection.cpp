#include "sim/projection.h"

#include <algorithm>

#include "sim/ensemble.h"

namespace lockstep::sim {
namespace {

using trace::Snapshot;

trace::Connection connection_of(LibraryState state) {
  switch (state) {
    case LibraryState::kOff: return trace::Connection::kNone;
    case LibraryState::kConnecting:
    case LibraryState::kHandshake: return trace::Connection::kConnecting;
    case LibraryState::kConnected: return trace::Connection::kConnected;
    case LibraryState::kExpired: return trace::Connection::kExpired;
    case LibraryState::kAuthFailed:
    case LibraryState::kClosed: return trace::Connection::kClosed;
  }
  return trace::Connection::kNone;
}

// Each of these sets every member of a row (or a row's id), so that one row can serve again and again
// without new memory for its strings.

void write_session_id(const World& world, const Session& session, std::string& id) {
  id.assign(world.scenario->clients[session.client].id).append("#").append(std::to_string(session.ordinal));
}

void write_row(const World& world, uint32_t client, trace::ClientRow& row) {
  const Process& process = world.processes[client];
  const Library& library = process.library;
  row.process = process.state;
  row.process_since_us = process.since_us;
  row.stops = process.stops;
  row.connection = connection_of(library.state);
  row.belief = recipes::belief(process.recipe);
  row.token = recipes::token(process.recipe);
  row.line = recipes::line(process.recipe);
  row.at_line = recipes::ready(process.recipe);
  row.node = recipes::node(process.recipe);
  row.waits_for = recipes::waits_for(process.recipe);
  row.session.clear();
  uint32_t session = 0;
  if (session_index(world, library.session, session)) {
    write_session_id(world, world.sessions[session], row.session);
  }
  row.server.clear();
  if (row.connection == trace::Connection::kConnecting || row.connection == trace::Connection::kConnected) {
    row.server = server_id(world, library.server);
  }
  row.unread = static_cast<int32_t>(library.socket.size());
  row.inputs = static_cast<int32_t>(process.inputs.size());
  row.rounds_done = recipes::rounds_done(process.recipe);
  row.writes_sent = process.writes_sent;
}

/// The server that serves the session's newest connection; -1: none.
int32_t server_of(const World& world, uint32_t index) {
  const uint32_t client = world.sessions[index].client;
  int32_t found = -1;
  uint32_t newest = 0;
  for (uint32_t server = 0; server < world.servers.size(); ++server) {
    const ServerConnection& connection = world.servers[server].connections[client];
    if (!connection.open || !connection.established || connection.session != index) continue;
    if (connection.number < newest) continue;
    newest = connection.number;
    found = static_cast<int32_t>(server);
  }
  return found;
}

void write_row(const World& world, uint32_t index, trace::SessionRow& row) {
  const Session& session = world.sessions[index];
  row.client = world.scenario->clients[session.client].id;
  row.session_id = session.id;
  row.life = session.life;
  row.timeout_us = session.timeout_us;
  row.heard_us = session.heard_us;
  row.expires_us = session.life == trace::SessionLife::kLive ? -1 : session.ended_us;
  const int32_t counts = authority(world);
  if (counts >= 0 && index < world.servers[static_cast<size_t>(counts)].tracker.size()) {
    const Tracked& tracked = world.servers[static_cast<size_t>(counts)].tracker[index];
    if (tracked.life != TrackedLife::kNone) row.heard_us = tracked.heard_us;
    if (tracked.life != TrackedLife::kNone) row.expires_us = tracked.expires_us;
  }
  row.server.clear();
  const int32_t serves = server_of(world, index);
  if (serves >= 0) row.server = server_id(world, static_cast<uint32_t>(serves));
}

void write_row(const World& world, const std::string& path, trace::ZnodeRow& row) {
  const DataTree& tree = truth(world).tree;
  row.data = tree.find(path)->data;
  row.stat = tree.stat_of(path);
  row.owner.clear();
  uint32_t session = 0;
  if (session_index(world, row.stat.ephemeral_owner, session)) {
    write_session_id(world, world.sessions[session], row.owner);
  }
}

void write_row(const World& world, const Touched::Watch& watch, trace::WatchRow& row) {
  const ServerConnection& connection = world.servers[watch.server].connections[watch.client];
  write_session_id(world, world.sessions[connection.session], row.session);
  row.table = watch.table;
  row.path = watch.path;
  row.server = server_id(world, watch.server);
}

void write_watch_id(const World& world, const trace::WatchRow& row, std::string& id) {
  id.assign(row.session).append(" ").append(trace::name_of(row.table)).append(" ");
  if (!is_alone(world)) id.append(row.server).append(" ");
  id.append(row.path);
}

void write_row(const World& world, uint32_t index, trace::LinkRow& row) {
  const Link& link = world.links[index];
  row.from = lane_name(world, sender_of(link));
  row.to = lane_name(world, receiver_of(link));
  row.cut = link.cut;
  row.held = link.held;
}

void write_row(const World& world, uint32_t link, const InFlight& message, trace::MessageRow& row) {
  write_link_name(world, link, row.link);
  row.what = what_of(*message.packet);
  row.path = path_of(*message.packet);
  row.token = message.packet->to_resource.token;
  row.value = message.packet->to_resource.value;
  row.sent_us = message.sent_us;
  row.due_us = message.due_us;
}

void write_member(const World& world, uint32_t index, trace::ServerRow& row) {
  const Member& member = member_of(world, index);
  row.logged = std::max(row.zxid, member.log.last());
  row.epoch = member.current_epoch;
  if (member.leading) row.leader = server_id(world, index);
  if (member.learning) row.leader = server_id(world, member.learning->leader);
  if (member.election && member.election->vote.zxid >= 0) row.vote = server_id(world, member.election->vote.server);
}

void write_row(const World& world, uint32_t index, trace::ServerRow& row) {
  const Server& server = world.servers[index];
  row = {.process = server.process,
         .role = role_of(world, index),
         .serving = server.process != trace::Process::kCrashed && is_serving(world, index),
         .zxid = server.database.zxid,
         .logged = server.database.zxid};
  if (server.member) write_member(world, index, row);
}

void write_row(const World& world, trace::ResourceRow& row) {
  const Register& resource = world.resource;
  row.rule = resource.rule;
  row.value = resource.value;
  row.token_max = resource.token_max;
  row.last_writer.clear();
  if (resource.written) row.last_writer = world.scenario->clients[resource.last_writer].id;
}

void write_row(const World& world, const Judged& judged, trace::LedgerRow& row) {
  row.resource = world.scenario->resource.id;
  row.client = world.scenario->clients[judged.client].id;
  row.token = judged.token;
  row.value = judged.value;
  row.accepted = judged.accepted;
  row.stale = judged.stale;
  row.token_max_before = judged.token_max_before;
  row.time_us = world.now_us;
}

const InFlight* message_in(const Link& link, int64_t number) {
  const auto found = std::lower_bound(link.queue.begin(), link.queue.end(), number,
                                      [](const InFlight& message, int64_t wanted) { return message.number < wanted; });
  return found != link.queue.end() && found->number == number ? &*found : nullptr;
}

}  // namespace

Snapshot project(const World& world) {
  Snapshot snapshot;
  snapshot.time_us = world.now_us;
  std::string id;
  for (uint32_t client = 0; client < world.processes.size(); ++client) {
    write_row(world, client, snapshot.clients[world.scenario->clients[client].id]);
  }
  for (const auto& [path, node] : truth(world).tree.nodes()) write_row(world, path, snapshot.znodes[path]);
  for (uint32_t index = 0; index < world.sessions.size(); ++index) {
    if (!world.sessions[index].opened) continue;
    write_session_id(world, world.sessions[index], id);
    write_row(world, index, snapshot.sessions[id]);
  }
  for (uint32_t server = 0; server < world.servers.size(); ++server) {
    for (const auto& [key, clients] : world.servers[server].watches.all()) {
      for (const uint32_t client : clients) {
        trace::WatchRow row;
        write_row(world, Touched::Watch{server, client, key.first, key.second}, row);
        write_watch_id(world, row, id);
        snapshot.watches[id] = std::move(row);
      }
    }
    write_row(world, server, snapshot.servers[server_id(world, server)]);
  }
  for (uint32_t index = 0; index < world.links.size(); ++index) {
    write_row(world, index, snapshot.links[link_name(world, index)]);
    for (const InFlight& message : world.links[index].queue) {
      write_row(world, index, message, snapshot.messages[std::to_string(message.number)]);
    }
  }
  write_row(world, snapshot.resources[world.scenario->resource.id]);
  return snapshot;
}

trace::Trace trace_of(const World& world) {
  return trace::Trace({trace::Source::kSimulated, *world.scenario}, project(world));
}

// ---- Recorder ----------------------------------------------------------------------------------

namespace {

/// The element with this index, made if it is not there.
template <class T>
T& at(std::vector<T>& all, uint32_t index) {
  if (index >= all.size()) all.resize(index + 1);
  return all[index];
}

}  // namespace

void Recorder::put_clients(const World& world, const Touched& touched) {
  for (const uint32_t client : touched.clients) {
    write_row(world, client, client_);
    writer_.put(&Snapshot::clients, world.scenario->clients[client].id, client_, at(client_places_, client));
  }
}

void Recorder::put_truth(const World& world, const Touched& touched) {
  for (const uint32_t session : touched.sessions) {
    if (!world.sessions[session].opened) continue;
    write_session_id(world, world.sessions[session], id_);
    write_row(world, session, session_);
    writer_.put(&Snapshot::sessions, id_, session_, at(session_places_, session));
  }
  for (const std::string& path : touched.znodes) {
    if (truth(world).tree.find(path) == nullptr) {
      writer_.erase(&Snapshot::znodes, path);
      continue;
    }
    write_row(world, path, znode_);
    writer_.put(&Snapshot::znodes, path, znode_);
  }
  for (const Touched::Watch& watch : touched.watches) {
    write_row(world, watch, watch_);
    write_watch_id(world, watch_, id_);
    if (world.servers[watch.server].watches.has(watch.client, watch.table, watch.path)) {
      writer_.put(&Snapshot::watches, id_, watch_);
    } else {
      writer_.erase(&Snapshot::watches, id_);
    }
  }
  for (const uint32_t server : touched.servers) {
    write_row(world, server, server_);
    writer_.put(&Snapshot::servers, server_id(world, server), server_);
  }
}

void Recorder::put_network(const World& world, const Touched& touched) {
  for (const uint32_t link : touched.links) {
    write_link_name(world, link, id_);
    write_row(world, link, link_);
    writer_.put(&Snapshot::links, id_, link_);
  }
  for (const auto& [link, number] : touched.messages) {
    id_ = std::to_string(number);
    const InFlight* message = message_in(world.links[link], number);
    if (message == nullptr) {
      writer_.erase(&Snapshot::messages, id_);
      continue;
    }
    write_row(world, link, *message, message_);
    writer_.put(&Snapshot::messages, id_, message_);
  }
}

void Recorder::put_ledger(const World& world, const Touched& touched, const Judged& judged) {
  if (touched.resource) {
    write_row(world, resource_);
    writer_.put(&Snapshot::resources, world.scenario->resource.id, resource_);
  }
  if (touched.ledger) {
    write_row(world, judged, ledger_);
    writer_.put(&Snapshot::ledger, std::to_string(world.resource.rows), ledger_);
  }
}

void Recorder::on_event(const World& world, trace::Event& event, const Touched& touched,
                        const Judged& judged) {
  put_clients(world, touched);
  put_truth(world, touched);
  put_network(world, touched);
  put_ledger(world, touched, judged);
  writer_.commit(event, at(lane_places_, touched.lane));
}

}  // namespace lockstep::sim
