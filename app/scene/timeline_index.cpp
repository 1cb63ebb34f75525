#include "scene/timeline_index.h"

#include <algorithm>

#include "recipes/zookeeper.h"

namespace lockstep::scene {
namespace {

using trace::Event;
using trace::EventKind;

/// Drawn on its lane: fewer than trace::is_mark, since spans already show the others.
bool is_drawn(EventKind kind) {
  switch (kind) {
    case EventKind::kAcquired:
    case EventKind::kSuspended:
    case EventKind::kLost:
    case EventKind::kReleased:
    case EventKind::kTimedOut:
    case EventKind::kCancelled:
    case EventKind::kFailed:
    case EventKind::kExpired:
    case EventKind::kSessionExpired:
    case EventKind::kWriteAccepted:
    case EventKind::kWriteRefused: return true;
    default: return false;
  }
}

/// True once the client no longer believes that it holds. Who has come to the line that releases is
/// letting go: its node may be gone before it has heard so.
bool ends_belief(const Event& event) {
  switch (event.kind) {
    case EventKind::kLine: return event.data.what == "release";
    case EventKind::kSuspended:
    case EventKind::kLost:
    case EventKind::kReleased:
    case EventKind::kTimedOut:
    case EventKind::kCancelled:
    case EventKind::kFailed: return true;
    default: return false;
  }
}

}  // namespace

void TimelineIndex::reset() { *this = TimelineIndex(); }

void TimelineIndex::begin(const trace::Trace& trace) {
  const scenario::Scenario& scenario = trace.header().scenario;
  lock_path_ = scenario.lock_path;
  truth_lane_ = 0;
  // A path, so that it is nobody's id.
  if (scenario.servers.size() > 1) lane_of("/" + std::string(zk::name_in(scenario.lock_path)));
  for (const scenario::ServerSpec& server : scenario.servers) lane_of(server.id);
  if (scenario.servers.empty()) lane_of("zk1");
  resource_lane_ = lane_of(scenario.resource.id);
  first_client_ = static_cast<uint32_t>(lanes_.size());
  for (const scenario::ClientSpec& client : scenario.clients) lane_of(client.id);
  for (const auto& [id, server] : trace.snapshot(-1).servers) {
    if (server.role != trace::ServerRole::kLeading) continue;
    const uint32_t lane = lane_of(id);
    states_[lane].role_span = open_span({.from_us = 0, .lane = lane, .kind = SpanKind::kLeading});
  }
}

void TimelineIndex::extend(const trace::Trace& trace) {
  if (lanes_.empty()) begin(trace);
  for (; events_ < trace.size(); ++events_) {
    const Event event = trace.event(events_);
    end_us_ = event.time_us;
    take(event);
  }
}

void TimelineIndex::take(const Event& event) {
  switch (event.kind) {
    case EventKind::kSent:
    case EventKind::kArrived:
    case EventKind::kDropped: take_message(event); break;
    case EventKind::kIntervened:
      if (event.data.error.empty()) take_process(event);
      break;
    case EventKind::kRoleChanged: take_role(event); break;
    case EventKind::kCommitted:
    case EventKind::kSessionExpired:
    case EventKind::kSessionClosed: take_truth(event); break;
    default: take_belief(event); break;
  }
  if (!is_drawn(event.kind)) return;
  const uint32_t lane = lane_of(event.lane);
  const uint32_t peer = event.data.peer.empty() ? lane : lane_of(event.data.peer);
  marks_.push_back({event.time_us, event.index, lane, event.kind, peer, event.data.stale});
}

void TimelineIndex::take_message(const Event& event) {
  const int64_t number = event.data.message;
  if (number < 0) return;
  if (event.kind == EventKind::kSent) {
    Flight flight{.sent_us = event.time_us,
                  .from = lane_of(event.lane),
                  .to = lane_of(event.data.peer),
                  .sent_event = event.index,
                  .ping = event.data.what == "ping" || event.data.what == "pong" || event.data.what == "PING"};
    flight.to_resource = flight.from == resource_lane_ || flight.to == resource_lane_;
    in_flight_[number] = flights_.size();
    flights_.push_back(flight);
    raise(flight_ends_, flights_.size() - 1, kForEver);
    return;
  }
  const auto found = in_flight_.find(number);
  if (found == in_flight_.end()) return;
  Flight& flight = flights_[found->second];
  if (flight.arrived_us >= 0) return;  // a copy of what has arrived already
  flight.arrived_us = event.time_us;
  flight.dropped = event.kind == EventKind::kDropped;
  settle(flight_ends_, found->second, event.time_us);
  in_flight_.erase(found);
}

void TimelineIndex::take_process(const Event& event) {
  // "pause A", "resume A": the word before the space, then the client.
  const std::string& what = event.data.what;
  const size_t space = what.find(' ');
  const auto found = space == std::string::npos
                         ? lane_numbers_.end()
                         : lane_numbers_.find(std::string_view(what).substr(space + 1));
  if (found == lane_numbers_.end()) return;
  const std::string_view action = std::string_view(what).substr(0, space);
  LaneState& state = states_[found->second];
  const auto begin_span = [&](SpanKind kind) {
    close_span(state.process_span, event.time_us);
    state.process_span = open_span({.from_us = event.time_us, .lane = found->second, .kind = kind});
  };
  if (action == "pause") begin_span(SpanKind::kPaused);
  if (action == "hang") begin_span(SpanKind::kHung);
  if (action == "crash") {
    begin_span(SpanKind::kCrashed);
    state.believes = false;
    close_span(state.role_span, event.time_us);
    belief_may_have_changed(found->second, event.time_us);
  }
  if (action == "resume" || action == "free" || action == "restart") {
    close_span(state.process_span, event.time_us);
  }
}

void TimelineIndex::take_role(const Event& event) {
  const uint32_t lane = lane_of(event.lane);
  close_span(states_[lane].role_span, event.time_us);
  const bool leads = event.data.what == "LEADING";
  if (!leads && event.data.what != "LOOKING") return;
  const SpanKind kind = leads ? SpanKind::kLeading : SpanKind::kLooking;
  states_[lane].role_span = open_span({.from_us = event.time_us, .lane = lane, .kind = kind});
}

void TimelineIndex::take_belief(const Event& event) {
  const bool begins = event.kind == EventKind::kAcquired || event.kind == EventKind::kConfirmed;
  if (!begins && !ends_belief(event)) return;
  const uint32_t lane = lane_of(event.lane);
  if (!is_client(lane)) return;
  states_[lane].believes = begins;
  belief_may_have_changed(lane, event.time_us);
}

void TimelineIndex::take_truth(const Event& event) {
  if (event.kind != EventKind::kCommitted) {  // a session's end takes all its nodes with it
    const auto client = lane_numbers_.find(event.data.peer);
    if (client == lane_numbers_.end()) return;
    for (const int32_t number : numbers_[client->second]) {
      owners_.erase(queue_[number]);
      queue_.erase(number);
    }
    numbers_.erase(client->second);
    owner_may_have_changed(event.time_us);
    return;
  }
  int32_t number = 0;
  const std::string& path = event.data.path;
  if (zk::parent_of(path) != lock_path_ || !zk::sequence_of(zk::name_in(path), number)) return;
  if (event.data.what == "create") {
    queue_[number] = path;
    owners_[path] = lane_of(event.data.peer);
    numbers_[owners_[path]].insert(number);
  } else if (event.data.what == "delete") {
    if (const auto owner = owners_.find(path); owner != owners_.end()) {
      numbers_[owner->second].erase(number);
      owners_.erase(owner);
    }
    queue_.erase(number);
  }
  owner_may_have_changed(event.time_us);
}

void TimelineIndex::owner_may_have_changed(TimeUs time_us) {
  int64_t owner = -1;
  if (!queue_.empty()) {
    const auto found = owners_.find(queue_.begin()->second);
    if (found != owners_.end()) owner = found->second;
  }
  if (owner == owner_) return;
  const int64_t before = owner_;
  owner_ = owner;
  close_span(owner_span_, time_us);
  if (owner_ >= 0) {
    owner_span_ = open_span({.from_us = time_us,
                             .lane = truth_lane_,
                             .kind = SpanKind::kOwned,
                             .owner = static_cast<uint32_t>(owner_)});
  }
  for (const int64_t client : {before, owner_}) {
    if (client >= 0 && is_client(static_cast<uint32_t>(client)))
      belief_may_have_changed(static_cast<uint32_t>(client), time_us);
  }
}

void TimelineIndex::belief_may_have_changed(uint32_t client, TimeUs time_us) {
  LaneState& state = states_[client];
  const SpanKind kind = owner_ == client ? SpanKind::kHolding : SpanKind::kDangerous;
  if (state.belief_span >= 0) {
    const bool goes_on =
        state.believes && spans_[static_cast<size_t>(state.belief_span)].kind == kind;
    if (goes_on) return;
    close_span(state.belief_span, time_us);
  }
  if (state.believes)
    state.belief_span = open_span({.from_us = time_us, .lane = client, .kind = kind});
}

uint32_t TimelineIndex::lane_of(const std::string& id) {
  const auto [found, added] = lane_numbers_.try_emplace(id, static_cast<uint32_t>(lanes_.size()));
  if (added) {
    lanes_.push_back(id);
    states_.emplace_back();
  }
  return found->second;
}

int64_t TimelineIndex::open_span(Span span) {
  spans_.push_back(span);
  raise(span_ends_, spans_.size() - 1, kForEver);
  return static_cast<int64_t>(spans_.size()) - 1;
}

void TimelineIndex::close_span(int64_t& span, TimeUs time_us) {
  if (span < 0) return;
  spans_[static_cast<size_t>(span)].to_us = time_us;
  settle(span_ends_, static_cast<size_t>(span), time_us);
  span = -1;
}

// ---- Finding -----------------------------------------------------------------------------------

void TimelineIndex::raise(std::vector<Block>& blocks, size_t row, TimeUs end_us) {
  const size_t block = row / kBlockRows;
  if (block == blocks.size()) blocks.push_back({});
  if (end_us == kForEver) {
    ++blocks[block].open;
  } else {
    blocks[block].end_us = std::max(blocks[block].end_us, end_us);
  }
}

void TimelineIndex::settle(std::vector<Block>& blocks, size_t row, TimeUs end_us) {
  --blocks[row / kBlockRows].open;
  raise(blocks, row, end_us);
}

size_t TimelineIndex::first_row(const std::vector<Block>& blocks, TimeUs from_us) {
  size_t block = 0;
  while (block < blocks.size() && blocks[block].open == 0 && blocks[block].end_us < from_us)
    ++block;
  return block * kBlockRows;
}

size_t TimelineIndex::first_flight(TimeUs from_us) const {
  return std::min(first_row(flight_ends_, from_us), flights_.size());
}

size_t TimelineIndex::first_span(TimeUs from_us) const {
  return std::min(first_row(span_ends_, from_us), spans_.size());
}

}  // namespace lockstep::scene
