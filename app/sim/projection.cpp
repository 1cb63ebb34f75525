#include "sim/projection.h"

#include <algorithm>

#include "sim/effects.h"

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
    case LibraryState::kClosed: return trace::Connection::kClosed;
  }
  return trace::Connection::kNone;
}

trace::ClientRow client_row(const World& world, uint32_t client) {
  const Process& process = world.processes[client];
  const Library& library = process.library;
  trace::ClientRow row;
  row.process = process.state;
  row.process_since_us = process.since_us;
  row.connection = connection_of(library.state);
  row.belief = recipes::belief(process.recipe);
  row.token = recipes::token(process.recipe);
  row.line = recipes::line(process.recipe);
  row.at_line = recipes::ready(process.recipe);
  row.node = recipes::node(process.recipe);
  row.waits_for = recipes::waits_for(process.recipe);
  row.session = session_name(world, library.session);
  row.unread = static_cast<int32_t>(library.socket.size());
  row.inputs = static_cast<int32_t>(process.inputs.size());
  row.rounds_done = recipes::rounds_done(process.recipe);
  row.writes_sent = process.writes_sent;
  return row;
}

trace::SessionRow session_row(const World& world, uint32_t index) {
  const Server& server = world.servers.front();
  const Session& session = server.sessions[index];
  const ServerConnection& connection = server.connections[session.client];
  trace::SessionRow row;
  row.client = world.scenario->clients[session.client].id;
  row.session_id = session.id;
  row.life = session.life;
  row.timeout_us = session.timeout_us;
  row.heard_us = session.heard_us;
  row.expires_us = session.expires_us;
  if (connection.open && connection.established && connection.session == index) {
    row.server = world.scenario->servers.front().id;
  }
  return row;
}

trace::ZnodeRow znode_row(const World& world, const std::string& path) {
  const Server& server = world.servers.front();
  trace::ZnodeRow row;
  row.data = server.tree.find(path)->data;
  row.stat = server.tree.stat_of(path);
  uint32_t session = 0;
  if (session_index(server, row.stat.ephemeral_owner, session)) {
    row.owner = session_name(world, server.sessions[session]);
  }
  return row;
}

std::string watch_session(const World& world, uint32_t client) {
  const Server& server = world.servers.front();
  return session_name(world, server.sessions[server.connections[client].session]);
}

std::string watch_key(const World& world, uint32_t client, trace::WatchTable table, const std::string& path) {
  return watch_session(world, client) + " " + std::string(trace::name_of(table)) + " " + path;
}

trace::WatchRow watch_row(const World& world, uint32_t client, trace::WatchTable table,
                          const std::string& path) {
  return {watch_session(world, client), table, path, world.scenario->servers.front().id};
}

trace::LinkRow link_row(const World& world, uint32_t index) {
  const Link& link = world.links[index];
  trace::LinkRow row;
  row.from = world.scenario->clients[link.client].id;
  row.to = link.peer == Peer::kServer ? world.scenario->servers[link.server].id
                                      : world.scenario->resource.id;
  if (link.to_client) std::swap(row.from, row.to);
  row.cut = link.cut;
  row.held = link.held;
  return row;
}

trace::MessageRow message_row(const World& world, uint32_t link, const InFlight& message) {
  trace::MessageRow row;
  row.link = link_name(world, link);
  row.what = what_of(message.packet);
  row.path = path_of(message.packet);
  row.token = message.packet.to_resource.token;
  row.value = message.packet.to_resource.value;
  row.sent_us = message.sent_us;
  row.due_us = message.due_us;
  return row;
}

trace::ServerRow server_row(const World& world) {
  const Server& server = world.servers.front();
  return {server.up, trace::ServerRole::kStandalone, server.zxid};
}

