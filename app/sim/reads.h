// What a server answers to a read, from its own tree alone.
//
// Rules (zookeeper.md A2, A8): getData and getChildren need READ at the node, getACL READ or ADMIN, exists and
// sync nothing (as in 3.8.0; later 3.8.x want READ for exists too).
#pragma once

#include "recipes/zookeeper.h"
#include "sim/acl.h"
#include "sim/tree.h"

namespace lockstep::sim {

/// `ids` is what the asker's connection has given proof of.
zk::Reply read_from(const DataTree& tree, const zk::Request& request, const Ids& ids);

}  // namespace lockstep::sim
