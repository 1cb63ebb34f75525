#include "scene/stage_census.h"

#include <algorithm>

namespace lockstep::scene {
namespace {

void add_member(Census& census, const trace::Snapshot& snapshot, const std::string& id,
                const scenario::ClientSpec* spec) {
  const auto row = snapshot.clients.find(id);
  if (row == snapshot.clients.end() || census.by_id.count(id) != 0) return;
  const size_t index = census.members.size();
  Member member;
  member.id = row->first;
  member.row = &row->second;
  member.spec = spec;
  member.number = static_cast<int32_t>(index);
  member.place = trace::place_of(census.truth, id);
  member.danger = trace::danger_of(snapshot, census.truth, id);
  census.members.push_back(member);
  census.by_id.emplace(member.id, index);
}

void add_sessions(Census& census, const trace::Snapshot& snapshot) {
  // "A#2" comes after "A#1": the last one seen is the latest.
  for (const auto& [id, session] : snapshot.sessions) {
    const auto found = census.by_id.find(session.client);
    if (found != census.by_id.end()) census.members[found->second].session = id;
  }
}

}  // namespace

Census census_of(const trace::Snapshot& snapshot, const scenario::Scenario& scenario) {
  Census census;
  census.truth = trace::truth_of(snapshot, scenario.lock_path);
  census.members.reserve(snapshot.clients.size());
  for (const scenario::ClientSpec& spec : scenario.clients) add_member(census, snapshot, spec.id, &spec);
  for (const auto& [id, row] : snapshot.clients) add_member(census, snapshot, id, nullptr);
  add_sessions(census, snapshot);
  for (size_t i = 0; i < census.truth.queue.size(); ++i) {
    census.node_places.emplace(census.truth.queue[i], static_cast<int64_t>(i));
  }
  census.in_queue_order.resize(census.members.size());
  for (size_t i = 0; i < census.members.size(); ++i) census.in_queue_order[i] = i;
  const auto place = [&](size_t i) {
    const int64_t at = census.members[i].place;
    return at < 0 ? INT64_MAX : at;
  };
  std::stable_sort(census.in_queue_order.begin(), census.in_queue_order.end(),
                   [&](size_t a, size_t b) { return place(a) < place(b); });
  return census;
}

const Member* owner_of(const Census& census, const trace::Snapshot& snapshot, std::string_view path) {
  const trace::ZnodeRow* node = trace::find(snapshot.znodes, path);
  const trace::SessionRow* session = node ? trace::find(snapshot.sessions, node->owner) : nullptr;
  if (!session) return nullptr;
  const auto found = census.by_id.find(session->client);
  return found == census.by_id.end() ? nullptr : &census.members[found->second];
}

int32_t number_of(const Census& census, std::string_view client) {
  const auto found = census.by_id.find(client);
  return found == census.by_id.end() ? 0 : census.members[found->second].number;
}

}  // namespace lockstep::scene
