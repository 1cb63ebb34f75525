#include "scene/stage_census.h"

#include <algorithm>
#include <cstdlib>

namespace lockstep::scene {
namespace {

using Entry = std::pair<std::string_view, size_t>;

bool earlier(const Entry& entry, std::string_view id) {
  return trace::ShorterFirst()(entry.first, id);
}

/// The members in the table's order, and the table of their places there.
std::vector<Member> members_in_table_order(const trace::Snapshot& snapshot,
                                           std::vector<Entry>& by_id) {
  std::vector<Member> members;
  members.reserve(snapshot.clients.size());
  for (const auto& [id, row] : snapshot.clients) {
    by_id.emplace_back(id, members.size());
    Member member;
    member.id = id;
    member.row = &row;
    members.push_back(member);
  }
  return members;
}

size_t find_entry(const std::vector<Entry>& by_id, std::string_view id) {
  const auto found = std::lower_bound(by_id.begin(), by_id.end(), id, earlier);
  return found == by_id.end() || found->first != id ? by_id.size()
                                                    : static_cast<size_t>(found - by_id.begin());
}

}  // namespace

Census census_of(const trace::Snapshot& snapshot, const scenario::Scenario& scenario) {
  Census census;
  census.truth = trace::truth_of(snapshot, scenario.lock_path);
  std::vector<Member> in_table = members_in_table_order(snapshot, census.by_id);
  const auto take = [&](size_t entry, const scenario::ClientSpec* spec) {
    Member& source = in_table[entry];
    if (source.id.empty()) return;  // taken already
    Member member = source;
    source.id = {};
    member.spec = spec;
    member.number = static_cast<int32_t>(census.members.size());
    member.place = trace::place_of(census.truth, member.id);
    member.dangerous =
        trace::believes_to_hold(*member.row) &&
        trace::danger_of(snapshot, census.truth, member.id) == trace::Danger::kDangerous;
    census.by_id[entry].second = census.members.size();
    census.members.push_back(member);
  };
  for (const scenario::ClientSpec& spec : scenario.clients) {
    const size_t entry = find_entry(census.by_id, spec.id);
    if (entry < census.by_id.size()) take(entry, &spec);
  }
  for (size_t entry = 0; entry < in_table.size(); ++entry) take(entry, nullptr);
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

const Member* member_named(const Census& census, std::string_view id) {
  const size_t entry = find_entry(census.by_id, id);
  return entry == census.by_id.size() ? nullptr : &census.members[census.by_id[entry].second];
}

const Member* owner_of(const Census& census, const trace::Snapshot& snapshot,
                       std::string_view path) {
  const trace::ZnodeRow* node = trace::find(snapshot.znodes, path);
  const trace::SessionRow* session = node ? trace::find(snapshot.sessions, node->owner) : nullptr;
  return session ? member_named(census, session->client) : nullptr;
}

int64_t node_place(const Census& census, std::string_view name) {
  const auto& queue = census.truth.queue;
  int32_t wanted = 0;
  if (!zk::sequence_of(name, wanted)) return -1;
  // The queue is sorted by these numbers.
  const auto below = [](const std::string& other, int32_t number) {
    int32_t own = 0;
    return zk::sequence_of(other, own) && own < number;
  };
  for (auto found = std::lower_bound(queue.begin(), queue.end(), wanted, below);
       found != queue.end(); ++found) {
    if (*found == name) return found - queue.begin();
    int32_t number = 0;
    if (!zk::sequence_of(*found, number) || number != wanted) break;
  }
  return -1;
}

std::string latest_session(const trace::Snapshot& snapshot, const Member& member) {
  const std::string base = std::string(member.id) + "#";
  const std::string& known = member.row->session;
  std::string latest = trace::find(snapshot.sessions, known) ? known : std::string();
  // Ordinals follow each other: look on from the one that it knows.
  int ordinal = 1;
  if (!latest.empty() && latest.size() > base.size() && latest.size() < base.size() + 9) {
    ordinal = std::atoi(latest.c_str() + base.size()) + 1;
  }
  for (;; ++ordinal) {
    std::string next = base + std::to_string(ordinal);
    if (!trace::find(snapshot.sessions, next)) return latest;
    latest = std::move(next);
  }
}

}  // namespace lockstep::scene
