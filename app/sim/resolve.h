// What the one server that orders writes does first: it resolves a request into changes, or an error, and
// changes nothing itself (the server's PrepRequestProcessor).
//
// Rules (zookeeper.md A1, A2): a sequential name ends in the parent's count of creates so far, of any kind
// and name; checks come in the server's order; the operations inside a multi see each other.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "recipes/zookeeper.h"
#include "sim/acl.h"
#include "sim/tree.h"
#include "sim/txn.h"

namespace lockstep::sim {

/// Who asks for a write.
struct Asker {
  zk::SessionId session = 0;
  Ids ids = {};  // of which its connection has given proof
};

struct Resolved {
  zk::Error error = zk::Error::kOk;
  std::string path = {};             // the name that the write came to, or at which it failed
  uint32_t failed = 0;               // which operation of a multi has the error
  std::vector<Change> changes = {};  // none if there is an error
};

/// `tree` holds all that was ordered before.
Resolved resolve(const DataTree& tree, const zk::Request& request, const Asker& asker);

/// The same for what the server itself does to a container; nobody's permissions are asked.
Resolved resolve_container_removal(const DataTree& tree, const std::string& path);

/// What a client is told of a write that was refused.
zk::Reply refusal(const zk::Request& request, zk::Error error, const std::string& path, uint32_t failed);

}  // namespace lockstep::sim
