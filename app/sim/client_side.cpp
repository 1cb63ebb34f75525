// The io side of a process: what the client library does with packets and with silence. Order is that of
// the real libraries: the session event first, then the completions of what was under way.
#include <algorithm>

#include "sim/effects.h"

namespace lockstep::sim {
namespace {

using trace::EventData;
using trace::EventKind;

scenario::Profile profile_of(const World& world, uint32_t client) {
  return world.scenario->clients[client].profile;
}

TimeUs step_time(World& world, uint32_t client) {
  Process& process = world.processes[client];
  return world.now_us + drawn(world.scenario->step, world.scenario->seed, client, process.steps++);
}

void transmit(World& world, uint32_t client, Packet&& packet, int64_t cause, Effects& fx) {
  Library& library = world.processes[client].library;
  packet.connection = library.connection;
  library.sent_us = world.now_us;
  fx.send(link_to_server(world, client, library.server), std::move(packet), cause);
}

uint32_t first_server(const World& world, uint32_t client) {
  std::vector<std::string> servers;
  for (const scenario::ServerSpec& server : world.scenario->servers) servers.push_back(server.id);
  return static_cast<uint32_t>(scenario::first_server(*world.scenario, servers, client));
}

/// When it tries again after a failure. The C library waits a sixtieth of its time-out once it has tried its
/// whole list, the Java library up to a second each time.
TimeUs reconnect_time(World& world, uint32_t client) {
  const Process& process = world.processes[client];
  const TimeUs step = step_time(world, client);
  if (profile_of(world, client) == scenario::Profile::kC) {
    return step + (process.library.all_tried ? process.library.timeout_us / 60 : 0);
  }
  return step + drawn({.min_us = 0, .max_us = kSecond - 1}, world.scenario->seed, client, process.steps);
}

/// The C library looks at the clock before it sends. After a pause that took too long it drops the connection, and what
/// the application has asked for in between never leaves (zookeeper_interest comes before the buffers are written).
bool drops_before_sending(const World& world, uint32_t client) {
  const Library& library = world.processes[client].library;
  return profile_of(world, client) == scenario::Profile::kC && library.socket.empty() &&
         world.now_us >= library.heard_us + silence_limit(library);
}

void send_request(World& world, uint32_t client, Pending pending, int64_t cause, Effects& fx) {
  Packet packet{.kind = PacketKind::kRequest, .xid = pending.xid};
  packet.request = pending.request;
  world.processes[client].library.outstanding.push_back(std::move(pending));
  if (drops_before_sending(world, client)) return fx.touch_client(client);
  transmit(world, client, std::move(packet), cause, fx);
}

void show_credentials(World& world, uint32_t client, const zk::Id& credentials, int64_t cause, Effects& fx) {
  Packet packet{.kind = PacketKind::kAuth};
  packet.request.op = zk::Op::kAddAuth;
  packet.request.acl = {{.id = credentials}};
  transmit(world, client, std::move(packet), cause, fx);
}

/// All credentials whose answer is awaited have the same one.
void answer_credentials(World& world, uint32_t client, zk::Error error, int64_t cause, Effects& fx) {
  std::vector<zk::Request> answered = std::move(world.processes[client].library.auths_unanswered);
  world.processes[client].library.auths_unanswered.clear();
  for (const zk::Request& request : answered) {
    tell(world, client, recipes::ReplyArrived{unanswered(request, error)}, cause, fx);
  }
}

/// Fails everything that was sent or queued.
void fail_all(World& world, uint32_t client, zk::Error error, int64_t cause, Effects& fx) {
  Library& library = world.processes[client].library;
  answer_credentials(world, client, error, cause, fx);
  Fifo<Pending> failed = std::move(library.outstanding);
  for (Pending& pending : library.queued) failed.push_back(std::move(pending));
  library.queued.clear();
  for (const Pending& pending : failed) {
    tell(world, client, recipes::ReplyArrived{unanswered(pending.request, error)}, cause, fx);
  }
}

/// The connection is gone: by silence (we close it) or because the other end closed it.
void lose_connection(World& world, uint32_t client, bool by_silence, int64_t cause, Effects& fx) {
  Library& library = world.processes[client].library;
  const bool was_connected = library.state == LibraryState::kConnected;
  if (by_silence && was_connected) transmit(world, client, {.kind = PacketKind::kClose}, cause, fx);
  library.state = LibraryState::kConnecting;
  library.socket.clear();
  note_failure(library, profile_of(world, client), static_cast<uint32_t>(world.servers.size()));
  library.connect_at_us = reconnect_time(world, client);
  fx.touch_client(client);
  const bool timed_out = by_silence && profile_of(world, client) == scenario::Profile::kC;
  const zk::Error error = timed_out ? zk::Error::kOperationTimeout : zk::Error::kConnectionLoss;
  // No repeated event for each failed attempt; but what was asked meanwhile fails with it.
  if (!was_connected) return fail_all(world, client, error, cause, fx);
  library.timer_cause = fx.next();
  tell(world, client, recipes::SessionChanged{zk::SessionState::kDisconnected, 0}, fx.next(), fx);
  fail_all(world, client, error, fx.next(), fx);
  fx.emit({LaneKind::kClient, client}, EventKind::kDisconnected, cause,
          [&](EventData& data) { data.what = by_silence ? "silence" : "connection closed"; });
}

/// Opens a connection and asks for the session, new or old.
void open_connection(World& world, uint32_t client, Effects& fx) {
  Library& library = world.processes[client].library;
  ++library.connection;
  choose_server(library, first_server(world, client), static_cast<uint32_t>(world.servers.size()));
  library.state = LibraryState::kHandshake;
  library.heard_us = world.now_us;
  // The C client asks again for what was negotiated, the Java client for what it wanted at first.
  const bool negotiated = library.session != 0 && profile_of(world, client) == scenario::Profile::kC;
  const TimeUs asked =
      negotiated ? library.timeout_us : world.scenario->clients[client].session_timeout_us;
  fx.touch_client(client);
  transmit(world, client,
           {.kind = PacketKind::kConnect,
            .zxid = library.last_zxid,
            .session = library.session,
            .timeout_us = asked},
           library.timer_cause, fx);
}

/// An attempt that was never answered: its handshake is given up and leaves the network.
void abandon_handshake(World& world, uint32_t client, Effects& fx) {
  const uint32_t link_index = link_to_server(world, client, world.processes[client].library.server);
  Fifo<InFlight>& queue = world.links[link_index].queue;
  const uint32_t connection = world.processes[client].library.connection;
  for (auto message = queue.begin(); message != queue.end(); ++message) {
    if (message->packet->kind != PacketKind::kConnect || message->packet->connection != connection) continue;
    const InFlight dropped = *message;
    queue.erase(message);
    fx.touch_message(link_index, dropped.number);
    fx.touch_link(link_index);
    lose_connection(world, client, true, dropped.cause, fx);
    fx.emit({LaneKind::kClient, client}, EventKind::kDropped, dropped.cause, [&](EventData& data) {
      data.what = what_of(*dropped.packet);
      data.message = dropped.number;
    });
    return;
  }
  lose_connection(world, client, true, world.processes[client].library.timer_cause, fx);
  fx.emit({LaneKind::kClient, client}, EventKind::kDropped, world.processes[client].library.timer_cause,
          [&](EventData& data) { data.what = "no answer"; });
}

// ---- Packets -----------------------------------------------------------------------------------

void session_is_over(World& world, uint32_t client, int64_t cause, Effects& fx) {
  Library& library = world.processes[client].library;
  library.state = LibraryState::kExpired;
  library.socket.clear();
  library.data_watches.clear();
  library.exist_watches.clear();
  library.children_watches.clear();
  fx.touch_client(client);
  tell(world, client, recipes::SessionChanged{zk::SessionState::kExpired, 0}, fx.next(), fx);
  fail_all(world, client, zk::Error::kSessionExpired, fx.next(), fx);
  fx.emit({LaneKind::kClient, client}, EventKind::kExpired, cause, [&](EventData& data) {
    data.session = session_name(world, library.session);
  });
}

void established(World& world, uint32_t client, const Packet& packet, int64_t cause, Effects& fx) {
  Library& library = world.processes[client].library;
  library.state = LibraryState::kConnected;
  library.session = packet.session;
  library.timeout_us = packet.timeout_us;
  library.timer_cause = cause;
  tell(world, client, recipes::SessionChanged{zk::SessionState::kConnected, packet.session}, fx.next(), fx);
  fx.touch_client(client);
  const int64_t connected =
      fx.emit({LaneKind::kClient, client}, EventKind::kConnected, cause, [&](EventData& data) {
        data.session = session_name(world, library.session);
        data.value = library.timeout_us;
      });
  for (const zk::Id& credentials : library.auths) show_credentials(world, client, credentials, connected, fx);
  if (!library.data_watches.empty() || !library.exist_watches.empty() ||
      !library.children_watches.empty()) {
    Packet again{.kind = PacketKind::kSetWatches, .zxid = library.last_zxid};
    again.data_watches.assign(library.data_watches.begin(), library.data_watches.end());
    again.exist_watches.assign(library.exist_watches.begin(), library.exist_watches.end());
    again.children_watches.assign(library.children_watches.begin(), library.children_watches.end());
    transmit(world, client, std::move(again), connected, fx);
  }
  Fifo<Pending> queued = std::move(library.queued);
  for (Pending& pending : queued) send_request(world, client, std::move(pending), connected, fx);
}

/// The handle is of no more use, though the session lives until it times out.
void credentials_refused(World& world, uint32_t client, int64_t cause, Effects& fx) {
  Library& library = world.processes[client].library;
  library.state = LibraryState::kAuthFailed;
  library.socket.clear();
  tell(world, client, recipes::SessionChanged{zk::SessionState::kAuthFailed, 0}, cause, fx);
  fail_all(world, client, zk::Error::kAuthFailed, cause, fx);
}

void auth_reply_read(World& world, uint32_t client, const Packet& packet, int64_t cause, Effects& fx) {
  answer_credentials(world, client, packet.reply.error, cause, fx);
  if (packet.reply.error != zk::Error::kOk) credentials_refused(world, client, cause, fx);
}

void remember_watch(Library& library, const zk::Request& request, zk::Error error) {
  if (!request.watch) return;
  if (request.op == zk::Op::kExists && error == zk::Error::kNoNode) {
    library.exist_watches.insert(request.path);
  } else if (error == zk::Error::kOk) {
    (request.op == zk::Op::kGetChildren ? library.children_watches : library.data_watches)
        .insert(request.path);
  }
}

void reply_read(World& world, uint32_t client, const Packet& packet, int64_t cause, Effects& fx) {
  Library& library = world.processes[client].library;
  if (library.outstanding.empty() || library.outstanding.front().xid != packet.xid) return;
  const Pending pending = library.outstanding.pop();
  remember_watch(library, pending.request, packet.reply.error);
  tell(world, client, recipes::ReplyArrived{packet.reply}, cause, fx);
}

void watch_event_read(World& world, uint32_t client, const Packet& packet, int64_t cause, Effects& fx) {
  Library& library = world.processes[client].library;
  const std::string& path = packet.reply.path;
  size_t heard = 0;
  switch (packet.event) {
    case zk::WatchEventType::kNodeCreated:
    case zk::WatchEventType::kNodeDataChanged:
      heard = library.data_watches.erase(path) + library.exist_watches.erase(path);
      break;
    case zk::WatchEventType::kNodeDeleted:
      heard = library.data_watches.erase(path) + library.exist_watches.erase(path) +
              library.children_watches.erase(path);
      break;
    case zk::WatchEventType::kNodeChildrenChanged: heard = library.children_watches.erase(path); break;
  }
  if (heard > 0) tell(world, client, recipes::WatchFired{packet.event, path}, cause, fx);
}

void read_packet(World& world, uint32_t client, Effects& fx) {
  Process& process = world.processes[client];
  Library& library = process.library;
  Unread unread = library.socket.pop();
  process.next.io_us = kNever;
  Packet& packet = *unread.packet;
  library.heard_us = library.alive_us = world.now_us;
  if (packet.zxid > 0) library.last_zxid = packet.zxid;
  fx.touch_client(client);
  if (packet.kind == PacketKind::kReply) reply_read(world, client, packet, fx.next(), fx);
  if (packet.kind == PacketKind::kWatchEvent) watch_event_read(world, client, packet, fx.next(), fx);
  if (packet.kind == PacketKind::kAuthReply) auth_reply_read(world, client, packet, fx.next(), fx);
  const bool refused = packet.kind == PacketKind::kClose && library.state == LibraryState::kHandshake;
  if (refused) lose_connection(world, client, false, fx.next(), fx);
  const int64_t read =
      fx.emit({LaneKind::kClient, client}, EventKind::kRead, unread.cause, [&](EventData& data) {
        data.what = what_of(packet);
        data.path = path_of(packet);
        data.message = unread.number;
      });
  if (packet.kind == PacketKind::kConnectReply) {
    if (packet.session == 0) return session_is_over(world, client, read, fx);
    return established(world, client, packet, read, fx);
  }
  const bool attached = library.state == LibraryState::kConnected;
  if (packet.kind == PacketKind::kClose && attached) lose_connection(world, client, false, read, fx);
}

void run_timer(World& world, uint32_t client, Effects& fx) {
  Library& library = world.processes[client].library;
  const bool silent = world.now_us >= library.heard_us + silence_limit(library);
  const bool connected = library.state == LibraryState::kConnected;
  if (!connected && world.now_us >= local_expiry_time(library, habits_of(world, client))) {
    return session_is_over(world, client, library.timer_cause, fx);
  }
  switch (library.state) {
    case LibraryState::kConnecting: return open_connection(world, client, fx);
    case LibraryState::kHandshake: return abandon_handshake(world, client, fx);
    case LibraryState::kConnected:
      if (silent) return lose_connection(world, client, true, library.timer_cause, fx);
      return transmit(world, client, {.kind = PacketKind::kPing}, library.timer_cause, fx);
    case LibraryState::kOff:
    case LibraryState::kExpired:
    case LibraryState::kAuthFailed:
    case LibraryState::kClosed: return;
  }
}

}  // namespace

void open_session(World& world, uint32_t client, int64_t cause, Effects& fx) {
  Process& process = world.processes[client];
  Library& library = process.library;
  const uint32_t connection = library.connection;
  library = Library{};
  library.state = LibraryState::kConnecting;
  library.connection = connection;
  library.timeout_us = world.scenario->clients[client].session_timeout_us;
  library.timer_cause = cause;
  library.alive_us = world.now_us;
  library.connect_at_us = step_time(world, client);
  fx.touch_client(client);
}

namespace {

/// What the library answers at once, in the state that it is in; kOk: nothing.
zk::Error refused_at_once(const World& world, uint32_t client, const zk::Request& request) {
  const LibraryState state = world.processes[client].library.state;
  const scenario::Profile profile = profile_of(world, client);
  const zk::Error refused = refused_by_library(request, profile);
  const bool over = state == LibraryState::kExpired || state == LibraryState::kClosed ||
                    state == LibraryState::kAuthFailed;
  if (refused != zk::Error::kOk) return refused;
  // Between two attempts to connect the C library takes no credentials.
  const bool between = state == LibraryState::kConnecting && profile == scenario::Profile::kC;
  if (request.op == zk::Op::kAddAuth && between) return zk::Error::kInvalidState;
  if (!over) return zk::Error::kOk;
  if (profile == scenario::Profile::kJava) {
    return state == LibraryState::kAuthFailed ? zk::Error::kAuthFailed : zk::Error::kSessionExpired;
  }
  return request.op == zk::Op::kMulti ? zk::Error::kMarshallingError : zk::Error::kInvalidState;
}

void refuse(World& world, uint32_t client, const zk::Request& request, zk::Error error, int64_t cause,
            Effects& fx) {
  zk::Reply reply;
  reply.error = error;
  tell(world, client, recipes::ReplyArrived{reply}, fx.next(), fx);
  fx.emit({LaneKind::kClient, client}, EventKind::kFailedRequest, cause, [&](EventData& data) {
    data.what = zk::name_of(request.op);
    data.path = request.path;
    data.error = zk::name_of(error);
  });
}

/// Kept whatever comes of them; shown at once if there is a connection.
void add_credentials(World& world, uint32_t client, const zk::Request& request, int64_t cause, Effects& fx) {
  Library& library = world.processes[client].library;
  library.auths.push_back(request.acl.front().id);
  library.auths_unanswered.push_back(request);
  if (library.state == LibraryState::kConnected) {
    show_credentials(world, client, library.auths.back(), cause, fx);
  }
}

}  // namespace

Habits habits_of(const World& world, uint32_t client) {
  const scenario::ClientSpec& spec = world.scenario->clients[client];
  return {.profile = spec.profile,
          .local_expiry = spec.local_expiry,
          .servers = static_cast<uint32_t>(world.servers.size())};
}

void submit(World& world, uint32_t client, const zk::Request& request, int64_t cause, Effects& fx) {
  Library& library = world.processes[client].library;
  if (library.state == LibraryState::kOff) return;
  const zk::Error refused = refused_at_once(world, client, request);
  if (refused != zk::Error::kOk) return refuse(world, client, request, refused, cause, fx);
  if (request.op == zk::Op::kAddAuth) return add_credentials(world, client, request, cause, fx);
  Pending pending{.xid = library.next_xid++, .request = request};
  if (library.state == LibraryState::kConnected) {
    send_request(world, client, std::move(pending), cause, fx);
  } else {
    library.queued.push_back(std::move(pending));
  }
}

void close_handle(World& world, uint32_t client, int64_t cause, Effects& fx) {
  Library& library = world.processes[client].library;
  const bool connected = library.state == LibraryState::kConnected;
  if (connected) transmit(world, client, {.kind = PacketKind::kCloseSession}, cause, fx);
  if (connected) transmit(world, client, {.kind = PacketKind::kClose}, cause, fx);
  library.state = LibraryState::kClosed;
  library.socket.clear();
  library.data_watches.clear();
  library.exist_watches.clear();
  library.children_watches.clear();
  schedule_steps(world, client);
  fx.touch_client(client);
}

void run_io(World& world, uint32_t client, Effects& fx) {
  if (!world.processes[client].library.socket.empty()) {
    read_packet(world, client, fx);
  } else {
    run_timer(world, client, fx);
  }
  schedule_steps(world, client);
  fx.touch_client(client);
}

}  // namespace lockstep::sim
