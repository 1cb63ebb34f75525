// What the resource does with a packet that has arrived: judge and write in one step, and answer.
#include "sim/effects.h"

namespace lockstep::sim {
namespace {

/// Whether, in truth, the client holds the lock now: it owns the oldest node of the queue.
bool holds_in_truth(const World& world, uint32_t client) {
  const DataTree& tree = truth(world).tree;
  const std::string& parent = world.scenario->lock_path;
  const std::string first = tree.oldest_child(parent);
  if (first.empty()) return false;
  const Znode* node = tree.find(parent + "/" + first);
  uint32_t session = 0;
  return session_index(world, node->stat.ephemeral_owner, session) && world.sessions[session].client == client;
}

}  // namespace

void arrive_at_resource(World& world, uint32_t client, const Packet& packet, int64_t cause, Effects& fx) {
  Register& row = world.resource;
  Packet answer{.kind = PacketKind::kFromResource, .incarnation = packet.incarnation};
  answer.to_resource.read_only = packet.to_resource.read_only;
  const recipes::SendToResource& write = packet.to_resource;
  const Lane lane{LaneKind::kResource, 0};
  int64_t judged_event = cause;
  if (write.read_only) {
    answer.from_resource.accepted = true;
    judged_event = fx.emit(lane, trace::EventKind::kResourceRead, cause, [&](trace::EventData& data) {
      data.peer = world.scenario->clients[client].id;
      data.value = row.value;
      data.token = row.token_max;
    });
  } else {
    Judged judged{.client = client,
                  .token = write.token,
                  .value = write.value,
                  .stale = !holds_in_truth(world, client),
                  .token_max_before = row.token_max};
    judged.accepted = judge(row, write.token, write.value);
    answer.from_resource.accepted = judged.accepted;
    if (judged.accepted) {
      row.last_writer = client;
      row.written = true;
    }
    ++row.rows;
    fx.touch_resource();
    fx.touch_ledger(judged);
    const auto kind =
        judged.accepted ? trace::EventKind::kWriteAccepted : trace::EventKind::kWriteRefused;
    judged_event = fx.emit(lane, kind, cause, [&](trace::EventData& data) {
      data.peer = world.scenario->clients[client].id;
      data.token = write.token;
      data.value = write.value;
      data.stale = judged.stale;
    });
  }
  answer.from_resource.value = row.value;
  answer.from_resource.token_max = row.token_max;
  fx.send(link_from_resource(world, client), std::move(answer), judged_event);
}

}  // namespace lockstep::sim
