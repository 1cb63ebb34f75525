#include "sim/effects.h"

#include <algorithm>

namespace lockstep::sim {

void Touched::clear() {
  clients.clear();
  sessions.clear();
  links.clear();
  messages.clear();
  znodes.clear();
  watches.clear();
  servers.clear();
  resource = ledger = false;
}

void Moved::clear() {
  clients.clear();
  links.clear();
  expiries.clear();
  servers.clear();
}

const std::string& lane_name(const World& world, Lane lane) {
  switch (lane.kind) {
    case LaneKind::kClient: return world.scenario->clients[lane.index].id;
    case LaneKind::kServer: return world.scenario->servers[lane.index].id;
    case LaneKind::kResource: break;
  }
  return world.scenario->resource.id;
}

Lane sender_of(const Link& link) {
  switch (link.kind) {
    case LinkKind::kServerServer: return {LaneKind::kServer, link.from};
    case LinkKind::kClientServer:
      if (link.to_client) return {LaneKind::kServer, link.server};
      break;
    case LinkKind::kClientResource:
      if (link.to_client) return {LaneKind::kResource, 0};
      break;
  }
  return {LaneKind::kClient, link.client};
}

Lane receiver_of(const Link& link) {
  if (link.to_client) return {LaneKind::kClient, link.client};
  if (link.kind == LinkKind::kClientResource) return {LaneKind::kResource, 0};
  return {LaneKind::kServer, link.server};
}

const scenario::Latency& latency_of(const scenario::Scenario& scenario, const Link& link) {
  switch (link.kind) {
    case LinkKind::kClientServer: return scenario.link;
    case LinkKind::kServerServer: return scenario.server_link;
    case LinkKind::kClientResource: break;
  }
  return scenario.resource_link;
}

TimeUs drawn(const scenario::Latency& latency, uint64_t seed, uint64_t who, uint64_t ordinal) {
  const TimeUs span = latency.max_us - latency.min_us;
  if (span <= 0) return latency.min_us;
  const uint64_t bits = hash_combine(hash_combine(seed, who), ordinal);
  return latency.min_us + static_cast<TimeUs>(bits % static_cast<uint64_t>(span + 1));
}

std::string session_name(const World& world, const Session& session) {
  return world.scenario->clients[session.client].id + "#" + std::to_string(session.ordinal);
}

std::string session_name(const World& world, zk::SessionId id) {
  uint32_t index = 0;
  return session_index(world, id, index) ? session_name(world, world.sessions[index]) : std::string();
}

Effects::Effects(World& world, Observer* observer, Moved* moved)
    : world_(world),
      observer_(observer),
      draft_(observer == nullptr ? nullptr : &observer->draft_),
      moved_(moved) {
  if (draft_ != nullptr) draft_->touched.clear();  // of what was touched after the last event
}

void Effects::send(uint32_t link_index, Packet&& packet, int64_t cause) {
  Link& link = world_.links[link_index];
  const scenario::Scenario& scenario = *world_.scenario;
  const scenario::Latency& latency = latency_of(scenario, link);
  const TimeUs before_it = link.queue.empty() ? 0 : link.queue.back().due_us;
  const TimeUs due = world_.now_us + drawn(latency, scenario.seed, 1000 + link_index, link.sent++);
  InFlight& message = link.queue.push_back({.packet = Box<Packet>(std::move(packet)),
                                            .number = world_.messages++,
                                            .sent_us = world_.now_us,
                                            .due_us = std::max(due, before_it)});
  touch_message(link_index, message.number);
  message.cause = emit(sender_of(link), trace::EventKind::kSent, cause, [&](trace::EventData& data) {
    data.what = what_of(*message.packet);
    data.path = path_of(*message.packet);
    data.peer = lane_name(world_, receiver_of(link));
    data.message = message.number;
    data.token = message.packet->to_resource.token;
    data.value = message.packet->to_resource.value;
  });
  advance_link(link_index);
}

namespace {

/// Adds a number that was not the last one: most repetitions follow each other.
void note(std::vector<uint32_t>& numbers, uint32_t number) {
  if (numbers.empty() || numbers.back() != number) numbers.push_back(number);
}

}  // namespace

void Effects::touch_client(uint32_t client) {
  if (draft_ != nullptr) note(draft_->touched.clients, client);
  if (moved_ != nullptr) note(moved_->clients, client);
}
void Effects::touch_session(uint32_t session) {
  if (draft_ != nullptr) note(draft_->touched.sessions, session);
}
void Effects::touch_link(uint32_t link) {
  if (draft_ != nullptr) note(draft_->touched.links, link);
  advance_link(link);
}
void Effects::advance_link(uint32_t link) {
  if (moved_ != nullptr) note(moved_->links, link);
}
void Effects::touch_message(uint32_t link, int64_t number) {
  if (draft_ != nullptr) draft_->touched.messages.emplace_back(link, number);
}
void Effects::touch_znode(const std::string& path) {
  if (draft_ != nullptr) draft_->touched.znodes.push_back(path);
}
void Effects::touch_watch(uint32_t server, uint32_t client, trace::WatchTable table, const std::string& path) {
  if (draft_ != nullptr) draft_->touched.watches.push_back({server, client, table, path});
}
void Effects::touch_server(uint32_t server) {
  if (draft_ != nullptr) note(draft_->touched.servers, server);
  if (moved_ != nullptr) note(moved_->servers, server);
}
void Effects::move_server(uint32_t server) {
  if (moved_ != nullptr) note(moved_->servers, server);
}
void Effects::move_expiry(uint32_t server, uint32_t session) {
  if (moved_ != nullptr) note(moved_->expiries, expiry_number(world_, server, session));
}
void Effects::touch_resource() {
  if (draft_ != nullptr) draft_->touched.resource = true;
}
void Effects::touch_ledger(const Judged& judged) {
  if (draft_ == nullptr) return;
  draft_->judged = judged;
  draft_->touched.ledger = true;
}

}  // namespace lockstep::sim
