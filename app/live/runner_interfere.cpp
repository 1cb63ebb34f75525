// What a step of the script, or somebody by hand, does to the parts of a live run.
#include <algorithm>

#include "live/runner.h"

namespace lockstep::live {

using scenario::Action;
using scenario::Intervention;

namespace {

/// Whether a direction of a link, which is cut or not, held back or not, is changed by this.
bool changes_link(Action action, bool cut, bool held) {
  switch (action) {
    case Action::kCut: return !cut;
    case Action::kHeal: return cut;
    case Action::kHold: return !held;
    case Action::kLetGo: return held;
    case Action::kDeliver: return !cut;
    default: return false;  // done to something else
  }
}

}  // namespace

void Runner::fulfil(const Wish& wish) {
  std::visit(overloaded{
                 [&](const ArmBreak& arm) {
                   if (ClientProcess* client = client_named(arm.client)) {
                     client->order({.verb = ClientVerb::kBreak,
                                    .line = arm.line,
                                    .visit = arm.visit,
                                    .then = arm.then});
                   }
                 },
                 [&](const LetGoOn& go) {
                   if (ClientProcess* client = client_named(go.client)) {
                     client->order({.verb = ClientVerb::kGo});
                   }
                 },
                 [&](const Intervention& intervention) { interfere(intervention); },
             },
             wish);
}

void Runner::interfere(const Intervention& intervention) {
  ClientProcess* client = client_named(intervention.target);
  const TimeUs at = now();  // What it sets off comes after it.
  bool done = false;
  const std::optional<size_t> server = server_named(intervention.target);
  if (client) {
    done = do_to_client(*client, intervention.action);
  } else if (server) {
    done = do_to_server(*server, intervention.action);
  } else if (intervention.action == Action::kPartition) {
    done = partition(intervention.target);
  } else if (intervention.action == Action::kHeal && intervention.target == scenario::kAllLinks) {
    done = heal_all();
  } else if (intervention.action == Action::kSetRule) {
    done = set_rule(intervention);
  } else if (intervention.action == Action::kAddClient) {
    done = add_client_like_last(intervention.target);
  } else {
    done = do_to_links(intervention);
  }
  Noted noted = {.lane = lane_of(intervention), .data = {.what = scenario::name_of(intervention)}};
  if (done) {
    noted.change = change_of(intervention);
  } else {
    noted.data.error = trace::kNotPossible;
  }
  recorder_->see(at, std::move(noted));
  // A new process tells of itself; that it was asked for comes first.
  if (done && client && intervention.action == Action::kRestart) start_client(*client);
}

bool Runner::do_to_client(ClientProcess& client, Action action) {
  switch (action) {
    case Action::kPause: return client.pause();
    case Action::kResume: return client.resume();
    case Action::kHang: return client.order({.verb = ClientVerb::kHang});
    case Action::kFree: return client.order({.verb = ClientVerb::kFree});
    case Action::kCrash: return client.crash();
    case Action::kRestart: return !client.running() && client.starts() > 0;
    case Action::kRelease: return client.order({.verb = ClientVerb::kRelease});
    case Action::kCancel: return client.order({.verb = ClientVerb::kCancel});
    case Action::kExpire: return expire(client);
    default: return false;  // done to something else
  }
}

/// Some server takes it, though others may be down.
bool Runner::expire(ClientProcess& client) {
  const std::vector<Address> servers = ensemble_->addresses();
  for (size_t i = 0; i < servers.size() && client.session().session != 0; ++i) {
    const trace::ServerRow& row = server_rows_[i];
    if (row.process != trace::Process::kRunning || !row.serving) continue;
    if (close_session(servers[i], client.session(), kSecond)) return true;
  }
  return false;
}

bool Runner::do_to_server(size_t index, Action action) {
  // Who goes by SIGKILL or comes back tells nothing of it, so its row is looked at now.
  if (action == Action::kPartition) return partition(servers_[index]);
  if (!ensemble_->do_to_server(index, action)) return false;
  listen_to_server(index);
  return true;
}

/// Cuts every link between the group and the others. Nobody is cut off from the resource. False if none was left.
bool Runner::partition(const std::string& group) {
  const std::vector<std::string> members = scenario::members_of(group);
  const auto in_group = [&](const std::string& id) {
    return std::find(members.begin(), members.end(), id) != members.end();
  };
  bool done = false;
  for (const auto& client : clients_) {
    for (const Way& way : client->ways()) {
      if (!server_named(way.to) || in_group(client->id()) == in_group(way.to)) continue;
      for (const Direction direction : {Direction::kForth, Direction::kBack}) {
        done = do_to_way(way, direction, Action::kCut) || done;
      }
    }
  }
  for (size_t from = 0; from < servers_.size(); ++from) {
    for (size_t to = 0; to < servers_.size(); ++to) {
      if (in_group(servers_[from]) != in_group(servers_[to])) {
        done = do_to_server_link(from, to, Action::kCut) || done;
      }
    }
  }
  return done;
}

bool Runner::heal_all() {
  bool done = false;
  for (const auto& client : clients_) {
    for (const Way& way : client->ways()) {
      for (const Direction direction : {Direction::kForth, Direction::kBack}) {
        done = do_to_way(way, direction, Action::kHeal) || done;
      }
    }
  }
  for (size_t from = 0; from < servers_.size(); ++from) {
    for (size_t to = 0; to < servers_.size(); ++to) done = do_to_server_link(from, to, Action::kHeal) || done;
  }
  return done;
}

bool Runner::do_to_server_links(const Intervention& intervention) {
  bool done = false;
  for (size_t from = 0; from < servers_.size(); ++from) {
    for (size_t to = 0; to < servers_.size(); ++to) {
      for (const std::string& name : {servers_[from] + ">" + servers_[to],
                                      servers_[from] + "-" + servers_[to],
                                      servers_[to] + "-" + servers_[from]}) {
        if (name != intervention.target) continue;
        done = do_to_server_link(from, to, intervention.action) || done;
        break;
      }
    }
  }
  return done;
}

bool Runner::do_to_server_link(size_t from, size_t to, Action action) {
  ServerLinks* links = ensemble_->links();
  if (!links || from == to) return false;
  if (!changes_link(action, links->cut(from, to), links->held(from, to))) return false;
  switch (action) {
    case Action::kCut:
    case Action::kHeal: links->set_cut(from, to, action == Action::kCut); return true;
    case Action::kHold:
    case Action::kLetGo: links->set_held(from, to, action == Action::kHold); return true;
    case Action::kDeliver: return links->deliver(from, to);
    default: return false;  // done to something else
  }
}

/// "A>zk1" is one direction, "A-zk1" both.
bool Runner::do_to_links(const Intervention& intervention) {
  const std::string& target = intervention.target;
  bool done = do_to_server_links(intervention);
  for (const auto& client : clients_) {
    for (const Way& way : client->ways()) {
      const bool both = target == client->id() + "-" + way.to;
      if (both || target == client->id() + ">" + way.to) {
        done = do_to_way(way, Direction::kForth, intervention.action) || done;
      }
      if (both || target == way.to + ">" + client->id()) {
        done = do_to_way(way, Direction::kBack, intervention.action) || done;
      }
    }
  }
  return done;
}

bool Runner::do_to_way(const Way& way, Direction direction, Action action) {
  if (!changes_link(action, way.relay->cut(direction), way.relay->held(direction))) return false;
  switch (action) {
    case Action::kCut:
    case Action::kHeal: way.relay->set_cut(direction, action == Action::kCut); return true;
    case Action::kHold:
    case Action::kLetGo: way.relay->set_held(direction, action == Action::kHold); return true;
    case Action::kDeliver: return way.relay->deliver(direction);
    default: return false;  // done to something else
  }
}

bool Runner::set_rule(const Intervention& intervention) {
  scenario::RegisterRule rule = scenario::RegisterRule::kNone;
  if (intervention.target != scenario_.resource.id ||
      !trace::from_name(intervention.argument, rule)) {
    return false;
  }
  resource_.set_rule(rule);
  return true;
}

bool Runner::add_client_like_last(const std::string& id) {
  scenario::ClientSpec spec = scenario_.clients.back();
  spec.id = id;
  spec.start_us = now();
  scenario_.clients.push_back(spec);
  return add_client(spec);
}

/// What is told about an intervention happens in the lane of whom it concerns.
std::string Runner::lane_of(const Intervention& intervention) {
  const std::string& target = intervention.target;
  if (client_named(target) || server_named(target) || target == scenario_.resource.id) return target;
  if (target == scenario::kAllLinks) return servers_.front();
  if (intervention.action == Action::kPartition) return scenario::members_of(target).front();
  for (const std::string& server : servers_) {
    if (target.starts_with(server + ">") || target.starts_with(server + "-")) return server;
  }
  for (const auto& client : clients_) {
    for (const Way& way : client->ways()) {
      for (const std::string& name : {client->id() + ">" + way.to, client->id() + "-" + way.to,
                                      way.to + ">" + client->id()}) {
        if (name == target) return client->id();
      }
    }
  }
  return scenario_.resource.id;
}

/// What an intervention that was done changes in the snapshot.
Runner::Change Runner::change_of(const Intervention& intervention) const {
  const std::string id = intervention.target;
  if (const std::optional<size_t> server = server_named(id)) {
    if (intervention.action == Action::kPartition) return change_of_links();
    return [id, row = server_rows_[*server]](trace::Snapshot& snapshot) {
      snapshot.servers[id] = row;
    };
  }
  const auto process = [&](trace::Process state) -> Change {
    return [id, state](trace::Snapshot& snapshot) { snapshot.clients[id].process = state; };
  };
  switch (intervention.action) {
    case Action::kPause: return process(trace::Process::kPaused);
    case Action::kHang: return process(trace::Process::kHung);
    case Action::kResume:
    case Action::kFree: return process(trace::Process::kRunning);
    case Action::kCrash:  // Nothing is left of what it knew.
      return [id](trace::Snapshot& snapshot) {
        snapshot.clients[id] = {.process = trace::Process::kCrashed};
      };
    case Action::kCut:
    case Action::kHeal:
    case Action::kPartition:
    case Action::kHold:
    case Action::kLetGo: return change_of_links();
    case Action::kSetRule: {
      scenario::RegisterRule rule = scenario::RegisterRule::kNone;
      (void)trace::from_name(intervention.argument, rule);  // set_rule() has looked.
      return [id, rule](trace::Snapshot& snapshot) { snapshot.resources[id].rule = rule; };
    }
    case Action::kAddClient:
      return [id, links = change_of_links()](trace::Snapshot& snapshot) {
        snapshot.clients[id] = {};
        links(snapshot);
      };
    case Action::kRestart:
    case Action::kRelease:
    case Action::kCancel:
    case Action::kExpire:
    case Action::kDeliver: return {};
  }
  return {};
}

/// The links' rows follow the relays as they are now.
Runner::Change Runner::change_of_links() const {
  std::vector<trace::LinkRow> rows;
  for (const auto& client : clients_) {
    for (const Way& way : client->ways()) {
      rows.push_back({.from = client->id(),
                      .to = way.to,
                      .cut = way.relay->cut(Direction::kForth),
                      .held = way.relay->held(Direction::kForth)});
      rows.push_back({.from = way.to,
                      .to = client->id(),
                      .cut = way.relay->cut(Direction::kBack),
                      .held = way.relay->held(Direction::kBack)});
    }
  }
  ServerLinks* links = ensemble_->links();
  for (size_t from = 0; links && from < servers_.size(); ++from) {
    for (size_t to = 0; to < servers_.size(); ++to) {
      if (from == to) continue;
      rows.push_back({.from = servers_[from],
                      .to = servers_[to],
                      .cut = links->cut(from, to),
                      .held = links->held(from, to)});
    }
  }
  return [rows = std::move(rows)](trace::Snapshot& snapshot) {
    for (const trace::LinkRow& row : rows) snapshot.links[row.from + ">" + row.to] = row;
  };
}

bool Runner::start_client(ClientProcess& client) {
  ClientOrder begin = {.zero_us = zero_us_};
  std::vector<std::string> addresses;  // of relays to servers, in the servers' order
  for (const Way& way : client.ways()) {
    const std::string address = to_text({.port = way.relay->port()});
    way.to == scenario_.resource.id ? begin.resource = address : addresses.emplace_back(address);
  }
  const auto place = std::find_if(scenario_.clients.begin(), scenario_.clients.end(),
                                  [&](const auto& spec) { return spec.id == client.id(); });
  const size_t first = scenario::first_server(scenario_, servers_,
                                              static_cast<size_t>(place - scenario_.clients.begin()));
  std::rotate(addresses.begin(), addresses.begin() + static_cast<std::ptrdiff_t>(first), addresses.end());
  for (const std::string& address : addresses) begin.connect += (begin.connect.empty() ? "" : ",") + address;
  std::vector<scenario::Problem> problems = client.start(options_.program, scenario_, begin);
  const bool ok = problems.empty();
  if (!ok) fail(std::move(problems));
  return ok;
}

}  // namespace lockstep::live
