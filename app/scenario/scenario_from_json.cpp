#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "scenario/checks.h"
#include "scenario/names.h"
#include "scenario/reading.h"
#include "scenario/schema.h"

namespace lockstep::scenario {
namespace {

using nlohmann::json;

// The functions below read what the schema has let through: types and bounds are known to be right.

TimeUs time_of(const json& milliseconds) {
  if (milliseconds.is_number_integer()) return milliseconds.get<int64_t>() * kMillisecond;
  return std::llround(milliseconds.get<double>() * static_cast<double>(kMillisecond));
}

void read_time(const json& object, const char* key, TimeUs& value) {
  if (object.contains(key)) value = time_of(object.at(key));
}

template <class T>
void read(const json& object, const char* key, T& value) {
  if (object.contains(key)) value = object.at(key).get<T>();
}

template <class E, size_t N>
void read_word(const json& object, const char* key, const std::array<Word<E>, N>& words, E& value) {
  // The schema knows the same words, so there is one.
  if (object.contains(key) && !value_of(words, object.at(key).get<std::string>(), value))
    value = {};
}

void read_latency(const json& object, const char* key, Latency& latency) {
  if (!object.contains(key)) return;
  latency.min_us = time_of(object.at(key).at(0));
  latency.max_us = time_of(object.at(key).at(1));
}

recipes::FairLockOptions options_of(const json& client) {
  recipes::FairLockOptions options;
  const json object = client.value("options", json::object());
  read(object, "rounds", options.rounds);
  read_word(object, "token", kTokenSources, options.token);
  read_time(object, "acquire_timeout_ms", options.acquire_timeout_us);
  read_word(object, "after_expiry", kAfterExpiry, options.after_expiry);
  read_word(object, "watch", kWatchTargets, options.watch);
  read_word(object, "vanished_predecessor", kVanishedPredecessors, options.vanished_predecessor);
  read(object, "believe_wake_up", options.believe_wake_up);
  read(object, "ignore_session_events", options.ignore_session_events);
  read(object, "check_in_client", options.check_in_client);
  read(object, "leave_node_on_timeout", options.leave_node_on_timeout);
  read_word(object, "lost_create_reply", kLostCreateReplies, options.lost_create_reply);
  read_word(object, "queue_order", kQueueOrders, options.queue_order);
  read_word(object, "after_reconnect", kAfterReconnect, options.after_reconnect);
  read_word(object, "released_node", kReleasedNodes, options.released_node);
  read(object, "forget_early_events", options.forget_early_events);
  read_time(object, "clock_ahead_ms", options.clock_ahead_us);
  const json job = client.value("job", json::object());
  read_time(job, "work_ms", options.job.work_us);
  read(job, "writes", options.job.writes);
  return options;
}

ClientSpec client_of(const json& object) {
  ClientSpec client;
  read(object, "id", client.id);
  client.options = options_of(object);
  read_word(object, "profile", kProfiles, client.profile);
  read_time(object, "session_timeout_ms", client.session_timeout_us);
  read_time(object, "start_ms", client.start_us);
  read(object, "server", client.server);
  read(object, "local_expiry", client.local_expiry);
  return client;
}

/// The clients of the list, with `ids` written out; empty and a problem if it is not clear which.
std::vector<Problem> read_clients(const json& list, const Place& place, Draft& draft) {
  std::vector<Problem> problems;
  int64_t total = 0;
  for (size_t i = 0; i < list.size(); ++i) {
    const json& object = list.at(i);
    if (object.contains("id") == object.contains("ids")) {
      problems.push_back(
          place.at(i).problem("expected either \"id\" (one client) or \"ids\" (many alike)"));
      continue;
    }
    total += object.contains("ids") ? object.at("ids").at("count").get<int64_t>() : 1;
  }
  if (total > kClientsMax) {
    problems.push_back(place.problem("has " + std::to_string(total) + " clients; at most " +
                                     std::to_string(kClientsMax) + " can be played"));
  }
  if (!problems.empty()) return problems;
  for (size_t i = 0; i < list.size(); ++i) {
    const json& object = list.at(i);
    ClientSpec client = client_of(object);
    const bool many = object.contains("ids");
    const json ids = many ? object.at("ids") : json{{"prefix", client.id}, {"count", 1}};
    TimeUs every_us = 0;
    read_time(ids, "start_every_ms", every_us);
    const TimeUs first_us = client.start_us;
    for (int64_t k = 0; k < ids.at("count").get<int64_t>(); ++k) {
      client.id = ids.at("prefix").get<std::string>() + (many ? std::to_string(k + 1) : "");
      client.start_us = first_us + k * every_us;
      draft.scenario.clients.push_back(client);
      draft.client_places.push_back({place.at(i), place.at(i).at(many ? "ids" : "id")});
    }
  }
  return {};
}

void read_servers(const json& list, std::vector<ServerSpec>& servers) {
  for (const json& one : list) {
    ServerSpec server;
    if (one.is_string()) {
      server.id = one.get<std::string>();
    } else {
      read(one, "id", server.id);
      read(one, "observer", server.observer);
    }
    servers.push_back(std::move(server));
  }
}

void read_resource(const json& object, ResourceSpec& resource) {
  read(object, "id", resource.id);
  if (object.contains("label")) {
    resource.label = {object.at("label").at("zh").get<std::string>(),
                      object.at("label").at("en").get<std::string>()};
  }
  read_word(object, "rule", kRules, resource.rule);
  read(object, "initial", resource.initial_value);
}

std::vector<Problem> read_step(const json& object, const Place& place, Step& step) {
  std::vector<Problem> problems;
  const json when = object.value("when", json::array());
  for (size_t i = 0; i < when.size(); ++i) {
    const Place at = place.at("when").at(i);
    const Result<Condition> condition = condition_from_json(when.at(i), at.file, at.pointer);
    if (condition) {
      step.when.push_back(condition.value());
    } else {
      problems.insert(problems.end(), condition.problems().begin(), condition.problems().end());
    }
  }
  if (object.contains("at_line")) {
    read(object.at("at_line"), "client", step.client);
    read(object.at("at_line"), "line", step.at_line);
    read(object.at("at_line"), "visit", step.visit);
  }
  read_time(object, "after_ms", step.after_us);
  const json& actions = object.at("do");
  for (size_t i = 0; i < actions.size(); ++i) {
    const std::string name = actions.at(i).get<std::string>();
    const std::optional<Intervention> action = intervention_named(name);
    if (action) {
      step.actions.push_back(*action);
    } else {
      problems.push_back(place.at("do").at(i).problem(
          "\"" + name +
          "\" is no intervention; expected one such as \"pause A\", \"crash zk1\", \"cut A-zk1\", "
          "\"partition zk3,A\", \"heal all\", \"hold A>db\" or \"rule db greater\""));
    }
  }
  return problems;
}

/// Many clients may stand at one place, and a name may stand twice in one group.
std::vector<Problem> each_once(const std::vector<Problem>& problems) {
  std::vector<Problem> once;
  for (const Problem& problem : problems) {
    if (std::find(once.begin(), once.end(), problem) == once.end()) once.push_back(problem);
  }
  return once;
}

}  // namespace

Result<Scenario> scenario_from_json(const json& value, const std::string& file,
                                    const std::string& pointer) {
  const Place place{file, pointer};
  std::vector<Problem> problems = check_against_schema(value, "scenario.schema.json", place);
  if (!problems.empty()) return problems;

  Draft draft{.place = place};
  Scenario& scenario = draft.scenario;
  read(value, "name", scenario.name);
  read(value, "seed", scenario.seed);
  read_time(value, "tick_ms", scenario.tick_us);
  read(value, "init_limit", scenario.init_limit);
  read(value, "sync_limit", scenario.sync_limit);
  read_servers(value.value("servers", json::array({"zk1"})), scenario.servers);
  read(value, "lock_path", scenario.lock_path);
  read_word(value, "sequence_overflow", kSequenceOverflows, scenario.sequence_overflow);
  read(value, "sequence_start", scenario.sequence_start);
  if (value.contains("resource")) read_resource(value.at("resource"), scenario.resource);
  read_latency(value, "latency_ms", scenario.link);
  read_latency(value, "server_latency_ms", scenario.server_link);
  read_latency(value, "resource_latency_ms", scenario.resource_link);
  read_latency(value, "step_ms", scenario.step);
  read_time(value, "time_max_ms", scenario.time_max_us);
  problems = read_clients(value.at("clients"), place.at("clients"), draft);
  const json steps = value.value("steps", json::array());
  for (size_t i = 0; i < steps.size(); ++i) {
    Step step;
    for (Problem& problem : read_step(steps.at(i), place.at("steps").at(i), step)) {
      problems.push_back(std::move(problem));
    }
    scenario.steps.push_back(std::move(step));
  }
  if (problems.empty()) problems = check(draft);
  if (!problems.empty()) return each_once(problems);
  return std::move(scenario);
}

}  // namespace lockstep::scenario
