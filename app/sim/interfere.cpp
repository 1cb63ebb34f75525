// Interventions: what somebody can do to processes, links and the resource from outside. They never write
// what a client believes or what a server has committed.
#include <algorithm>

#include "scenario/reading.h"
#include "sim/ensemble.h"

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

uint32_t server_named(const World& world, const std::string& id) {
  const auto& servers = world.scenario->servers;
  for (uint32_t i = 0; i < servers.size(); ++i) {
    if (servers[i].id == id) return i;
  }
  return kNobody;
}

bool has_connection(const Library& library) {
  return library.state == LibraryState::kConnected || library.state == LibraryState::kHandshake;
}

/// True if the link leads out of a group of servers and clients, or into it.
bool crosses(const World& world, const Link& link, const std::vector<std::string>& group) {
  const auto inside = [&](Lane lane) {
    return std::find(group.begin(), group.end(), lane_name(world, lane)) != group.end();
  };
  return link.kind != LinkKind::kClientResource && inside(sender_of(link)) != inside(receiver_of(link));
}

/// The links that an action is done to: "A>zk1" names one, "A-zk1" both directions, "zk3,A" (of a partition) all
/// that lead out of the group, "all" all.
std::vector<uint32_t> links_of(const World& world, const Intervention& intervention) {
  const std::string& target = intervention.target;
  const bool all = intervention.action == Action::kHeal && target == scenario::kAllLinks;
  const bool partition = intervention.action == Action::kPartition;
  const std::vector<std::string> group = scenario::members_of(target);
  std::vector<uint32_t> links;
  for (uint32_t index = 0; index < world.links.size(); ++index) {
    const Link& link = world.links[index];
    const std::string& from = lane_name(world, sender_of(link));
    const std::string& to = lane_name(world, receiver_of(link));
    // Ids may hold dashes themselves, so the whole is compared, not split.
    const bool named = target == from + ">" + to || target == from + "-" + to || target == to + "-" + from;
    if (all || (partition ? crosses(world, link, group) : named)) links.push_back(index);
  }
  return links;
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
    case Action::kCancel:  // One may ask at any time; who asks cannot know what the client will be doing by then.
      return process.state != ProcessState::kNotStarted && process.state != ProcessState::kCrashed;
    case Action::kExpire: {
      uint32_t session = 0;
      const int32_t server = authority(world);
      return server >= 0 && session_index(world, process.library.session, session) &&
             world.servers[static_cast<size_t>(server)].database.has_session(session);
    }
    default: return false;  // done to something else
  }
}

/// Whether it would change anything for the client as it is now.
bool is_of_use(const World& world, Action action, uint32_t client) {
  const recipes::Belief belief = recipes::belief(world.processes[client].recipe);
  switch (action) {
    case Action::kRelease: return belief == recipes::Belief::kHolding || belief == recipes::Belief::kSuspended;
    case Action::kCancel: return belief == recipes::Belief::kWaiting || belief == recipes::Belief::kAcquiring;
    default: return true;
  }
}

bool server_allows(const World& world, Action action, uint32_t server) {
  const ProcessState state = world.servers[server].process;
  switch (action) {
    case Action::kPause: return state == ProcessState::kRunning;
    case Action::kResume: return state == ProcessState::kPaused;
    case Action::kCrash: return state != ProcessState::kCrashed;
    case Action::kRestart: return state == ProcessState::kCrashed;
    default: return false;  // done to something else
  }
}

bool link_allows(const World& world, Action action, uint32_t index) {
  const Link& link = world.links[index];
  switch (action) {
    case Action::kCut:
    case Action::kPartition: return !link.cut;
    case Action::kHeal: return link.cut;
    case Action::kHold: return !link.held;
    case Action::kLetGo: return link.held;
    case Action::kDeliver: return !link.queue.empty() && !link.cut;
    default: return false;  // done to something else
  }
}

bool is_of_links(Action action) {
  const scenario::TargetKind target = scenario::target_of(action);
  return target == scenario::TargetKind::kLink || target == scenario::TargetKind::kGroup;
}

bool one_allows(const World& world, Action action, const std::vector<uint32_t>& links) {
  return std::any_of(links.begin(), links.end(),
                     [&](uint32_t link) { return link_allows(world, action, link); });
}

