#include <nlohmann/json.hpp>

#include "scenario/names.h"
#include "scenario/reading.h"

namespace lockstep::scenario {
namespace {

using nlohmann::json;

/// Milliseconds: a whole number if it is one.
json ms(TimeUs time_us) {
  if (time_us % kMillisecond == 0) return time_us / kMillisecond;
  return static_cast<double>(time_us) / static_cast<double>(kMillisecond);
}

json latency_json(const Latency& latency) {
  return json::array({ms(latency.min_us), ms(latency.max_us)});
}

json server_json(const ServerSpec& server) {
  if (!server.observer) return server.id;
  return {{"id", server.id}, {"observer", true}};
}

json client_json(const ClientSpec& client) {
  const recipes::FairLockOptions& options = client.options;
  json object = {
      {"id", client.id},
      {"recipe", std::string(recipes::kShelf[0])},
      {"options",
       {{"rounds", options.rounds},
        {"token", word_for(kTokenSources, options.token)},
        {"acquire_timeout_ms", ms(options.acquire_timeout_us)},
        {"after_expiry", word_for(kAfterExpiry, options.after_expiry)},
        {"watch", word_for(kWatchTargets, options.watch)},
        {"vanished_predecessor", word_for(kVanishedPredecessors, options.vanished_predecessor)},
        {"believe_wake_up", options.believe_wake_up},
        {"ignore_session_events", options.ignore_session_events},
        {"check_in_client", options.check_in_client},
        {"leave_node_on_timeout", options.leave_node_on_timeout},
        {"lost_create_reply", word_for(kLostCreateReplies, options.lost_create_reply)},
        {"queue_order", word_for(kQueueOrders, options.queue_order)},
        {"after_reconnect", word_for(kAfterReconnect, options.after_reconnect)},
        {"released_node", word_for(kReleasedNodes, options.released_node)},
        {"forget_early_events", options.forget_early_events},
        {"clock_ahead_ms", ms(options.clock_ahead_us)}}},
      {"job", {{"work_ms", ms(options.job.work_us)}, {"writes", options.job.writes}}},
      {"profile", word_for(kProfiles, client.profile)},
      {"session_timeout_ms", ms(client.session_timeout_us)},
      {"start_ms", ms(client.start_us)},
      {"local_expiry", client.local_expiry},
  };
  if (!client.server.empty()) object["server"] = client.server;
  return object;
}

json resource_json(const ResourceSpec& resource) {
  json object = {{"id", resource.id},
                 {"rule", word_for(kRules, resource.rule)},
                 {"initial", resource.initial_value}};
  const bool labelled = !resource.label.zh.empty() && !resource.label.en.empty();
  if (labelled) object["label"] = {{"zh", resource.label.zh}, {"en", resource.label.en}};
  return object;
}

json step_json(const Step& step) {
  json object = {{"do", json::array()}};
  for (const Intervention& action : step.actions) object["do"].push_back(name_of(action));
  for (const Condition& condition : step.when)
    object["when"].push_back(condition_to_json(condition));
  if (!step.at_line.empty()) {
    object["at_line"] = {{"client", step.client}, {"line", step.at_line}, {"visit", step.visit}};
  }
  if (step.after_us != 0) object["after_ms"] = ms(step.after_us);
  return object;
}

}  // namespace

json scenario_to_json(const Scenario& scenario) {
  json object = {
      {"name", scenario.name},
      {"seed", scenario.seed},
      {"tick_ms", ms(scenario.tick_us)},
      {"init_limit", scenario.init_limit},
      {"sync_limit", scenario.sync_limit},
      {"servers", json::array()},
      {"clients", json::array()},
      {"lock_path", scenario.lock_path},
      {"sequence_overflow", word_for(kSequenceOverflows, scenario.sequence_overflow)},
      {"sequence_start", scenario.sequence_start},
      {"resource", resource_json(scenario.resource)},
      {"latency_ms", latency_json(scenario.link)},
      {"server_latency_ms", latency_json(scenario.server_link)},
      {"resource_latency_ms", latency_json(scenario.resource_link)},
      {"step_ms", latency_json(scenario.step)},
      {"steps", json::array()},
      {"time_max_ms", ms(scenario.time_max_us)},
  };
  for (const ServerSpec& server : scenario.servers) object["servers"].push_back(server_json(server));
  for (const ClientSpec& client : scenario.clients)
    object["clients"].push_back(client_json(client));
  for (const Step& step : scenario.steps) object["steps"].push_back(step_json(step));
  return object;
}

}  // namespace lockstep::scenario
