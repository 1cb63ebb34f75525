// Who is who in a snapshot, worked out once: the clients in the scenario's order and in the queue's, their
// sessions, and which node is whose. Everything here is linear in the snapshot's rows (but for sorting).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "scene/stage.h"
#include "trace/facts.h"

namespace lockstep::scene {

/// A client that takes part. Points into the snapshot and the scenario.
struct Member {
  std::string_view id;
  const trace::ClientRow* row = nullptr;
  const scenario::ClientSpec* spec = nullptr;  ///< nullptr: not in the scenario
  int32_t number = 0;    ///< its hue
  int64_t place = -1;    ///< in the queue, from 0; -1: it has no node there
  trace::Danger danger = trace::Danger::kNone;
  std::string_view session;  ///< its latest; empty: none
};

struct Census {
  trace::Truth truth;
  std::vector<Member> members;                      ///< in the scenario's order, then whoever else
  std::map<std::string_view, size_t> by_id;         ///< index in members
  std::vector<size_t> in_queue_order;               ///< indexes in members
  std::map<std::string_view, int64_t> node_places;  ///< by the nodes' names
};

/// The snapshot and the scenario must outlive it.
Census census_of(const trace::Snapshot& snapshot, const scenario::Scenario& scenario);

/// The member that owns the node; nullptr if it is not there, or nobody's.
const Member* owner_of(const Census& census, const trace::Snapshot& snapshot, std::string_view path);

/// The number that stands for the hue of a client by id; 0 for strangers.
int32_t number_of(const Census& census, std::string_view client);

}  // namespace lockstep::scene
