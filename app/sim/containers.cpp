// Containers: nodes that the server deletes once they have had children and have none any more. Who gives zxids
// looks for them once a minute, and deletes each in a transaction of its own, whatever ACLs say (the server's
// ContainerManager, which leaves six milliseconds between two of them; here they are one step).
//
// A container without children is gone from the next minute on only if there ever was a child (zookeeper.md
// A6); a container inside another keeps it for one minute more.
#include "sim/ensemble.h"
#include "sim/resolve.h"

namespace lockstep::sim {
namespace {

constexpr TimeUs kInterval = 60 * kSecond;

Txn removal_of(World& world, uint32_t server, const std::string& path) {
  Txn txn;
  txn.session = kNoSession;
  txn.request = {.op = zk::Op::kDelete, .path = path};
  Resolved resolved = resolve_container_removal(prepared_tree(world, server), path);
  txn.error = resolved.error;
  txn.path = std::move(resolved.path);
  txn.changes = std::move(resolved.changes);
  txn.kind = txn.error == zk::Error::kOk ? TxnKind::kWrite : TxnKind::kError;
  return txn;
}

}  // namespace

void begin_container_checks(World& world, uint32_t server) {
  world.servers[server].serving_since_us = world.now_us;
  world.servers[server].container_check_us = kNever;
  plan_container_check(world, server);
}

void plan_container_check(World& world, uint32_t server) {
  Server& one = world.servers[server];
  if (!gives_zxids(world, server) || one.database.tree.containers_to_delete().empty()) {
    one.container_check_us = kNever;
  } else if (one.container_check_us == kNever) {
    const TimeUs minutes = (world.now_us - one.serving_since_us) / kInterval + 1;
    one.container_check_us = one.serving_since_us + minutes * kInterval;
  }
}

TimeUs container_timer(const World& world, uint32_t server) {
  const Server& one = world.servers[server];
  const bool runs = one.process == trace::Process::kRunning && gives_zxids(world, server);
  return runs ? one.container_check_us : kNever;
}

void check_containers(World& world, uint32_t server, Effects& fx) {
  const std::vector<std::string> paths = world.servers[server].database.tree.containers_to_delete();
  world.servers[server].container_check_us = kNever;
  for (const std::string& path : paths) {
    take_up(world, server, removal_of(world, server, path), trace::kNoEvent, fx);
  }
  plan_container_check(world, server);
  fx.touch_server(server);
}

}  // namespace lockstep::sim
