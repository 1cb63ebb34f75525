// What the rules use to act on a world: telling events, sending messages, marking what has changed. One
// Effects lives for one apply().
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "sim/world.h"

namespace lockstep::sim {

enum class LaneKind : uint8_t { kClient, kServer, kResource };
struct Lane {
  LaneKind kind = LaneKind::kClient;
  uint32_t index = 0;
};
const std::string& lane_name(const World& world, Lane lane);
/// Servers first, of which there are few; then the resource; then clients.
constexpr uint32_t lane_number(Lane lane) {
  constexpr uint32_t kServers = 8;
  switch (lane.kind) {
    case LaneKind::kServer: return lane.index;
    case LaneKind::kResource: return kServers;
    case LaneKind::kClient: break;
  }
  return kServers + 1 + lane.index;
}

// Links by number: first those between servers, by who sends; then those of each client: to and from every
// server, to and from the resource.
inline uint32_t link_between(const World& world, uint32_t from, uint32_t to) {
  const auto servers = static_cast<uint32_t>(world.servers.size());
  return from * (servers - 1) + (to < from ? to : to - 1);
}
inline uint32_t first_link_of(const World& world, uint32_t client) {
  const auto servers = static_cast<uint32_t>(world.servers.size());
  return servers * (servers - 1) + client * (2 * servers + 2);
}
inline uint32_t link_to_server(const World& world, uint32_t client, uint32_t server) {
  return first_link_of(world, client) + 2 * server;
}
inline uint32_t link_from_server(const World& world, uint32_t client, uint32_t server) {
  return link_to_server(world, client, server) + 1;
}
inline uint32_t link_to_resource(const World& world, uint32_t client) {
  return link_to_server(world, client, static_cast<uint32_t>(world.servers.size()));
}
inline uint32_t link_from_resource(const World& world, uint32_t client) { return link_to_resource(world, client) + 1; }
/// Who sends on a link, and to whom.
Lane sender_of(const Link& link);
Lane receiver_of(const Link& link);

class Effects {
 public:
  Effects(World& world, Observer* observer, Moved* moved);

  /// The index of the event that is told next: what is changed before it is told can name it as its cause.
  int64_t next() const { return world_.events; }

  /// Tells an event and gives its index. Everything that belongs to the event has been changed and touched
  /// before. `fill(EventData&)` is called only if somebody listens.
  template <class Fill>
  int64_t emit(Lane lane, trace::EventKind kind, int64_t cause, Fill&& fill) {
    const int64_t index = world_.events++;
    if (draft_ != nullptr) {
      trace::Event& event = draft_->event;
      event.index = index;
      event.time_us = world_.now_us;
      event.lane = lane_name(world_, lane);
      draft_->touched.lane = lane_number(lane);
      event.kind = kind;
      event.cause = cause;
      event.data = {};
      fill(event.data);
      observer_->on_event(world_, event, draft_->touched, draft_->judged);
      draft_->touched.clear();
    }
    return index;
  }

  /// Puts a packet into a link and tells it (kSent).
  void send(uint32_t link, Packet&& packet, int64_t cause);

  void touch_client(uint32_t client);
  void touch_session(uint32_t session);
  void touch_link(uint32_t link);
  /// The link's row stays as it is, but its head may have changed.
  void advance_link(uint32_t link);
  void touch_message(uint32_t link, int64_t number);
  void touch_znode(const std::string& path);
  void touch_watch(uint32_t server, uint32_t client, trace::WatchTable table, const std::string& path);
  void touch_server(uint32_t server);
  /// A server's row stays as it is, but when its own clock has something for it to do may have changed.
  void move_server(uint32_t server);
  /// A session's row stays as it is, but when this server will expire it may have changed.
  void move_expiry(uint32_t server, uint32_t session);
  void touch_resource();
  void touch_ledger(const Judged& judged);

 private:
  World& world_;
  Observer* observer_;
  Draft* draft_;  // the observer's; null without one
  Moved* moved_;
};

// ---- The rules, one file each ------------------------------------------------------------------

/// A client's packet has arrived at a server (server_side.cpp).
void arrive_at_server(World& world, uint32_t server, uint32_t client, Packet&& packet, int64_t cause, Effects& fx);

/// A second handle, which knows the session's id and password, attaches and closes it (server_side.cpp).
void close_by_second_handle(World& world, uint32_t session, int64_t cause, Effects& fx);

/// A packet has arrived at the resource (resource_side.cpp).
void arrive_at_resource(World& world, uint32_t client, const Packet& packet, int64_t cause, Effects& fx);

/// How the client's library works (client_side.cpp).
Habits habits_of(const World& world, uint32_t client);
/// One step of the library: read a packet, or do what its timer says (client_side.cpp).
void run_io(World& world, uint32_t client, Effects& fx);
/// Opens a new session (client_side.cpp).
void open_session(World& world, uint32_t client, int64_t cause, Effects& fx);

/// The application is done with its session. The library closes it if it is connected, and waits for no answer;
/// else the session is left to time out (client_side.cpp).
void close_handle(World& world, uint32_t client, int64_t cause, Effects& fx);

/// One step of the application (app_side.cpp).
void start_process(World& world, uint32_t client, int64_t cause, Effects& fx);
void run_input(World& world, uint32_t client, Effects& fx);
void run_line(World& world, uint32_t client, Effects& fx);
void run_deadline(World& world, uint32_t client, Effects& fx);
/// Puts an input into the application's queue.
void tell(World& world, uint32_t client, recipes::Input input, int64_t cause, Effects& fx);
/// Sets the times of the sides that have become able to step, and clears those that no longer are.
void schedule_steps(World& world, uint32_t client);
/// Gives the recipe's request to the library: sent, queued, or refused at once (client_side.cpp).
void submit(World& world, uint32_t client, const zk::Request& request, int64_t cause, Effects& fx);

/// The head of a link arrives (world.cpp).
void deliver(World& world, uint32_t link, int64_t cause, Effects& fx);
/// Adds what the newest client of the scenario needs: a process, links, a place on each server (world.cpp).
void add_process(World& world);
/// "A>zk1".
std::string link_name(const World& world, uint32_t link);
/// The same into a string that is there already, for who needs many.
void write_link_name(const World& world, uint32_t link, std::string& name);

/// Carries an intervention out (interfere.cpp).
void interfere(World& world, const scenario::Intervention& intervention, Effects& fx);

/// Time of one step of a process, or of a message on a link: between min and max, from
/// hash(seed, who, ordinal), so that flipping one thing does not shift all others.
const scenario::Latency& latency_of(const scenario::Scenario& scenario, const Link& link);
TimeUs drawn(const scenario::Latency& latency, uint64_t seed, uint64_t who, uint64_t ordinal);

/// "A#1".
std::string session_name(const World& world, const Session& session);
/// The same by its id; empty for none.
std::string session_name(const World& world, zk::SessionId id);

}  // namespace lockstep::sim
