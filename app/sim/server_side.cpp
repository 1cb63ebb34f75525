// What a server does with a packet that has arrived. Order matters here and is the real server's: a
// transaction's watch events enter each connection before any reply made after it, the issuer's included.
#include <algorithm>

#include "sim/effects.h"

namespace lockstep::sim {
namespace {

using trace::EventData;
using trace::EventKind;
using trace::SessionLife;

constexpr Lane kServerLane{LaneKind::kServer, 0};

Server& server_of(World& world) { return world.servers.front(); }

const std::string& client_id(const World& world, uint32_t client) {
  return world.scenario->clients[client].id;
}

void reply_to(World& world, uint32_t client, Packet&& packet, int64_t cause, Effects& fx) {
  packet.connection = server_of(world).connections[client].number;
  fx.send(link_number(client, kFromServer), std::move(packet), cause);
}

void close_connection(World& world, uint32_t client, bool tell_client, int64_t cause, Effects& fx) {
  Server& server = server_of(world);
  ServerConnection& connection = server.connections[client];
  if (!connection.open) return;
  for (const auto& [table, path] : server.watches.drop(client)) fx.touch_watch(client, table, path);
  if (connection.established) fx.touch_session(connection.session);
  connection.open = false;
  connection.established = false;
  const int64_t closed = fx.emit(kServerLane, EventKind::kConnectionClosed, cause,
                                 [&](EventData& data) { data.peer = client_id(world, client); });
  if (tell_client) reply_to(world, client, {.kind = PacketKind::kClose}, closed, fx);
}

void touch(World& world, uint32_t index, int64_t cause, Effects& fx) {
  Session& session = server_of(world).sessions[index];
  session.heard_us = world.now_us;
  session.heard_cause = cause;
  session.expires_us = expiry_time(world.now_us, session.timeout_us, world.scenario->tick_us);
  fx.touch_session(index);
}

void send_event(World& world, uint32_t client, zk::WatchEventType type, const std::string& path, int64_t cause,
                Effects& fx) {
  const int64_t fired = fx.emit(kServerLane, EventKind::kWatchFired, cause, [&](EventData& data) {
    data.what = zk::name_of(type);
    data.path = path;
    data.peer = client_id(world, client);
  });
  Packet packet{.kind = PacketKind::kWatchEvent, .zxid = -1};
  packet.event = type;
  packet.reply.path = path;
  reply_to(world, client, std::move(packet), fired, fx);
}

void fire(World& world, trace::WatchTable table, const std::string& path, zk::WatchEventType type,
          int64_t cause, Effects& fx) {
  for (const uint32_t client : server_of(world).watches.watchers(table, path)) {
    server_of(world).watches.remove(client, table, path);
    fx.touch_watch(client, table, path);
    send_event(world, client, type, path, cause, fx);
  }
}

/// The events of one created, deleted or changed node. A client that watches both the node and its
/// children is told NodeDeleted once.
void fire_for(World& world, zk::Op op, const std::string& path, int64_t cause, Effects& fx) {
  using trace::WatchTable;
  using zk::WatchEventType;
  Server& server = server_of(world);
  switch (op) {
    case zk::Op::kCreate:
      fire(world, WatchTable::kData, path, WatchEventType::kNodeCreated, cause, fx);
      break;
    case zk::Op::kSetData:
      fire(world, WatchTable::kData, path, WatchEventType::kNodeDataChanged, cause, fx);
      return;
    case zk::Op::kDelete: {
      for (const uint32_t client : server.watches.watchers(WatchTable::kData, path)) {
        if (server.watches.remove(client, WatchTable::kChildren, path)) {
          fx.touch_watch(client, WatchTable::kChildren, path);
        }
      }
      fire(world, WatchTable::kData, path, WatchEventType::kNodeDeleted, cause, fx);
      fire(world, WatchTable::kChildren, path, WatchEventType::kNodeDeleted, cause, fx);
      break;
    }
    case zk::Op::kExists:
    case zk::Op::kGetData:
    case zk::Op::kGetChildren:
    case zk::Op::kSync: return;
  }
  fire(world, WatchTable::kChildren, zk::parent_of(path), WatchEventType::kNodeChildrenChanged, cause,
       fx);
}

// ---- Sessions ----------------------------------------------------------------------------------

void answer_connect(World& world, uint32_t client, uint32_t index, int64_t cause, Effects& fx) {
  Server& server = server_of(world);
  ServerConnection& connection = server.connections[client];
  connection.session = index;
  connection.established = true;
  touch(world, index, cause, fx);
  const Session& session = server.sessions[index];
  reply_to(world, client,
           {.kind = PacketKind::kConnectReply,
            .session = session.id,
            .timeout_us = session.timeout_us},
           cause, fx);
}

void open_new_session(World& world, uint32_t client, const Packet& packet, int64_t cause, Effects& fx) {
  Server& server = server_of(world);
  const auto index = static_cast<uint32_t>(server.sessions.size());
  Session session;
  session.id = kFirstSessionId + index;
  session.client = client;
  session.ordinal = ++server.connections[client].opened;
  session.timeout_us = negotiated_timeout(packet.timeout_us, world.scenario->tick_us);
  session.heard_us = world.now_us;
  session.expires_us = expiry_time(world.now_us, session.timeout_us, world.scenario->tick_us);
  server.sessions.push_back(session);
  ++server.zxid;
  fx.touch_server();
  fx.touch_session(index);
  server.connections[client].session = index;
  server.connections[client].established = true;
  const int64_t opened = fx.emit(kServerLane, EventKind::kSessionOpened, cause, [&](EventData& data) {
    data.session = session_name(world, session);
    data.peer = client_id(world, client);
    data.zxid = server.zxid;
    data.value = session.timeout_us;
  });
  answer_connect(world, client, index, opened, fx);
}

void connect(World& world, uint32_t client, const Packet& packet, int64_t cause, Effects& fx) {
  Server& server = server_of(world);
  ServerConnection& connection = server.connections[client];
  close_connection(world, client, true, cause, fx);  // Reattaching closes the old one first.
  connection.open = true;
  connection.established = false;
  connection.number = packet.connection;
  if (packet.session == 0) return open_new_session(world, client, packet, cause, fx);
  uint32_t index = 0;
  const bool alive = session_index(server, packet.session, index) &&
                     server.sessions[index].life == SessionLife::kLive;
  if (!alive) {
    reply_to(world, client, {.kind = PacketKind::kConnectReply}, cause, fx);
    close_connection(world, client, true, cause, fx);
    return;
  }
  connection.session = index;
  connection.established = true;
  fx.touch_session(index);
  const int64_t attached =
      fx.emit(kServerLane, EventKind::kSessionReattached, cause, [&](EventData& data) {
        data.session = session_name(world, server.sessions[index]);
        data.peer = client_id(world, client);
      });
  answer_connect(world, client, index, attached, fx);
}

// ---- Requests ----------------------------------------------------------------------------------

void write(World& world, uint32_t client, const Packet& packet, int64_t cause, Effects& fx) {
  Server& server = server_of(world);
  const Session& session = server.sessions[server.connections[client].session];
  Packet answer{.kind = PacketKind::kReply, .xid = packet.xid};
  answer.request.op = packet.request.op;
  answer.request.path = packet.request.path;
  std::string path;
  answer.reply.error = server.tree.check(packet.request, path);
  answer.reply.path = path;
  const zk::Zxid zxid = ++server.zxid;  // A refused write takes a zxid too.
  answer.zxid = zxid;
  fx.touch_server();
  int64_t applied = cause;
  if (answer.reply.error != zk::Error::kOk) {
    applied = fx.emit(kServerLane, EventKind::kFailedRequest, cause, [&](EventData& data) {
      data.what = zk::name_of(packet.request.op);
      data.path = path;
      data.peer = client_id(world, client);
      data.error = zk::name_of(answer.reply.error);
      data.zxid = zxid;
    });
  } else {
    server.tree.apply(packet.request, path, {.zxid = zxid, .time_us = world.now_us, .session = session.id});
    if (packet.request.op != zk::Op::kDelete) answer.reply.stat = server.tree.stat_of(path);
    fx.touch_znode(path);
    fx.touch_znode(zk::parent_of(path));
    applied = fx.emit(kServerLane, EventKind::kCommitted, cause, [&](EventData& data) {
      data.what = zk::name_of(packet.request.op);
      data.path = path;
      data.peer = client_id(world, client);
      data.session = session_name(world, session);
      data.zxid = zxid;
    });
    fire_for(world, packet.request.op, path, applied, fx);
  }
  reply_to(world, client, std::move(answer), applied, fx);
}

void register_watch(World& world, uint32_t client, const zk::Request& request, zk::Error error,
                    Effects& fx) {
  if (!request.watch) return;
  // exists leaves a watch on a node that is not there; getData and getChildren do not.
  if (error != zk::Error::kOk && !(request.op == zk::Op::kExists && error == zk::Error::kNoNode)) return;
  const auto table = request.op == zk::Op::kGetChildren ? trace::WatchTable::kChildren
                                                        : trace::WatchTable::kData;
  server_of(world).watches.add(client, table, request.path);
  fx.touch_watch(client, table, request.path);
}

void read(World& world, uint32_t client, const Packet& packet, int64_t cause, Effects& fx) {
  Server& server = server_of(world);
  Packet answer{.kind = PacketKind::kReply, .xid = packet.xid, .zxid = server.zxid};
  answer.request.op = packet.request.op;
  answer.request.path = packet.request.path;
  answer.reply.path = packet.request.path;
  const Znode* node = server.tree.find(packet.request.path);
  if (packet.request.op != zk::Op::kSync) {
    answer.reply.error = node == nullptr ? zk::Error::kNoNode : zk::Error::kOk;
    if (node != nullptr) answer.reply.stat = server.tree.stat_of(packet.request.path);
    if (node != nullptr && packet.request.op == zk::Op::kGetData) answer.reply.data = node->data;
    if (node != nullptr && packet.request.op == zk::Op::kGetChildren) {
      answer.reply.children = server.tree.children_of(packet.request.path);
    }
    register_watch(world, client, packet.request, answer.reply.error, fx);
  }
  reply_to(world, client, std::move(answer), cause, fx);
}

/// Re-arms what a client watched before it was away, and makes up for what it missed (zookeeper.md A4).
void set_watches(World& world, uint32_t client, const Packet& packet, int64_t cause, Effects& fx) {
  using trace::WatchTable;
  using zk::WatchEventType;
  Server& server = server_of(world);
  const auto one = [&](const std::string& path, WatchTable table, bool missed, WatchEventType type) {
    if (!missed) {
      server.watches.add(client, table, path);
      fx.touch_watch(client, table, path);
      return;
    }
    send_event(world, client, type, path, cause, fx);
  };
  for (const std::string& path : packet.data_watches) {
    const Znode* node = server.tree.find(path);
    const bool changed = node != nullptr && node->stat.mzxid > packet.zxid;
    one(path, WatchTable::kData, node == nullptr || changed,
        node == nullptr ? WatchEventType::kNodeDeleted : WatchEventType::kNodeDataChanged);
  }
  for (const std::string& path : packet.exist_watches) {
    one(path, WatchTable::kData, server.tree.find(path) != nullptr, WatchEventType::kNodeCreated);
  }
  for (const std::string& path : packet.children_watches) {
    const Znode* node = server.tree.find(path);
    const bool changed = node != nullptr && node->stat.pzxid > packet.zxid;
    one(path, WatchTable::kChildren, node == nullptr || changed,
        node == nullptr ? WatchEventType::kNodeDeleted : WatchEventType::kNodeChildrenChanged);
  }
  reply_to(world, client, {.kind = PacketKind::kSetWatchesReply, .zxid = server.zxid}, cause, fx);
}

void request(World& world, uint32_t client, const Packet& packet, int64_t cause, Effects& fx) {
  switch (packet.request.op) {
    case zk::Op::kCreate:
    case zk::Op::kDelete:
    case zk::Op::kSetData: return write(world, client, packet, cause, fx);
    case zk::Op::kExists:
    case zk::Op::kGetData:
    case zk::Op::kGetChildren:
    case zk::Op::kSync: return read(world, client, packet, cause, fx);
  }
}

}  // namespace

void end_session(World& world, uint32_t index, SessionLife life, int64_t cause, Effects& fx) {
  Server& server = server_of(world);
  Session& session = server.sessions[index];
  session.life = life;
  session.expires_us = world.now_us;
  const zk::Zxid zxid = ++server.zxid;
  std::vector<std::string> paths = server.tree.ephemerals_of(session.id);
  // The server promises no order for these events; they come in hash order.
  std::sort(paths.begin(), paths.end(), [](const std::string& a, const std::string& b) {
    return std::pair(hash_of(a), a) < std::pair(hash_of(b), b);
  });
  for (const std::string& path : paths) {
    server.tree.remove(path, zxid);
    fx.touch_znode(path);
    fx.touch_znode(zk::parent_of(path));
  }
  fx.touch_server();
  fx.touch_session(index);
  const bool expired = life == SessionLife::kExpired;
  const int64_t ended =
      fx.emit(kServerLane, expired ? EventKind::kSessionExpired : EventKind::kSessionClosed, cause,
              [&](EventData& data) {
                data.session = session_name(world, session);
                data.peer = client_id(world, session.client);
                data.zxid = zxid;
                if (!paths.empty()) data.path = paths.front();
              });
  for (const std::string& path : paths) fire_for(world, zk::Op::kDelete, path, ended, fx);
  const ServerConnection& connection = server.connections[session.client];
  if (connection.open && connection.established && connection.session == index) {
    close_connection(world, session.client, true, ended, fx);
  }
}

void close_by_second_handle(World& world, uint32_t index, int64_t cause, Effects& fx) {
  const uint32_t client = server_of(world).sessions[index].client;
  const ServerConnection& connection = server_of(world).connections[client];
  // Attaching closes the first handle's connection, so that it hears no event of what follows.
  if (connection.open && connection.established && connection.session == index) {
    close_connection(world, client, true, cause, fx);
  }
  end_session(world, index, SessionLife::kClosed, cause, fx);
}

void arrive_at_server(World& world, uint32_t client, const Packet& packet, int64_t cause, Effects& fx) {
  Server& server = server_of(world);
  if (packet.kind == PacketKind::kConnect) return connect(world, client, packet, cause, fx);
  const ServerConnection& connection = server.connections[client];
  if (!connection.open || connection.number != packet.connection) return;  // kDropped was told.
  if (packet.kind == PacketKind::kClose) return close_connection(world, client, false, cause, fx);
  touch(world, connection.session, cause, fx);
  switch (packet.kind) {
    case PacketKind::kRequest: return request(world, client, packet, cause, fx);
    case PacketKind::kPing:
      return reply_to(world, client, {.kind = PacketKind::kPong, .zxid = server.zxid}, cause, fx);
    case PacketKind::kSetWatches: return set_watches(world, client, packet, cause, fx);
    case PacketKind::kConnect:
    case PacketKind::kClose:
    case PacketKind::kConnectReply:
    case PacketKind::kReply:
    case PacketKind::kPong:
    case PacketKind::kWatchEvent:
    case PacketKind::kSetWatchesReply:
    case PacketKind::kToResource:
    case PacketKind::kFromResource: return;
  }
}

}  // namespace lockstep::sim
