#include "scenario/scenario.h"

#include <algorithm>

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

size_t first_server(const Scenario& scenario, const std::vector<std::string>& servers, size_t client) {
  const auto named = std::find(servers.begin(), servers.end(), scenario.clients[client].server);
  if (named != servers.end()) return static_cast<size_t>(named - servers.begin());
  return static_cast<size_t>(hash_combine(scenario.seed, client) % servers.size());
}

}  // namespace lockstep::scenario
