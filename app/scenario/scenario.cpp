#include "scenario/scenario.h"

#include "recipes/fields.h"

namespace lockstep::scenario {

recipes::Recipe recipe_of(const Scenario& scenario, const ClientSpec& client, uint32_t incarnation) {
  recipes::FairLockOptions options = client.options;
  options.path = scenario.lock_path;
  options.guid_seed = hash_combine(hash_combine(scenario.seed, hash_of(client.id)), incarnation);
  return recipes::FairLock(std::move(options));
}

}  // namespace lockstep::scenario
