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
  bool done = false;
  if (ClientProcess* client = client_named(intervention.target)) {
    done = do_to_client(*client, intervention);
  } else if (intervention.action == Action::kSetRule) {
    done = set_rule(intervention);
  } else {
    done = do_to_links(intervention);
  }
  note(intervention, done);
  // A new process tells of itself; that it was asked for comes first.
  if (done && intervention.action == Action::kRestart) start_client(*client_named(intervention.target));
}

bool Runner::do_to_client(ClientProcess& client, const Intervention& intervention) {
  switch (intervention.action) {
    case Action::kPause: {
      const bool by_itself = stopping_itself_ == client.id();
      stopping_itself_.clear();
      return client.pause(by_itself);
    }
    case Action::kResume: return client.resume();
    case Action::kHang: return client.order({.verb = ClientVerb::kHang});
    case Action::kFree: return client.order({.verb = ClientVerb::kFree});
    case Action::kCrash: return client.crash();
    case Action::kRestart: return !client.running() && client.starts() > 0;
    case Action::kRelease: return client.order({.verb = ClientVerb::kRelease});
    case Action::kCancel: return client.order({.verb = ClientVerb::kCancel});
    case Action::kCut:
    case Action::kHeal:
    case Action::kHold:
    case Action::kLetGo:
    case Action::kSetRule:
    case Action::kExpire:
    case Action::kDeliver:
    case Action::kAddClient: return false;  // Not by these means.
  }
  return false;
}

/// "A>zk1" is one direction, "A-zk1" both.
bool Runner::do_to_links(const Intervention& intervention) {
  const std::string& target = intervention.target;
  bool found = false;
  for (const auto& client : clients_) {
    for (const Way& way : client->ways()) {
      for (const Direction direction : {Direction::kForth, Direction::kBack}) {
        const bool forth = direction == Direction::kForth;
        const std::string name = forth ? client->id() + ">" + way.to : way.to + ">" + client->id();
        if (target != name && target != client->id() + "-" + way.to) continue;
        found = true;
        switch (intervention.action) {
          case Action::kCut: way.relay->set_cut(direction, true); break;
          case Action::kHeal: way.relay->set_cut(direction, false); break;
          case Action::kHold: way.relay->set_held(direction, true); break;
          case Action::kLetGo: way.relay->set_held(direction, false); break;
          case Action::kPause:
          case Action::kResume:
          case Action::kHang:
          case Action::kFree:
          case Action::kCrash:
          case Action::kRestart:
          case Action::kRelease:
          case Action::kCancel:
          case Action::kSetRule:
          case Action::kExpire:
          case Action::kDeliver:
          case Action::kAddClient: return false;
        }
      }
    }
  }
  return found;
}

bool Runner::set_rule(const Intervention& intervention) {
  scenario::RegisterRule rule = scenario::RegisterRule::kNone;
  if (intervention.target != scenario_.resource.id || !trace::from_name(intervention.argument, rule)) {
    return false;
  }
  resource_.set_rule(rule);
  return true;
}

/// The intervention as an event, with what it changes in the snapshot.
void Runner::note(const Intervention& intervention, bool done) {
  Noted noted = {.lane = intervention.target, .data = {.what = scenario::name_of(intervention)}};
  if (!done) noted.data.error = "NotPossible";
  const bool of_client = client_named(intervention.target) != nullptr;
  if (!of_client && intervention.target != scenario_.resource.id) {
    noted.lane = intervention.target.substr(0, intervention.target.find_first_of(">-"));
  }
  const std::string id = intervention.target;
  const auto process = [&](trace::Process state) {
    noted.change = [id, state](trace::Snapshot& snapshot) { snapshot.clients[id].process = state; };
  };
  if (done) {
    switch (intervention.action) {
      case Action::kPause: process(trace::Process::kPaused); break;
      case Action::kHang: process(trace::Process::kHung); break;
      case Action::kResume:
      case Action::kFree: process(trace::Process::kRunning); break;
      case Action::kCrash:
        noted.change = [id](trace::Snapshot& snapshot) {
          snapshot.clients[id] = {.process = trace::Process::kCrashed};
        };
        break;
      case Action::kCut:
      case Action::kHeal:
      case Action::kHold:
      case Action::kLetGo: note_links(noted); break;
      case Action::kSetRule: {
        scenario::RegisterRule rule = scenario::RegisterRule::kNone;
        (void)trace::from_name(intervention.argument, rule);
        noted.change = [id, rule](trace::Snapshot& snapshot) { snapshot.resources[id].rule = rule; };
        break;
      }
      case Action::kRestart:
      case Action::kRelease:
      case Action::kCancel:
      case Action::kExpire:
      case Action::kDeliver:
      case Action::kAddClient: break;
    }
  }
  recorder_->see(now(), std::move(noted));
}

/// The links' rows follow the relays as they are now.
void Runner::note_links(Noted& noted) const {
  std::vector<std::pair<std::string, std::pair<bool, bool>>> states;
  for (const auto& client : clients_) {
    for (const Way& way : client->ways()) {
      const auto state = [&](Direction direction) {
        return std::pair(way.relay->cut(direction), way.relay->held(direction));
      };
      states.emplace_back(client->id() + ">" + way.to, state(Direction::kForth));
      states.emplace_back(way.to + ">" + client->id(), state(Direction::kBack));
    }
  }
  noted.change = [states = std::move(states)](trace::Snapshot& snapshot) {
    for (const auto& [id, state] : states) {
      snapshot.links[id].cut = state.first;
      snapshot.links[id].held = state.second;
    }
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
