// The world as a value, the choices that it allows, and the one function that changes it.
//
// Invariants: equal worlds allow equal choices; apply() depends on nothing but the world and the choice;
// time never falls. Clients and servers go by their places in the scenario.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "recipes/fields.h"
#include "scenario/scenario.h"
#include "sim/network.h"
#include "sim/process.h"
#include "sim/register.h"
#include "sim/server.h"
#include "trace/event.h"

namespace lockstep::sim {

constexpr TimeUs kNever = INT64_MAX;

struct World {
  std::shared_ptr<const scenario::Scenario> scenario;  // who is who; shared by all copies
  TimeUs now_us = 0;
  int64_t events = 0;    // so far: the next event's index
  int64_t messages = 0;  // so far
  std::vector<Server> servers;
  std::vector<Session> sessions;  // ended ones stay
  Database committed;  // of an ensemble: the truth, what has been committed; stays empty for a server alone
  std::vector<Process> processes;
  std::vector<Link> links;
  Register resource;

  /// Compares what has happened and can happen; two worlds of equal scenarios.
  bool operator==(const World& other) const;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("now_us", self.now_us);
    visit("events", self.events);
    visit("messages", self.messages);
    visit("servers", self.servers);
    visit("sessions", self.sessions);
    visit("committed", self.committed);
    visit("processes", self.processes);
    visit("links", self.links);
    visit("resource", self.resource);
  }
};

/// The world before anything has happened: servers are up, an ensemble has elected its last voter in epoch 1, the
/// lock's parent exists, nobody has started.
World initial_world(const scenario::Scenario& scenario);

/// What has been committed: the znodes, and which sessions live.
inline const Database& truth(const World& world) {
  return world.servers.size() == 1 ? world.servers.front().database : world.committed;
}
/// The place of a session in World::sessions by its id; false if no server ever gave it.
[[nodiscard]] bool session_index(const World& world, zk::SessionId id, uint32_t& index);

// ---- Choices -----------------------------------------------------------------------------------

/// What can take a step by itself. `index` is a client's, a link's or a server's number, or an expiry's.
enum class Mover : uint8_t {
  kStart,     // start A: the process begins
  kDeliver,   // deliver A>zk1: the head of a link arrives
  kIo,        // run A.io: the library reads a packet, pings, or gives up
  kInput,     // tell A.app: the application takes one input
  kLine,      // run A.app: the application runs its line
  kDeadline,  // deadline A: the earliest deadline of the application passes
  kExpire,    // expire A#1: a server ends a session whose time is up
  kServer,    // run zk1: what a server does by its own clock: as a member of an ensemble, and with containers
};

/// A session's expiry by a server. Several servers may think that they lead.
inline uint32_t expiry_number(const World& world, uint32_t server, uint32_t session) {
  return session * static_cast<uint32_t>(world.servers.size()) + server;
}

struct Choice {
  Mover mover = Mover::kStart;
  uint32_t index = 0;
  /// Set: somebody interferes, not before `at_us`; mover and index mean nothing then.
  std::optional<scenario::Intervention> intervention = {};
  TimeUs at_us = 0;

  bool operator==(const Choice&) const = default;
};

std::string name_of(const World& world, const Choice& choice);
/// The choice with this name, enabled or not; nullopt if no choice could ever have it.
std::optional<Choice> choice_named(const World& world, const std::string& name);

/// When this mover comes due; kNever if it is not enabled. It may lie in the past: then it is overdue, and
/// happens now.
TimeUs due_of(const World& world, Mover mover, uint32_t index);

struct Enabled {
  Choice choice;
  TimeUs due_us = 0;
};
/// All choices but interventions, in a fixed order. Looks at everything: not for every step of a long run.
std::vector<Enabled> enabled(const World& world);

/// Interventions that would do something now, by name, in a fixed order.
std::vector<scenario::Intervention> possible_interventions(const World& world);
/// One that is not possible may be made too: it is told, with the error trace::kNotPossible, and changes nothing.
bool is_possible(const World& world, const scenario::Intervention& intervention);

// ---- Applying ----------------------------------------------------------------------------------

/// What an event has changed, by row, so that whoever records need not look at everything.
struct Touched {
  uint32_t lane = 0;  // a number of the event's lane: the same for the same lane, and small
  struct Watch {
    uint32_t server = 0;
    uint32_t client = 0;
    trace::WatchTable table = trace::WatchTable::kData;
    std::string path;
  };
  std::vector<uint32_t> clients;
  std::vector<uint32_t> sessions;
  std::vector<uint32_t> links;
  std::vector<std::pair<uint32_t, int64_t>> messages;  // link, number
  std::vector<std::string> znodes;
  std::vector<Watch> watches;
  std::vector<uint32_t> servers;
  bool resource = false;
  bool ledger = false;

  void clear();
};

/// A write as the resource judged it: the ledger's newest row.
struct Judged {
  uint32_t client = 0;
  int64_t token = -1;
  int64_t value = 0;
  bool accepted = false;
  bool stale = false;
  int64_t token_max_before = -1;
};

/// What the next event will be told with. Kept from one to the next, so that telling needs no new memory.
struct Draft {
  trace::Event event;
  Touched touched;
  Judged judged;
};

/// Is told every event at the moment that it happens, with the world as it is just then.
class Observer {
 public:
  virtual ~Observer() = default;
  /// The event may be taken apart; it is made anew for the next.
  virtual void on_event(const World& world, trace::Event& event, const Touched& touched,
                        const Judged& judged) = 0;

 private:
  friend class Effects;
  Draft draft_;
};

/// Which movers may have changed their due time: for a scheduler that keeps a heap.
struct Moved {
  std::vector<uint32_t> clients;   // kStart, kIo, kInput, kLine, kDeadline
  std::vector<uint32_t> links;     // kDeliver
  std::vector<uint32_t> expiries;  // kExpire
  std::vector<uint32_t> servers;   // kServer

  void clear();
};

/// Makes the choice at `max(now, due)`. Requires that it is enabled (or, for an intervention, possible).
/// `observer` and `moved` may be null; `moved` is appended to.
void apply(World& world, const Choice& choice, Observer* observer = nullptr, Moved* moved = nullptr);

}  // namespace lockstep::sim
