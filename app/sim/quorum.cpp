#include "sim/quorum.h"

#include <tuple>

namespace lockstep::sim {

bool beats(const Vote& vote, const Vote& other) {
  return std::tuple(vote.epoch, vote.zxid, vote.server) > std::tuple(other.epoch, other.zxid, other.server);
}

bool is_quorum(const scenario::Scenario& scenario, size_t count) {
  size_t voters = 0;
  for (const scenario::ServerSpec& server : scenario.servers) voters += server.observer ? 0 : 1;
  return 2 * count > voters;
}

size_t voters_in(const scenario::Scenario& scenario, uint32_t servers) {
  size_t count = 0;
  for (size_t i = 0; i < scenario.servers.size(); ++i) {
    count += (servers >> i & 1u) != 0 && !scenario.servers[i].observer ? 1 : 0;
  }
  return count;
}

std::string_view name_of(QuorumPacketKind kind) {
  switch (kind) {
    case QuorumPacketKind::kNotification: return "notification";
    case QuorumPacketKind::kFollowerInfo: return "FOLLOWERINFO";
    case QuorumPacketKind::kObserverInfo: return "OBSERVERINFO";
    case QuorumPacketKind::kLeaderInfo: return "LEADERINFO";
    case QuorumPacketKind::kAckEpoch: return "ACKEPOCH";
    case QuorumPacketKind::kDiff: return "DIFF";
    case QuorumPacketKind::kTrunc: return "TRUNC";
    case QuorumPacketKind::kSnap: return "SNAP";
    case QuorumPacketKind::kNewLeader: return "NEWLEADER";
    case QuorumPacketKind::kUpToDate: return "UPTODATE";
    case QuorumPacketKind::kProposal: return "PROPOSAL";
    case QuorumPacketKind::kAck: return "ACK";
    case QuorumPacketKind::kCommit: return "COMMIT";
    case QuorumPacketKind::kInform: return "INFORM";
    case QuorumPacketKind::kRequest: return "REQUEST";
    case QuorumPacketKind::kSync: return "SYNC";
    case QuorumPacketKind::kRevalidate: return "REVALIDATE";
    case QuorumPacketKind::kPing: return "PING";
    case QuorumPacketKind::kFin: return "FIN";
  }
  return "unknown";
}

}  // namespace lockstep::sim
