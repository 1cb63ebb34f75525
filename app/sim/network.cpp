#include "sim/network.h"

namespace lockstep::sim {

namespace {

std::string_view asked_of(const QuorumPacket& quorum) {
  switch (quorum.asked) {
    case TxnKind::kCreateSession: return "createSession";
    case TxnKind::kCloseSession: return "closeSession";
    case TxnKind::kWrite:
    case TxnKind::kError: break;
  }
  return zk::name_of(quorum.request.op);
}

}  // namespace

std::string what_of(const Packet& packet) {
  switch (packet.kind) {
    case PacketKind::kConnect: return packet.session == 0 ? "connect" : "reattach";
    case PacketKind::kRequest: return std::string(zk::name_of(packet.request.op));
    case PacketKind::kPing: return "ping";
    case PacketKind::kSetWatches: return "setWatches";
    case PacketKind::kAuth: return "addAuth";
    case PacketKind::kCloseSession: return "closeSession";
    case PacketKind::kAuthReply:
      return packet.reply.error == zk::Error::kOk ? "addAuth ok" : "addAuth AuthFailed";
    case PacketKind::kConnectReply: return packet.session == 0 ? "session expired" : "connected";
    case PacketKind::kReply:
      return std::string(zk::name_of(packet.request.op))
          .append(" ")
          .append(packet.reply.error == zk::Error::kOk ? "ok" : zk::name_of(packet.reply.error));
    case PacketKind::kPong: return "pong";
    case PacketKind::kWatchEvent: return std::string(zk::name_of(packet.event));
    case PacketKind::kSetWatchesReply: return "setWatches ok";
    case PacketKind::kClose: return "FIN";
    case PacketKind::kToResource: return packet.to_resource.read_only ? "read" : "write";
    case PacketKind::kFromResource:
      if (packet.to_resource.read_only) return "value";
      return packet.from_resource.accepted ? "accepted" : "refused";
    case PacketKind::kQuorum: {
      const QuorumPacket& quorum = *packet.quorum;
      std::string what(name_of(quorum.kind));
      if (quorum.kind == QuorumPacketKind::kRequest) {
        what.append(" ").append(asked_of(quorum));
      }
      return what;
    }
  }
  return "unknown";
}

const std::string& path_of(const Packet& packet) {
  if (packet.kind == PacketKind::kQuorum) {
    return packet.quorum->kind == QuorumPacketKind::kRequest ? packet.quorum->request.path : packet.quorum->txn->path;
  }
  return packet.kind == PacketKind::kRequest ? packet.request.path : packet.reply.path;
}

}  // namespace lockstep::sim
