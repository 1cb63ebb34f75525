#include "sim/reads.h"

namespace lockstep::sim {
namespace {

/// One of these is enough; 0: nothing is asked.
int32_t perms_for(zk::Op op) {
  switch (op) {
    case zk::Op::kGetData:
    case zk::Op::kGetChildren: return zk::kPermRead;
    case zk::Op::kGetAcl: return zk::kPermRead | zk::kPermAdmin;
    default: return 0;
  }
}

zk::Error error_of(const Znode* node, zk::Op op, const Ids& ids) {
  if (node == nullptr) return zk::Error::kNoNode;
  const int32_t perms = perms_for(op);
  return perms == 0 || allows(node->acl, perms, ids) ? zk::Error::kOk : zk::Error::kNoAuth;
}

}  // namespace

zk::Reply read_from(const DataTree& tree, const zk::Request& request, const Ids& ids) {
  zk::Reply reply;
  reply.path = request.path;
  if (request.op == zk::Op::kSync) return reply;
  const Znode* node = tree.find(request.path);
  reply.error = error_of(node, request.op, ids);
  if (reply.error != zk::Error::kOk) return reply;
  reply.stat = tree.stat_of(request.path);
  if (request.op == zk::Op::kGetData) reply.data = node->data;
  if (request.op == zk::Op::kGetChildren) reply.children = node->children;
  if (request.op == zk::Op::kGetAcl) reply.acl = shown(node->acl, ids);
  return reply;
}

}  // namespace lockstep::sim
