// What a step of the script, or somebody by hand, does to the parts of a live run.
#include <algorithm>

#include "live/runner.h"

namespace lockstep::live {

using scenario::Action;
using scenario::Intervention;

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
  if (client) {
    done = do_to_client(*client, intervention.action);
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
    noted.data.error = "NotPossible";
  }
  recorder_->see(at, std::move(noted));
  // A new process tells of itself; that it was asked for comes first.
  if (done && intervention.action == Action::kRestart) start_client(*client);
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
    case Action::kExpire:
      return client.session().session != 0 &&
             close_session(ensemble_->addresses().front(), client.session(), kSecond);
    default: return false;  // done to something else
  }
}

/// "A>zk1" is one direction, "A-zk1" both.
bool Runner::do_to_links(const Intervention& intervention) {
  const std::string& target = intervention.target;
  bool done = false;
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
  switch (action) {
    case Action::kCut: way.relay->set_cut(direction, true); return true;
    case Action::kHeal: way.relay->set_cut(direction, false); return true;
    case Action::kHold: way.relay->set_held(direction, true); return true;
    case Action::kLetGo: way.relay->set_held(direction, false); return true;
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
  if (client_named(target) || target == scenario_.resource.id) return target;
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
  return [rows = std::move(rows)](trace::Snapshot& snapshot) {
    for (const trace::LinkRow& row : rows) snapshot.links[row.from + ">" + row.to] = row;
  };
}

bool Runner::start_client(ClientProcess& client) {
  ClientOrder begin = {.zero_us = zero_us_};
  for (const Way& way : client.ways()) {
    const std::string address = to_text({.port = way.relay->port()});
    if (way.to == scenario_.resource.id) {
      begin.resource = address;
    } else {
      begin.connect += (begin.connect.empty() ? "" : ",") + address;
    }
  }
  std::vector<scenario::Problem> problems = client.start(options_.program, scenario_, begin);
  const bool ok = problems.empty();
  if (!ok) fail(std::move(problems));
  return ok;
}

}  // namespace lockstep::live
