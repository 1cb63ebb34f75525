// Interventions: what somebody can do to processes, links and the resource from outside. They never write
// what a client believes or what a server has committed.
#include <algorithm>

#include "scenario/reading.h"
#include "sim/effects.h"

namespace lockstep::sim {
namespace {

using scenario::Action;
using scenario::Intervention;
using trace::EventData;
using trace::EventKind;
using ProcessState = trace::Process;

constexpr uint32_t kNobody = UINT32_MAX;

uint32_t client_named(const World& world, const std::string& id) {
  const auto& clients = world.scenario->clients;
  for (uint32_t i = 0; i < clients.size(); ++i) {
    if (clients[i].id == id) return i;
  }
  return kNobody;
}

bool has_connection(const Library& library) {
  return library.state == LibraryState::kConnected || library.state == LibraryState::kHandshake;
}

/// The links that a target names: "A>zk1" one, "A-zk1" both directions.
std::vector<uint32_t> links_named(const World& world, const std::string& target) {
  const size_t both = target.find('-');
  const size_t one = target.find('>');
  for (uint32_t link = 0; link < world.links.size(); ++link) {
    const std::string name = link_name(world, link);
    if (one != std::string::npos && name == target) return {link};
    // Ids may hold dashes themselves, so the whole is compared, not split.
    if (both != std::string::npos && !world.links[link].to_client) {
      std::string dashed = name;
      dashed[name.find('>')] = '-';
      if (dashed == target) return {link, link + 1};
    }
  }
  return {};
}

// ---- Processes ---------------------------------------------------------------------------------

void set_state(World& world, uint32_t client, ProcessState state, Effects& fx) {
  Process& process = world.processes[client];
  process.state = state;
  process.since_us = world.now_us;
  process.stops += state == ProcessState::kRunning ? 0 : 1;
  process.state_cause = fx.next();
  if (state == ProcessState::kRunning) {  // Each side that has something to do takes its time again.
    process.next = {kNever, kNever, kNever};
    schedule_steps(world, client);
  }
  fx.touch_client(client);
}

/// The process ends without a word; its kernel closes the connection, the session lives on for a while.
void crash(World& world, uint32_t client, Effects& fx) {
  Process& process = world.processes[client];
  const uint32_t connection = process.library.connection;
  process.library = Library{};
  process.library.connection = connection;
  process.recipe = recipes::Recipe{};
  process.inputs.clear();
  process.deadlines.clear();
  process.writes_sent = 0;
  process.next = {kNever, kNever, kNever};
  set_state(world, client, ProcessState::kCrashed, fx);
}

// ---- Which are possible ------------------------------------------------------------------------

bool client_allows(const World& world, Action action, uint32_t client) {
  const Process& process = world.processes[client];
  switch (action) {
    case Action::kPause:
      return process.state == ProcessState::kRunning || process.state == ProcessState::kHung;
    case Action::kResume: return process.state == ProcessState::kPaused;
    case Action::kHang: return process.state == ProcessState::kRunning;
    case Action::kFree: return process.state == ProcessState::kHung;
    case Action::kCrash:
      return process.state != ProcessState::kNotStarted && process.state != ProcessState::kCrashed;
    case Action::kRestart: return process.state == ProcessState::kCrashed;
    case Action::kRelease:
    case Action::kCancel: {
      if (process.state == ProcessState::kNotStarted || process.state == ProcessState::kCrashed) return false;
      const recipes::Belief belief = recipes::belief(process.recipe);
      const bool holding = belief == recipes::Belief::kHolding || belief == recipes::Belief::kSuspended;
      const bool queued = belief == recipes::Belief::kWaiting || belief == recipes::Belief::kAcquiring;
      return action == Action::kRelease ? holding : queued;
    }
    case Action::kExpire: {
      uint32_t session = 0;
      const Server& server = world.servers.front();
      return session_index(server, process.library.session, session) &&
             server.sessions[session].life == trace::SessionLife::kLive;
    }
    default: return false;  // done to something else
  }
}

bool link_allows(const World& world, Action action, uint32_t index) {
  const Link& link = world.links[index];
  switch (action) {
    case Action::kCut: return !link.cut;
    case Action::kHeal: return link.cut;
    case Action::kHold: return !link.held;
    case Action::kLetGo: return link.held;
    case Action::kDeliver: return !link.queue.empty() && !link.cut;
    default: return false;  // done to something else
  }
}

bool is_of_link(Action action) {
  return scenario::target_of(action) == scenario::TargetKind::kLink;
}

bool one_allows(const World& world, Action action, const std::vector<uint32_t>& links) {
  return std::any_of(links.begin(), links.end(),
                     [&](uint32_t link) { return link_allows(world, action, link); });
}

// ---- Links -------------------------------------------------------------------------------------

void change_link(World& world, Action action, uint32_t index, Effects& fx) {
  Link& link = world.links[index];
  if (action == Action::kCut || action == Action::kHeal) link.cut = action == Action::kCut;
  if (action == Action::kHold || action == Action::kLetGo) link.held = action == Action::kHold;
  if (!link.cut && !link.held) {  // What waited goes on from where it was kept.
    for (InFlight& message : link.queue) {
      const scenario::Latency& latency =
          link.peer == Peer::kServer ? world.scenario->link : world.scenario->resource_link;
      message.due_us = std::max(message.due_us, world.now_us + latency.min_us);
      fx.touch_message(index, message.number);
    }
  }
  fx.touch_link(index);
}

void add_client(World& world, const std::string& id, Effects& fx) {
  auto changed = std::make_shared<scenario::Scenario>(*world.scenario);
  scenario::ClientSpec client = changed->clients.back();
  client.id = id;
  client.start_us = world.now_us;
  changed->clients.push_back(std::move(client));
  world.scenario = std::move(changed);
  add_process(world);
  const auto number = static_cast<uint32_t>(world.processes.size() - 1);
  fx.touch_client(number);
  for (uint32_t direction = 0; direction < 4; ++direction) fx.touch_link(link_number(number, direction));
}

/// What is told about an intervention happens in the lane of whom it concerns.
Lane lane_of(const World& world, const Intervention& intervention) {
  const uint32_t client = client_named(world, intervention.target);
  if (client != kNobody) return {LaneKind::kClient, client};
  const std::vector<uint32_t> links = links_named(world, intervention.target);
  if (!links.empty()) return {LaneKind::kClient, world.links[links.front()].client};
  return {LaneKind::kResource, 0};
}

void change_process(World& world, Action action, uint32_t client, Effects& fx) {
  switch (action) {
    case Action::kPause: return set_state(world, client, ProcessState::kPaused, fx);
    case Action::kHang: return set_state(world, client, ProcessState::kHung, fx);
    case Action::kResume:
    case Action::kFree: return set_state(world, client, ProcessState::kRunning, fx);
    case Action::kCrash: return crash(world, client, fx);
    case Action::kRelease:
      return tell(world, client, recipes::Command{recipes::CommandKind::kRelease}, fx.next(), fx);
    case Action::kCancel:
      return tell(world, client, recipes::Command{recipes::CommandKind::kCancel}, fx.next(), fx);
    case Action::kRestart:
    case Action::kExpire:
    case Action::kCut:
    case Action::kHeal:
    case Action::kPartition:
    case Action::kHold:
    case Action::kLetGo:
    case Action::kDeliver:
    case Action::kSetRule:
    case Action::kAddClient: return;
  }
}

}  // namespace

bool is_possible(const World& world, const Intervention& intervention) {
  const std::string& target = intervention.target;
  if (intervention.action == Action::kAddClient) {
    return client_named(world, target) == kNobody && scenario::is_valid_id(target) &&
           world.processes.size() < static_cast<size_t>(scenario::kClientsMax);
  }
  if (intervention.action == Action::kSetRule) {
    scenario::RegisterRule rule = scenario::RegisterRule::kNone;
    return target == world.scenario->resource.id && trace::from_name(intervention.argument, rule) &&
           rule != world.resource.rule;
  }
  if (is_of_link(intervention.action)) {
    return one_allows(world, intervention.action, links_named(world, target));
  }
  const uint32_t client = client_named(world, target);
  return client != kNobody && client_allows(world, intervention.action, client);
}

std::vector<Intervention> possible_interventions(const World& world) {
  std::vector<Intervention> possible;
  // By number, not by name: there may be many.
  const auto offer = [&](bool possible_now, Action action, const std::string& target) {
    if (possible_now) possible.push_back({.action = action, .target = target, .argument = {}});
  };
  constexpr Action kOfClients[] = {Action::kPause,   Action::kResume, Action::kHang,
                                   Action::kFree,    Action::kCrash,  Action::kRestart,
                                   Action::kRelease, Action::kCancel, Action::kExpire};
  for (uint32_t client = 0; client < world.processes.size(); ++client) {
    const std::string& id = world.scenario->clients[client].id;
    for (const Action action : kOfClients) offer(client_allows(world, action, client), action, id);
    const std::string both = id + "-" + world.scenario->servers.front().id;
    const std::vector<uint32_t> links = {link_number(client, kToServer), link_number(client, kFromServer)};
    for (const Action action : {Action::kCut, Action::kHeal}) {
      offer(one_allows(world, action, links), action, both);
    }
  }
  for (uint32_t link = 0; link < world.links.size(); ++link) {
    const std::string name = link_name(world, link);
    for (const Action action : {Action::kCut, Action::kHeal, Action::kHold, Action::kLetGo, Action::kDeliver}) {
      offer(link_allows(world, action, link), action, name);
    }
  }
  for (const auto* rule : {"none", "greater", "greater_or_equal"}) {
    Intervention change{.action = Action::kSetRule, .target = world.scenario->resource.id, .argument = rule};
    if (is_possible(world, change)) possible.push_back(std::move(change));
  }
  return possible;
}

void interfere(World& world, const Intervention& intervention, Effects& fx) {
  const Action action = intervention.action;
  const uint32_t client = client_named(world, intervention.target);
  const bool had_connection = client != kNobody && has_connection(world.processes[client].library);
  if (action == Action::kAddClient) {
    add_client(world, intervention.target, fx);
  } else if (action == Action::kSetRule) {
    (void)trace::from_name(intervention.argument, world.resource.rule);  // is_possible() has looked
    fx.touch_resource();
  } else if (is_of_link(action)) {
    for (const uint32_t link : links_named(world, intervention.target)) {
      if (action != Action::kDeliver && link_allows(world, action, link)) change_link(world, action, link, fx);
    }
  } else {
    change_process(world, action, client, fx);
  }
  const int64_t done = fx.emit(lane_of(world, intervention), EventKind::kIntervened, trace::kNoEvent,
                               [&](EventData& data) { data.what = scenario::name_of(intervention); });
  switch (action) {
    case Action::kDeliver:
      return deliver(world, links_named(world, intervention.target).front(), done, fx);
    case Action::kRestart: return start_process(world, client, done, fx);
    case Action::kExpire: {
      uint32_t session = 0;
      if (session_index(world.servers.front(), world.processes[client].library.session, session)) {
        close_by_second_handle(world, session, done, fx);
      }
      return;
    }
    case Action::kCrash:
      if (had_connection) {
        fx.send(link_number(client, kToServer),
                {.kind = PacketKind::kClose, .connection = world.processes[client].library.connection}, done);
      }
      return;
    case Action::kPause:
    case Action::kResume:
    case Action::kHang:
    case Action::kFree:
    case Action::kCut:
    case Action::kHeal:
    case Action::kPartition:
    case Action::kHold:
    case Action::kLetGo:
    case Action::kRelease:
    case Action::kCancel:
    case Action::kSetRule:
    case Action::kAddClient: return;
  }
}

}  // namespace lockstep::sim