trace::ResourceRow resource_row(const World& world) {
  const Register& row = world.resource;
  trace::ResourceRow projected{row.rule, row.value, row.token_max, {}};
  if (row.written) projected.last_writer = world.scenario->clients[row.last_writer].id;
  return projected;
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
  const Server& server = world.servers.front();
  for (uint32_t client = 0; client < world.processes.size(); ++client) {
    snapshot.clients[world.scenario->clients[client].id] = client_row(world, client);
  }
  for (const auto& [path, node] : server.tree.nodes()) snapshot.znodes[path] = znode_row(world, path);
  for (uint32_t index = 0; index < server.sessions.size(); ++index) {
    snapshot.sessions[session_name(world, server.sessions[index])] = session_row(world, index);
  }
  for (const auto& [key, clients] : server.watches.all()) {
    for (const uint32_t client : clients) {
      snapshot.watches[watch_key(world, client, key.first, key.second)] =
          watch_row(world, client, key.first, key.second);
    }
  }
  snapshot.servers[world.scenario->servers.front().id] = server_row(world);
  for (uint32_t index = 0; index < world.links.size(); ++index) {
    snapshot.links[link_name(world, index)] = link_row(world, index);
    for (const InFlight& message : world.links[index].queue) {
      snapshot.messages[std::to_string(message.number)] = message_row(world, index, message);
    }
  }
  snapshot.resources[world.scenario->resource.id] = resource_row(world);
  return snapshot;
}

trace::Trace trace_of(const World& world) {
  return trace::Trace({trace::Source::kSimulated, *world.scenario}, project(world));
}

void Recorder::put_rows(const World& world, const Touched& touched) {
  for (const uint32_t client : touched.clients) {
    writer_.put(&Snapshot::clients, world.scenario->clients[client].id, client_row(world, client));
  }
  for (const uint32_t session : touched.sessions) {
    writer_.put(&Snapshot::sessions, session_name(world, world.servers.front().sessions[session]),
                session_row(world, session));
  }
  for (const std::string& path : touched.znodes) {
    if (world.servers.front().tree.find(path) != nullptr) {
      writer_.put(&Snapshot::znodes, path, znode_row(world, path));
    } else {
      writer_.erase(&Snapshot::znodes, path);
    }
  }
  for (const Touched::Watch& watch : touched.watches) {
    const std::string key = watch_key(world, watch.client, watch.table, watch.path);
    if (world.servers.front().watches.has(watch.client, watch.table, watch.path)) {
      writer_.put(&Snapshot::watches, key, watch_row(world, watch.client, watch.table, watch.path));
    } else {
      writer_.erase(&Snapshot::watches, key);
    }
  }
  for (const uint32_t link : touched.links) {
    writer_.put(&Snapshot::links, link_name(world, link), link_row(world, link));
  }
  for (const auto& [link, number] : touched.messages) {
    const InFlight* message = message_in(world.links[link], number);
    if (message != nullptr) {
      writer_.put(&Snapshot::messages, std::to_string(number), message_row(world, link, *message));
    } else {
      writer_.erase(&Snapshot::messages, std::to_string(number));
    }
  }
  if (touched.server) writer_.put(&Snapshot::servers, world.scenario->servers.front().id, server_row(world));
  if (touched.resource) writer_.put(&Snapshot::resources, world.scenario->resource.id, resource_row(world));
}

void Recorder::on_event(const World& world, trace::Event event, const Touched& touched,
                        const Judged& judged) {
  put_rows(world, touched);
  if (touched.ledger) {
    trace::LedgerRow row;
    row.resource = world.scenario->resource.id;
    row.client = world.scenario->clients[judged.client].id;
    row.token = judged.token;
    row.value = judged.value;
    row.accepted = judged.accepted;
    row.stale = judged.stale;
    row.token_max_before = judged.token_max_before;
    row.time_us = world.now_us;
    writer_.put(&Snapshot::ledger, std::to_string(world.resource.rows), row);
  }
  writer_.commit(std::move(event));
}

}  // namespace lockstep::sim
