#include "scenario/scenario.h"

#include <algorithm>
#include <cmath>

#include "recipes/fields.h"

namespace lockstep::scenario {

bool is_valid_id(std::string_view id) {
  constexpr std::string_view kAllowed =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
  return !id.empty() && id.size() <= 32 && id.find_first_not_of(kAllowed) == std::string_view::npos;
}

recipes::Recipe recipe_of(const Scenario& scenario, const ClientSpec& client,
                          uint32_t incarnation) {
  recipes::FairLockOptions options = client.options;
  options.path = scenario.lock_path;
  options.guid_seed = hash_combine(hash_combine(scenario.seed, hash_of(client.id)), incarnation);
  return recipes::FairLock(std::move(options));
}

Scenario at_tick(Scenario scenario, TimeUs tick_us) {
  const auto scale = [from = scenario.tick_us, tick_us](TimeUs& time, TimeUs unit) {
    if (time == 0) return;
    const auto scaled = static_cast<double>(time) * static_cast<double>(tick_us) / static_cast<double>(from);
    time = unit * std::max<TimeUs>(1, std::llround(scaled / static_cast<double>(unit)));
  };
  for (ClientSpec& client : scenario.clients) {
    for (TimeUs* time : {&client.session_timeout_us, &client.start_us, &client.options.acquire_timeout_us,
                         &client.options.job.work_us}) {
      scale(*time, kMillisecond);
    }
  }
  for (Step& step : scenario.steps) scale(step.after_us, kMillisecond);
  for (Latency* latency : {&scenario.link, &scenario.server_link, &scenario.resource_link, &scenario.step}) {
    scale(latency->min_us, 1);
    scale(latency->max_us, 1);
  }
  scale(scenario.time_max_us, kMillisecond);
  scenario.tick_us = tick_us;
  return scenario;
}

size_t first_server(const Scenario& scenario, const std::vector<std::string>& servers, size_t client) {
  const auto named = std::find(servers.begin(), servers.end(), scenario.clients[client].server);
  if (named != servers.end()) return static_cast<size_t>(named - servers.begin());
  return static_cast<size_t>(hash_combine(scenario.seed, client) % servers.size());
}

}  // namespace lockstep::scenario
