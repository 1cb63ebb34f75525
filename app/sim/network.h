// Links: first in, first out, one for each direction, as TCP is. A message in a link has left its sender
// and may wait there for as long as the network likes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "recipes/fields.h"
#include "recipes/machine.h"
#include "recipes/zookeeper.h"
#include "sim/box.h"
#include "sim/fifo.h"
#include "sim/quorum.h"
#include "sim/shared.h"

namespace lockstep::sim {

enum class PacketKind : uint8_t {
  // From a client to a server.
  kConnect,
  kRequest,
  kPing,
  kSetWatches,
  kCloseSession,
  kAuth,
  // From a server to a client.
  kConnectReply,
  kReply,
  kPong,
  kWatchEvent,
  kSetWatchesReply,
  kAuthReply,
  // Either way: the sender has closed the TCP connection. The session knows nothing of it, and it is shown
  // as FIN, so that nobody takes it for a closeSession.
  kClose,
  // Between a client and a resource.
  kToResource,
  kFromResource,
  // Between servers.
  kQuorum,
};

/// One message. Which members mean something depends on the kind.
struct Packet {
  PacketKind kind = PacketKind::kPing;
  uint32_t connection = 0;  // which of the client's (or the learner's) connections it belongs to
  int32_t xid = 0;          // kRequest, kReply: pairs them
  zk::Zxid zxid = 0;        // kConnect: last seen; kReply, kPong, kSetWatchesReply: last applied; a kConnectReply has none
  zk::SessionId session = 0;  // kConnect: to reattach, or 0; kConnectReply: 0 means expired
  TimeUs timeout_us = 0;      // kConnect: asked for; kConnectReply: negotiated
  zk::Request request = {};        // kRequest, kAuth; kReply: what was asked (op and path)
  zk::Reply reply = {};            // kReply; kAuthReply: the error
  zk::WatchEventType event = zk::WatchEventType::kNodeDeleted;   // kWatchEvent; its path is in reply.path
  std::vector<std::string> data_watches = {};      // kSetWatches
  std::vector<std::string> exist_watches = {};     // kSetWatches
  std::vector<std::string> children_watches = {};  // kSetWatches
  recipes::SendToResource to_resource = {};        // kToResource
  recipes::ResourceReplied from_resource = {};     // kFromResource
  uint32_t incarnation = 0;                   // kToResource, kFromResource: of the client's process
  Shared<QuorumPacket> quorum = {};           // kQuorum

  bool operator==(const Packet&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("kind", self.kind);
    visit("connection", self.connection);
    visit("xid", self.xid);
    visit("zxid", self.zxid);
    visit("session", self.session);
    visit("timeout_us", self.timeout_us);
    visit("request", self.request);
    visit("reply", self.reply);
    visit("event", self.event);
    visit("data_watches", self.data_watches);
    visit("exist_watches", self.exist_watches);
    visit("children_watches", self.children_watches);
    visit("to_resource", self.to_resource);
    visit("from_resource", self.from_resource);
    visit("incarnation", self.incarnation);
    visit("quorum", self.quorum);
  }
};

/// What a packet is called on the stage: "create", "create ok", "getData NoNode", "NodeDeleted", "ping",
/// "FIN".
std::string what_of(const Packet& packet);
/// The node that it is about; empty if none.
const std::string& path_of(const Packet& packet);

struct InFlight {
  Box<Packet> packet;
  int64_t number = 0;  // counts the run's messages
  int64_t cause = -1;  // the event that sent it
  TimeUs sent_us = 0;
  TimeUs due_us = 0;

  bool operator==(const InFlight&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("packet", self.packet);
    visit("number", self.number);
    visit("cause", self.cause);
    visit("sent_us", self.sent_us);
    visit("due_us", self.due_us);
  }
};

enum class LinkKind : uint8_t { kClientServer, kClientResource, kServerServer };

/// One direction between a client and a server or the resource, or between two servers.
struct Link {
  LinkKind kind = LinkKind::kClientServer;
  uint32_t client = 0;     // unless kServerServer
  uint32_t server = 0;     // unless kClientResource; kServerServer: to whom
  uint32_t from = 0;       // kServerServer: the server that sends
  bool to_client = false;  // direction
  bool cut = false;
  bool held = false;
  uint32_t sent = 0;       // messages ever sent, the ordinal for latencies
  Fifo<InFlight> queue;

  bool operator==(const Link&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("kind", self.kind);
    visit("client", self.client);
    visit("server", self.server);
    visit("from", self.from);
    visit("to_client", self.to_client);
    visit("cut", self.cut);
    visit("held", self.held);
    visit("sent", self.sent);
    visit("queue", self.queue);
  }
};

}  // namespace lockstep::sim
