// What a server does for its clients. Order matters here and is the real server's: a transaction's watch events
// enter each connection before any reply made after it, the issuer's included; and what a session has asked for
// after a write waits until that write is committed here.
#include <algorithm>

#include "sim/ensemble.h"
#include "sim/reads.h"

namespace lockstep::sim {
namespace {

using trace::EventData;
using trace::EventKind;
using trace::WatchTable;
using zk::WatchEventType;

const std::string& client_id(const World& world, uint32_t client) { return world.scenario->clients[client].id; }

ServerConnection& connection_of(World& world, uint32_t server, uint32_t client) {
  return world.servers[server].connections[client];
}

void reply_to(World& world, uint32_t server, uint32_t client, Packet&& packet, int64_t cause, Effects& fx) {
  packet.connection = connection_of(world, server, client).number;
  fx.send(link_from_server(world, client, server), std::move(packet), cause);
}

/// The connection that waits for an answer, if it is still the same.
ServerConnection* waiting_at(World& world, const Origin& origin) {
  ServerConnection& connection = connection_of(world, origin.server, origin.client);
  return connection.open && connection.number == origin.connection ? &connection : nullptr;
}

Origin origin_of(World& world, uint32_t server, uint32_t client, int32_t xid) {
  return {.server = server, .client = client, .connection = connection_of(world, server, client).number, .xid = xid};
}

// ---- Watches -------------------------------------------------------------------------------------

void send_event(World& world, uint32_t server, uint32_t client, WatchEventType type, const std::string& path,
                int64_t cause, Effects& fx) {
  const int64_t fired =
      fx.emit({LaneKind::kServer, server}, EventKind::kWatchFired, cause, [&](EventData& data) {
        data.what = zk::name_of(type);
        data.path = path;
        data.peer = client_id(world, client);
      });
  Packet packet{.kind = PacketKind::kWatchEvent, .zxid = -1};
  packet.event = type;
  packet.reply.path = path;
  reply_to(world, server, client, std::move(packet), fired, fx);
}

/// A watch has fired even if its owner may not read the node, and hears nothing (CVE-2024-23944).
void fire(World& world, uint32_t server, WatchTable table, const std::string& path, WatchEventType type,
          const Acls& acl, int64_t cause, Effects& fx) {
  Watches& watches = world.servers[server].watches;
  for (const uint32_t client : watches.watchers(table, path)) {
    watches.remove(client, table, path);
    fx.touch_watch(server, client, table, path);
    if (allows(acl, zk::kPermRead, connection_of(world, server, client).ids)) {
      send_event(world, server, client, type, path, cause, fx);
    }
  }
}

void add_watch(World& world, uint32_t server, uint32_t client, WatchTable table, const std::string& path,
               Effects& fx) {
  world.servers[server].watches.add(client, table, path);
  fx.touch_watch(server, client, table, path);
}

/// Re-arms what a client watched before it was away, and makes up for what it missed (zookeeper.md A4).
void set_watches(World& world, uint32_t server, uint32_t client, const Packet& packet, int64_t cause, Effects& fx) {
  const DataTree& tree = world.servers[server].database.tree;
  const auto one = [&](const std::string& path, WatchTable table, bool missed, WatchEventType type) {
    if (!missed) return add_watch(world, server, client, table, path, fx);
    send_event(world, server, client, type, path, cause, fx);
  };
  for (const std::string& path : packet.data_watches) {
    const Znode* node = tree.find(path);
    const bool changed = node != nullptr && node->stat.mzxid > packet.zxid;
    one(path, WatchTable::kData, node == nullptr || changed,
        node == nullptr ? WatchEventType::kNodeDeleted : WatchEventType::kNodeDataChanged);
  }
  for (const std::string& path : packet.exist_watches) {
    one(path, WatchTable::kData, tree.find(path) != nullptr, WatchEventType::kNodeCreated);
  }
  for (const std::string& path : packet.children_watches) {
    const Znode* node = tree.find(path);
    const bool changed = node != nullptr && node->stat.pzxid > packet.zxid;
    one(path, WatchTable::kChildren, node == nullptr || changed,
        node == nullptr ? WatchEventType::kNodeDeleted : WatchEventType::kNodeChildrenChanged);
  }
  const zk::Zxid zxid = world.servers[server].database.zxid;
  reply_to(world, server, client, {.kind = PacketKind::kSetWatchesReply, .zxid = zxid}, cause, fx);
}

// ---- Sessions ------------------------------------------------------------------------------------

void answer_connect(World& world, uint32_t server, uint32_t client, uint32_t index, int64_t cause, Effects& fx) {
  ServerConnection& connection = connection_of(world, server, client);
  connection.session = index;
  connection.established = true;
  touch_session(world, server, index, cause, fx);
  fx.touch_session(index);
  const Session& session = world.sessions[index];
  reply_to(world, server, client,
           {.kind = PacketKind::kConnectReply, .session = session.id, .timeout_us = session.timeout_us}, cause, fx);
}

void open_new_session(World& world, uint32_t server, uint32_t client, const Packet& packet, int64_t cause,
                      Effects& fx) {
  const auto index = static_cast<uint32_t>(world.sessions.size());
  Session session;
  session.id = session_id(server, index);
  session.client = client;
  session.ordinal = ++world.processes[client].sessions;
  session.timeout_us = negotiated_timeout(packet.timeout_us, world.scenario->tick_us);
  world.sessions.push_back(session);
  Txn txn;
  txn.kind = TxnKind::kCreateSession;
  txn.session = index;
  txn.awaited = true;
  txn.origin = origin_of(world, server, client, 0);
  if (gives_zxids(world, server)) return take_up(world, server, std::move(txn), cause, fx);
  QuorumPacket ask{.kind = QuorumPacketKind::kRequest, .asked = TxnKind::kCreateSession};
  ask.session = index;
  ask.origin = txn.origin;
  send_to_leader(world, server, std::move(ask), cause, fx);
}

void reattach(World& world, uint32_t server, uint32_t client, const Packet& packet, int64_t cause, Effects& fx) {
  uint32_t index = 0;
  const Origin origin = origin_of(world, server, client, 0);
  if (!session_index(world, packet.session, index)) {
    return answer_revalidation(world, origin, 0, false, cause, fx);
  }
  connection_of(world, server, client).session = index;
  if (gives_zxids(world, server)) {
    const bool valid = revalidate(world, server, index, server, cause, fx);
    return answer_revalidation(world, origin, index, valid, cause, fx);
  }
  QuorumPacket ask{.kind = QuorumPacketKind::kRevalidate, .session = index};
  ask.origin = origin;
  send_to_leader(world, server, std::move(ask), cause, fx);
}

/// A server that does not serve, or that is behind what the client has seen, closes the connection at once.
void refuse(World& world, uint32_t server, uint32_t client, const Packet& packet, int64_t cause, Effects& fx) {
  fx.send(link_from_server(world, client, server),
          {.kind = PacketKind::kClose, .connection = packet.connection}, cause);
}

void connect(World& world, uint32_t server, uint32_t client, const Packet& packet, int64_t cause, Effects& fx) {
  close_connection(world, server, client, true, cause, fx);  // Reattaching closes the old one first.
  if (!is_serving(world, server) || packet.zxid > world.servers[server].database.zxid) {
    return refuse(world, server, client, packet, cause, fx);
  }
  ServerConnection& connection = connection_of(world, server, client);
  connection.open = true;
  connection.established = false;
  connection.number = packet.connection;
  if (packet.session == 0) return open_new_session(world, server, client, packet, cause, fx);
  reattach(world, server, client, packet, cause, fx);
}

// ---- Reads ---------------------------------------------------------------------------------------

void register_watch(World& world, uint32_t server, uint32_t client, const zk::Request& request, zk::Error error,
                    Effects& fx) {
  if (!request.watch) return;
  // exists leaves a watch on a node that is not there; getData and getChildren do not.
  if (error != zk::Error::kOk && !(request.op == zk::Op::kExists && error == zk::Error::kNoNode)) return;
  const auto table = request.op == zk::Op::kGetChildren ? WatchTable::kChildren : WatchTable::kData;
  add_watch(world, server, client, table, request.path, fx);
}

Packet reply_of(World& world, uint32_t server, const Packet& packet) {
  Packet answer{.kind = PacketKind::kReply, .xid = packet.xid, .zxid = world.servers[server].database.zxid};
  answer.request.op = packet.request.op;
  answer.reply.path = packet.request.path;
  return answer;
}

void read(World& world, uint32_t server, uint32_t client, const Packet& packet, int64_t cause, Effects& fx) {
  Packet answer = reply_of(world, server, packet);
  const DataTree& tree = world.servers[server].database.tree;
  answer.reply = read_from(tree, packet.request, connection_of(world, server, client).ids);
  register_watch(world, server, client, packet.request, answer.reply.error, fx);
  reply_to(world, server, client, std::move(answer), cause, fx);
}

/// What needs no other server.
void serve(World& world, uint32_t server, uint32_t client, const Packet& packet, int64_t cause, Effects& fx) {
  if (packet.kind == PacketKind::kSetWatches) return set_watches(world, server, client, packet, cause, fx);
  if (packet.kind == PacketKind::kRequest) return read(world, server, client, packet, cause, fx);
  const zk::Zxid zxid = world.servers[server].database.zxid;
  reply_to(world, server, client, {.kind = PacketKind::kPong, .zxid = zxid}, cause, fx);
}

// ---- Requests ------------------------------------------------------------------------------------

bool is_write(zk::Op op) {
  switch (op) {
    case zk::Op::kCreate:
    case zk::Op::kDelete:
    case zk::Op::kSetData:
    case zk::Op::kSetAcl:
    case zk::Op::kCheck:
    case zk::Op::kMulti: return true;
    case zk::Op::kExists:
    case zk::Op::kGetData:
    case zk::Op::kGetChildren:
    case zk::Op::kGetAcl:
    case zk::Op::kAddAuth:
    case zk::Op::kSync: return false;
  }
  return false;
}

/// Whose credentials are of no known scheme is told so, and loses the connection.
void take_credentials(World& world, uint32_t server, uint32_t client, const Packet& packet, int64_t cause,
                      Effects& fx) {
  Packet answer{.kind = PacketKind::kAuthReply};
  const bool known = authenticate(packet.request.acl.front().id, connection_of(world, server, client).ids);
  if (!known) answer.reply.error = zk::Error::kAuthFailed;
  reply_to(world, server, client, std::move(answer), cause, fx);
  if (!known) close_connection(world, server, client, true, cause, fx);
}

/// True for what has to go through the leader, in its order.
bool goes_to_leader(const Packet& packet) {
  return packet.kind == PacketKind::kRequest && (is_write(packet.request.op) || packet.request.op == zk::Op::kSync);
}

void write(World& world, uint32_t server, const Packet& packet, uint32_t session, const Origin& origin,
           int64_t cause, Effects& fx) {
  const Ids& ids = connection_of(world, server, origin.client).ids;
  if (gives_zxids(world, server)) {
    return take_up(world, server, prepare(world, server, packet.request, session, ids, origin), cause, fx);
  }
  QuorumPacket ask{.kind = QuorumPacketKind::kRequest, .request = packet.request, .ids = ids, .session = session};
  ask.origin = origin;
  send_to_leader(world, server, std::move(ask), cause, fx);
}

void sync(World& world, uint32_t server, const Origin& origin, int64_t cause, Effects& fx) {
  if (gives_zxids(world, server)) return sync_with_leader(world, server, origin, cause, fx);
  QuorumPacket ask{.kind = QuorumPacketKind::kSync};
  ask.origin = origin;
  send_to_leader(world, server, std::move(ask), cause, fx);
}

/// Its client is done with it.
void end_session(World& world, uint32_t server, uint32_t session, int64_t cause, Effects& fx) {
  if (gives_zxids(world, server)) return close_session(world, server, session, false, cause, fx);
  QuorumPacket ask{.kind = QuorumPacketKind::kRequest, .asked = TxnKind::kCloseSession};
  ask.session = session;
  send_to_leader(world, server, std::move(ask), cause, fx);
}

void request(World& world, uint32_t server, uint32_t client, Packet&& packet, int64_t cause, Effects& fx) {
  ServerConnection& connection = connection_of(world, server, client);
  const bool writes = packet.kind == PacketKind::kRequest && is_write(packet.request.op);
  const Origin origin = origin_of(world, server, client, packet.xid);
  const uint32_t session = connection.session;
  if (is_alone(world)) {
    if (writes) return write(world, server, packet, session, origin, cause, fx);
    return serve(world, server, client, packet, cause, fx);
  }
  if (!goes_to_leader(packet)) {
    if (connection.waiting.empty()) return serve(world, server, client, packet, cause, fx);
    connection.waiting.push_back(std::move(packet));
    return;
  }
  connection.waiting.push_back(Packet(packet));
  if (writes) return write(world, server, packet, session, origin, cause, fx);
  sync(world, server, origin, cause, fx);
}

/// The first of what waited on a connection is answered; what only waited behind it goes on.
void go_on(World& world, uint32_t server, uint32_t client, int64_t cause, Effects& fx) {
  ServerConnection& connection = connection_of(world, server, client);
  if (!connection.waiting.empty()) (void)connection.waiting.pop();
  while (!connection.waiting.empty() && !goes_to_leader(connection.waiting.front())) {
    serve(world, server, client, connection.waiting.pop(), cause, fx);
  }
}

}  // namespace

// ---- What transactions do to clients -------------------------------------------------------------

/// A client that watches both the node and its children is told NodeDeleted once.
void fire_for(World& world, uint32_t server, const Done& done, int64_t cause, Effects& fx) {
  Watches& watches = world.servers[server].watches;
  const std::string& path = done.path;
  const auto fire_data = [&](WatchEventType type) {
    fire(world, server, WatchTable::kData, path, type, done.readers.node, cause, fx);
  };
  switch (done.op) {
    case zk::Op::kCreate: fire_data(WatchEventType::kNodeCreated); break;
    case zk::Op::kSetData: return fire_data(WatchEventType::kNodeDataChanged);
    case zk::Op::kDelete:
      for (const uint32_t client : watches.watchers(WatchTable::kData, path)) {
        if (watches.remove(client, WatchTable::kChildren, path)) {
          fx.touch_watch(server, client, WatchTable::kChildren, path);
        }
      }
      fire_data(WatchEventType::kNodeDeleted);
      fire(world, server, WatchTable::kChildren, path, WatchEventType::kNodeDeleted, done.readers.node, cause, fx);
      break;
    default: return;  // tells nobody
  }
  fire(world, server, WatchTable::kChildren, zk::parent_of(path), WatchEventType::kNodeChildrenChanged,
       done.readers.parent, cause, fx);
}

void answer(World& world, uint32_t server, const Txn& txn, zk::Reply&& reply, int64_t applied, Effects& fx) {
  const uint32_t client = txn.origin.client;
  if (waiting_at(world, txn.origin) == nullptr) return;
  if (txn.kind == TxnKind::kCreateSession) return answer_connect(world, server, client, txn.session, applied, fx);
  if (txn.error == zk::Error::kSessionMoved) return close_connection(world, server, client, true, applied, fx);
  Packet answer{.kind = PacketKind::kReply, .xid = txn.origin.xid, .zxid = txn.zxid};
  answer.request.op = txn.request.op;
  answer.reply = std::move(reply);
  reply_to(world, server, client, std::move(answer), applied, fx);
  if (!is_alone(world)) go_on(world, server, client, applied, fx);
}

void answer_sync(World& world, const Origin& origin, int64_t cause, Effects& fx) {
  const ServerConnection* connection = waiting_at(world, origin);
  if (connection == nullptr || connection->waiting.empty()) return;
  reply_to(world, origin.server, origin.client, reply_of(world, origin.server, connection->waiting.front()), cause, fx);
  go_on(world, origin.server, origin.client, cause, fx);
}

void answer_revalidation(World& world, const Origin& origin, uint32_t session, bool valid, int64_t cause,
                         Effects& fx) {
  if (waiting_at(world, origin) == nullptr) return;
  const uint32_t client = origin.client;
  if (!valid) {
    reply_to(world, origin.server, client, {.kind = PacketKind::kConnectReply}, cause, fx);
    return close_connection(world, origin.server, client, true, cause, fx);
  }
  connection_of(world, origin.server, client).established = true;
  fx.touch_session(session);
  const int64_t attached =
      fx.emit({LaneKind::kServer, origin.server}, EventKind::kSessionReattached, cause, [&](EventData& data) {
        data.session = session_name(world, world.sessions[session]);
        data.peer = client_id(world, client);
      });
  answer_connect(world, origin.server, client, session, attached, fx);
}

// ---- Connections ---------------------------------------------------------------------------------

void close_connection(World& world, uint32_t server, uint32_t client, bool tell_client, int64_t cause, Effects& fx) {
  ServerConnection& connection = connection_of(world, server, client);
  if (!connection.open) return;
  for (const auto& [table, path] : world.servers[server].watches.drop(client)) {
    fx.touch_watch(server, client, table, path);
  }
  if (connection.established) fx.touch_session(connection.session);
  connection.open = false;
  connection.established = false;
  connection.ids.clear();
  connection.waiting.clear();
  const int64_t closed = fx.emit({LaneKind::kServer, server}, EventKind::kConnectionClosed, cause,
                                 [&](EventData& data) { data.peer = client_id(world, client); });
  if (tell_client) reply_to(world, server, client, {.kind = PacketKind::kClose}, closed, fx);
}

void close_all_connections(World& world, uint32_t server, int64_t cause, Effects& fx) {
  for (uint32_t client = 0; client < world.servers[server].connections.size(); ++client) {
    close_connection(world, server, client, true, cause, fx);
  }
}

void arrive_at_server(World& world, uint32_t server, uint32_t client, Packet&& packet, int64_t cause, Effects& fx) {
  if (packet.kind == PacketKind::kConnect) return connect(world, server, client, packet, cause, fx);
  const ServerConnection& connection = connection_of(world, server, client);
  if (!connection.open || connection.number != packet.connection) return;  // kDropped was told.
  if (packet.kind == PacketKind::kClose) return close_connection(world, server, client, false, cause, fx);
  if (packet.kind == PacketKind::kCloseSession) return end_session(world, server, connection.session, cause, fx);
  if (packet.kind == PacketKind::kAuth) return take_credentials(world, server, client, packet, cause, fx);
  request(world, server, client, std::move(packet), cause, fx);
}

void close_by_second_handle(World& world, uint32_t session, int64_t cause, Effects& fx) {
  const int32_t server = authority(world);
  if (server < 0) return;
  const auto at = static_cast<uint32_t>(server);
  const uint32_t client = world.sessions[session].client;
  const ServerConnection& connection = connection_of(world, at, client);
  // Attaching closes the first handle's connection to the same server, so that it hears no event of what follows.
  if (connection.open && connection.established && connection.session == session) {
    close_connection(world, at, client, true, cause, fx);
  }
  close_session(world, at, session, false, cause, fx);
}

}  // namespace lockstep::sim
