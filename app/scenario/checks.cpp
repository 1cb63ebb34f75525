#include "scenario/checks.h"

#include <algorithm>
#include <map>

#include "scenario/names.h"
#include "scenario/reading.h"
#include "scenario/schema.h"

namespace lockstep::scenario {
namespace {

constexpr size_t kServersMax = 7;

std::vector<std::string> client_ids(const Scenario& scenario) {
  std::vector<std::string> ids;
  for (const ClientSpec& client : scenario.clients) ids.push_back(client.id);
  return ids;
}

std::vector<std::string> server_ids(const Scenario& scenario) {
  std::vector<std::string> ids;
  for (const ServerSpec& server : scenario.servers) ids.push_back(server.id);
  return ids;
}

const ClientSpec* client_named(const Scenario& scenario, const std::string& id) {
  for (const ClientSpec& client : scenario.clients) {
    if (client.id == id) return &client;
  }
  return nullptr;
}

bool is_server(const Scenario& scenario, const std::string& id) {
  return std::any_of(scenario.servers.begin(), scenario.servers.end(),
                     [&](const ServerSpec& server) { return server.id == id; });
}

void check_ids(const Draft& draft, std::vector<Problem>& problems) {
  const Scenario& scenario = draft.scenario;
  std::map<std::string, std::string>
      owners;  // who has an id: all of them become lanes of one trace
  const auto claim = [&](const std::string& id, const std::string& owner, const Place& place) {
    const auto [at, fresh] = owners.emplace(id, owner);
    if (!fresh)
      problems.push_back(
          place.problem("the id \"" + id + "\" is taken by a " + at->second + "; choose another"));
  };
  // The resource has its usual id even where the file does not speak of it; then others are to choose another.
  const bool usual = scenario.resource.id == ResourceSpec{}.id;
  const auto claim_resource = [&] { claim(scenario.resource.id, "resource", draft.place.at("resource").at("id")); };
  if (usual) claim_resource();
  for (size_t i = 0; i < scenario.servers.size(); ++i) {
    claim(scenario.servers[i].id, "server", draft.place.at("servers").at(i));
  }
  if (!usual) claim_resource();
  for (size_t i = 0; i < scenario.clients.size(); ++i) {
    claim(scenario.clients[i].id, "client", draft.client_places[i].id);
  }
}

void check_servers(const Draft& draft, std::vector<Problem>& problems) {
  const size_t count = draft.scenario.servers.size();
  if (count > kServersMax) {
    problems.push_back(draft.place.at("servers").problem(
        "has " + std::to_string(count) + " servers; at most " + std::to_string(kServersMax) +
        " make an ensemble here"));
  }
  const auto& servers = draft.scenario.servers;
  if (std::all_of(servers.begin(), servers.end(), [](const ServerSpec& one) { return one.observer; })) {
    problems.push_back(draft.place.at("servers").problem(
        "has observers only, which have no vote; expected one server at least that is none"));
  }
}

/// The server that each client tries first.
void check_first_servers(const Draft& draft, std::vector<Problem>& problems) {
  for (size_t i = 0; i < draft.scenario.clients.size(); ++i) {
    const std::string& server = draft.scenario.clients[i].server;
    if (server.empty() || is_server(draft.scenario, server)) continue;
    problems.push_back(draft.client_places[i].whole.at("server").problem(
        "there is no server \"" + server + "\"; expected " + some_of(server_ids(draft.scenario))));
  }
}

void check_latency(const Latency& latency, const Place& place, std::vector<Problem>& problems) {
  if (latency.min_us <= latency.max_us) return;
  problems.push_back(place.problem("the shortest duration is longer than the longest; swap them"));
}

/// ZooKeeper's rules for a path, and not the root, which can hold no lock's queue of its own.
bool is_lock_path(const std::string& path) {
  if (path.size() < 2 || path[0] != '/' || path.back() == '/') return false;
  size_t begin = 1;
  while (begin <= path.size()) {
    const size_t end = std::min(path.find('/', begin), path.size());
    const std::string name = path.substr(begin, end - begin);
    if (name.empty() || name == "." || name == "..") return false;
    begin = end + 1;
  }
  return std::all_of(path.begin(), path.end(),
                     [](char c) { return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f; });
}

bool is_client_or_say(const Scenario& scenario, const std::string& id, const Place& place,
                      std::vector<Problem>& problems) {
  if (client_named(scenario, id) != nullptr) return true;
  problems.push_back(place.problem("there is no client \"" + id + "\"; expected " +
                                   some_of(client_ids(scenario))));
  return false;
}

/// Says it if `id` is neither a client nor a server.
void check_process(const Scenario& scenario, const std::string& id, const Place& place,
                   std::vector<Problem>& problems) {
  if (client_named(scenario, id) != nullptr || is_server(scenario, id)) return;
  problems.push_back(place.problem("there is no client and no server \"" + id + "\"; expected " +
                                   some_of(client_ids(scenario)) + ", or " + some_of(server_ids(scenario))));
}

void check_group(const Scenario& scenario, const std::string& group, const Place& place,
                 std::vector<Problem>& problems) {
  for (const std::string& id : members_of(group)) check_process(scenario, id, place, problems);
}

/// "A>zk1", "db>A" or, if both ways may be meant, "A-zk1": a client at one end, a server or the resource at the
/// other; or two servers.
bool is_link(const Scenario& scenario, const Intervention& intervention) {
  const std::string& target = intervention.target;
  const bool both_ways =
      intervention.action == Action::kCut || intervention.action == Action::kHeal;
  if (intervention.action == Action::kHeal && target == kAllLinks) return true;
  const auto far = [&](const std::string& id) {
    return is_server(scenario, id) || id == scenario.resource.id;
  };
  for (size_t i = 1; i + 1 < target.size(); ++i) {  // Ids may hold "-" too.
    if (target[i] != '>' && !(target[i] == '-' && both_ways)) continue;
    const std::string from = target.substr(0, i);
    const std::string to = target.substr(i + 1);
    if (client_named(scenario, from) != nullptr && far(to)) return true;
    if (client_named(scenario, to) != nullptr && far(from)) return true;
    if (is_server(scenario, from) && is_server(scenario, to) && from != to) return true;
  }
  return false;
}

void check_link(const Scenario& scenario, const Intervention& intervention, const Place& place,
                std::vector<Problem>& problems) {
  if (is_link(scenario, intervention)) return;
  const std::string client = scenario.clients.front().id;
  const bool both_ways =
      intervention.action == Action::kCut || intervention.action == Action::kHeal;
  const std::string& server = scenario.servers.front().id;
  std::string expected = "\"" + client + ">" + scenario.resource.id + "\"";
  if (scenario.servers.size() > 1) expected += ", \"" + server + ">" + scenario.servers[1].id + "\"";
  if (both_ways) expected += " (one way) or \"" + client + "-" + server + "\" (both ways)";
  if (!both_ways) expected += " or \"" + server + ">" + client + "\"";
  problems.push_back(place.problem("there is no link \"" + intervention.target +
                                   "\"; expected one such as " + expected));
}

void check_rule(const Scenario& scenario, const Intervention& intervention, const Place& place,
                std::vector<Problem>& problems) {
  if (intervention.target != scenario.resource.id) {
    problems.push_back(place.problem("there is no resource \"" + intervention.target +
                                     "\"; expected \"" + scenario.resource.id + "\""));
  }
  RegisterRule rule = {};
  if (value_of(kRules, intervention.argument, rule)) return;
  problems.push_back(
      place.problem("\"" + intervention.argument +
                    "\" is no rule; expected \"none\", \"greater\" or \"greater_or_equal\""));
}

void check_new_client(const Scenario& scenario, const std::string& id, const Place& place,
                      std::vector<Problem>& problems) {
  const bool taken = client_named(scenario, id) != nullptr || is_server(scenario, id) ||
                     id == scenario.resource.id;
  if (taken)
    problems.push_back(
        place.problem("the id \"" + id + "\" is taken; choose another for the new client"));
  const bool plain = id.size() <= 32 && std::all_of(id.begin(), id.end(), [](char c) {
                       return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                              (c >= '0' && c <= '9') || c == '_' || c == '-';
                     });
  if (!plain)
    problems.push_back(
        place.problem("\"" + id + "\" is no id; expected 1 to 32 letters, digits, \"_\" or \"-\""));
}

void check_steps(const Draft& draft, std::vector<Problem>& problems) {
  for (size_t i = 0; i < draft.scenario.steps.size(); ++i) {
    const Step& step = draft.scenario.steps[i];
    const Place place = draft.place.at("steps").at(i);
    for (Problem& problem : check_line(draft.scenario, step, place.at("at_line"))) {
      problems.push_back(std::move(problem));
    }
    for (size_t k = 0; k < step.actions.size(); ++k) {
      for (Problem& problem :
           check_intervention(draft.scenario, step.actions[k], place.at("do").at(k))) {
        problems.push_back(std::move(problem));
      }
    }
  }
}

/// Clients that steps add count too.
void check_count(const Draft& draft, std::vector<Problem>& problems) {
  size_t count = draft.scenario.clients.size();
  for (const Step& step : draft.scenario.steps) {
    for (const Intervention& action : step.actions)
      count += action.action == Action::kAddClient ? 1 : 0;
  }
  if (count <= static_cast<size_t>(kClientsMax)) return;
  problems.push_back(draft.place.at("steps").problem(
      "with those that they add, there are " + std::to_string(count) + " clients; at most " +
      std::to_string(kClientsMax) + " can be played"));
}

}  // namespace

std::vector<Problem> check_line(const Scenario& scenario, const Step& step, const Place& place) {
  std::vector<Problem> problems;
  if (step.at_line.empty()) return problems;
  if (!is_client_or_say(scenario, step.client, place.at("client"), problems)) return problems;
  const recipes::Recipe recipe = recipe_of(scenario, *client_named(scenario, step.client));
  if (recipes::line_named(recipe, step.at_line) != 0) return problems;
  std::vector<std::string> lines;
  for (const recipes::ListingLine& line : recipes::listing(recipe)) lines.push_back(line.id);
  problems.push_back(place.at("line").problem("client \"" + step.client + "\" has no line \"" +
                                              step.at_line + "\" in its listing; expected " +
                                              one_of(lines)));
  return problems;
}

std::vector<Problem> check_intervention(const Scenario& scenario, const Intervention& intervention,
                                        const Place& place) {
  std::vector<Problem> problems;
  switch (target_of(intervention.action)) {
    case TargetKind::kClient:
      (void)is_client_or_say(scenario, intervention.target, place, problems);
      break;
    case TargetKind::kProcess: check_process(scenario, intervention.target, place, problems); break;
    case TargetKind::kGroup: check_group(scenario, intervention.target, place, problems); break;
    case TargetKind::kLink: check_link(scenario, intervention, place, problems); break;
    case TargetKind::kResource: check_rule(scenario, intervention, place, problems); break;
    case TargetKind::kNewClient:
      check_new_client(scenario, intervention.target, place, problems);
      break;
  }
  return problems;
}

std::vector<Problem> check(const Draft& draft) {
  std::vector<Problem> problems;
  const Scenario& scenario = draft.scenario;
  check_count(draft, problems);
  check_ids(draft, problems);
  check_servers(draft, problems);
  check_first_servers(draft, problems);
  if (!is_lock_path(scenario.lock_path)) {
    problems.push_back(draft.place.at("lock_path")
                           .problem("\"" + scenario.lock_path +
                                    "\" is no path for a lock; expected one such as "
                                    "\"/locks/sku-1\", without \"/\" at its end"));
  }
  check_latency(scenario.link, draft.place.at("latency_ms"), problems);
  check_latency(scenario.server_link, draft.place.at("server_latency_ms"), problems);
  check_latency(scenario.resource_link, draft.place.at("resource_latency_ms"), problems);
  check_latency(scenario.step, draft.place.at("step_ms"), problems);
  check_steps(draft, problems);
  return problems;
}

}  // namespace lockstep::scenario
