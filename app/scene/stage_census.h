// Who is who in a snapshot, worked out once: the clients in the scenario's order and in the queue's, and
// which node is whose. It walks the snapshot's rows and looks up little, so that a thousand clients cost
// little; what only shown clients need is found on asking.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scene/stage.h"
#include "trace/facts.h"

namespace lockstep::scene {

/// A client that takes part. Points into the snapshot and the scenario.
struct Member {
  std::string_view id;
  const trace::ClientRow* row = nullptr;
  const scenario::ClientSpec* spec = nullptr;  ///< nullptr: not in the scenario
  int32_t number = 0;                          ///< its hue
  int64_t place = -1;                          ///< in the queue, from 0; -1: it has no node there
  bool dangerous = false;                      ///< it believes that it holds, and does not
};

struct Census {
  trace::Truth truth;
  std::vector<Member> members;         ///< in the scenario's order, then whoever else
  std::vector<size_t> in_queue_order;  ///< indexes in members
  std::vector<std::pair<std::string_view, size_t>> by_id;  ///< sorted; see member_named
};

/// The snapshot and the scenario must outlive it.
Census census_of(const trace::Snapshot& snapshot, const scenario::Scenario& scenario);

/// nullptr if there is none.
const Member* member_named(const Census& census, std::string_view id);

/// The member that owns the node; nullptr if it is not there, or nobody's.
const Member* owner_of(const Census& census, const trace::Snapshot& snapshot,
                       std::string_view path);

/// Where a node stands in the queue, from 0; -1: not in it.
int64_t node_place(const Census& census, std::string_view name);

/// The id of the client's latest session, known to it or not; empty: it has none.
std::string latest_session(const trace::Snapshot& snapshot, const Member& member);

}  // namespace lockstep::scene