// ---- Links -------------------------------------------------------------------------------------

void change_link(World& world, Action action, uint32_t index, Effects& fx) {
  Link& link = world.links[index];
  const bool cuts = action == Action::kCut || action == Action::kPartition;
  if (cuts || action == Action::kHeal) link.cut = cuts;
  if (action == Action::kHold || action == Action::kLetGo) link.held = action == Action::kHold;
  if (!link.cut && !link.held) {  // What waited goes on from where it was kept.
    for (InFlight& message : link.queue) {
      message.due_us = std::max(message.due_us, world.now_us + latency_of(*world.scenario, link).min_us);
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
  for (uint32_t link = first_link_of(world, number); link < world.links.size(); ++link) fx.touch_link(link);
}

/// What is told about an intervention happens in the lane of whom it concerns.
Lane lane_of(const World& world, const Intervention& intervention) {
  const std::string first = scenario::members_of(intervention.target).front();
  const uint32_t client = client_named(world, first);
  if (client != kNobody) return {LaneKind::kClient, client};
  const uint32_t server = server_named(world, first);
  if (server != kNobody) return {LaneKind::kServer, server};
  if (!is_of_links(intervention.action)) return {LaneKind::kResource, 0};
  const std::vector<uint32_t> links = links_of(world, intervention);
  if (links.empty() || world.links[links.front()].kind == LinkKind::kServerServer) return {LaneKind::kServer, 0};
  return {LaneKind::kClient, world.links[links.front()].client};
}

void change_server(World& world, Action action, uint32_t server, Effects& fx) {
  if (action == Action::kCrash) forget_all_but_disk(world, server, fx);
  world.servers[server].process = action == Action::kPause   ? ProcessState::kPaused
                                  : action == Action::kCrash ? ProcessState::kCrashed
                                                             : ProcessState::kRunning;
  fx.touch_server(server);
  for (uint32_t link = 0; link < world.links.size(); ++link) {  // Whether they can deliver may have changed.
    const Link& one = world.links[link];
    if (one.kind != LinkKind::kClientResource && one.server == server && !one.to_client) fx.advance_link(link);
  }
  // Alone, it has nobody to ask, and gives every session its time again.
  if (action == Action::kRestart && is_alone(world)) track_all_sessions(world, server, fx.next(), fx);
  for (uint32_t session = 0; session < world.sessions.size(); ++session) fx.move_expiry(server, session);
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
  if (is_of_links(intervention.action)) {
    return one_allows(world, intervention.action, links_of(world, intervention));
  }
  const uint32_t client = client_named(world, target);
  const uint32_t server = server_named(world, target);
  if (server != kNobody) return server_allows(world, intervention.action, server);
  return client != kNobody && client_allows(world, intervention.action, client);
}

std::vector<Intervention> possible_interventions(const World& world) {
  std::vector<Intervention> possible;
  // By number, not by name: there may be many.
  const auto offer = [&](bool possible_now, Action action, const std::string& target) {
    if (possible_now) possible.push_back({.action = action, .target = target, .argument = {}});
  };
  const auto offer_both = [&](const std::string& one, const std::string& other, const std::vector<uint32_t>& links) {
    for (const Action action : {Action::kCut, Action::kHeal}) {
      offer(one_allows(world, action, links), action, one + "-" + other);
    }
  };
  constexpr Action kOfClients[] = {Action::kPause,   Action::kResume, Action::kHang,
                                   Action::kFree,    Action::kCrash,  Action::kRestart,
                                   Action::kRelease, Action::kCancel, Action::kExpire};
  for (uint32_t client = 0; client < world.processes.size(); ++client) {
    const std::string& id = world.scenario->clients[client].id;
    for (const Action action : kOfClients) {
      offer(client_allows(world, action, client) && is_of_use(world, action, client), action, id);
    }
    for (uint32_t server = 0; server < world.servers.size(); ++server) {
      offer_both(id, server_id(world, server), {link_to_server(world, client, server), link_from_server(world, client, server)});
    }
  }
  for (uint32_t server = 0; server < world.servers.size(); ++server) {
    const std::string& id = server_id(world, server);
    for (const Action action : {Action::kPause, Action::kResume, Action::kCrash, Action::kRestart}) {
      offer(server_allows(world, action, server), action, id);
    }
    for (uint32_t other = server + 1; other < world.servers.size(); ++other) {
      offer_both(id, server_id(world, other), {link_between(world, server, other), link_between(world, other, server)});
    }
    const Intervention alone{.action = Action::kPartition, .target = id, .argument = {}};
    offer(!is_alone(world) && is_possible(world, alone), Action::kPartition, id);
  }
  for (uint32_t link = 0; link < world.links.size(); ++link) {
    const std::string name = link_name(world, link);
    for (const Action action : {Action::kCut, Action::kHeal, Action::kHold, Action::kLetGo, Action::kDeliver}) {
      offer(link_allows(world, action, link), action, name);
    }
  }
  const bool any_cut = std::any_of(world.links.begin(), world.links.end(), [](const Link& link) { return link.cut; });
  offer(any_cut, Action::kHeal, std::string(scenario::kAllLinks));
  for (const auto* rule : {"none", "greater", "greater_or_equal"}) {
    Intervention change{.action = Action::kSetRule, .target = world.scenario->resource.id, .argument = rule};
    if (is_possible(world, change)) possible.push_back(std::move(change));
  }
  return possible;
}

namespace {

/// What belongs to the intervention itself, before it is told.
void change(World& world, const Intervention& intervention, Effects& fx) {
  const Action action = intervention.action;
  const uint32_t server = server_named(world, intervention.target);
  if (action == Action::kAddClient) return add_client(world, intervention.target, fx);
  if (action == Action::kSetRule) {
    (void)trace::from_name(intervention.argument, world.resource.rule);  // is_possible() has looked
    return fx.touch_resource();
  }
  if (is_of_links(action)) {
    for (const uint32_t link : links_of(world, intervention)) {
      if (action != Action::kDeliver && link_allows(world, action, link)) change_link(world, action, link, fx);
    }
    return;
  }
  if (server != kNobody) return change_server(world, action, server, fx);
  change_process(world, action, client_named(world, intervention.target), fx);
}

/// What follows from it for a server.
void follow_server(World& world, Action action, uint32_t server, const std::optional<Member>& before, int64_t done,
                   Effects& fx) {
  if (action == Action::kCrash) return close_all_sockets(world, server, before, done, fx);
  if (action == Action::kRestart) start_server(world, server, done, fx);
}

/// What follows from it for a client; `server` is where its connection was, if it had one.
void follow_client(World& world, Action action, uint32_t client, bool had_connection, uint32_t server, int64_t done,
                   Effects& fx) {
  if (action == Action::kRestart) return start_process(world, client, done, fx);
  if (action == Action::kExpire) {
    uint32_t session = 0;
    if (!session_index(world, world.processes[client].library.session, session)) return;
    return close_by_second_handle(world, session, done, fx);
  }
  if (action != Action::kCrash || !had_connection) return;
  fx.send(link_to_server(world, client, server),
          {.kind = PacketKind::kClose, .connection = world.processes[client].library.connection}, done);
}

}  // namespace

void interfere(World& world, const Intervention& intervention, Effects& fx) {
  const Action action = intervention.action;
  const bool possible = is_possible(world, intervention);
  const auto tell = [&] {
    return fx.emit(lane_of(world, intervention), EventKind::kIntervened, trace::kNoEvent, [&](EventData& data) {
      data.what = scenario::name_of(intervention);
      if (!possible) data.error = trace::kNotPossible;
    });
  };
  if (!possible) return static_cast<void>(tell());
  const uint32_t client = client_named(world, intervention.target);
  const uint32_t server = server_named(world, intervention.target);
  const Library before = client != kNobody ? world.processes[client].library : Library{};
  const std::optional<Member> member = server != kNobody ? world.servers[server].member : std::nullopt;
  change(world, intervention, fx);
  const int64_t done = tell();
  if (action == Action::kDeliver) return deliver(world, links_of(world, intervention).front(), done, fx);
  if (server != kNobody) return follow_server(world, action, server, member, done, fx);
  if (client != kNobody) follow_client(world, action, client, has_connection(before), before.server, done, fx);
}

}  // namespace lockstep::sim
