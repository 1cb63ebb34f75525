#include "bench/queues.h"

#include <string>

namespace lockstep::bench {

scenario::Scenario endless_queue(uint32_t clients) {
  scenario::Scenario scenario;
  scenario.name = "queue of " + std::to_string(clients);
  scenario.servers = {{"zk1"}};
  scenario.resource.rule = scenario::RegisterRule::kGreater;
  scenario.time_max_us = 86'400 * kSecond;
  for (uint32_t number = 1; number <= clients; ++number) {
    scenario::ClientSpec client;
    client.id = "C" + std::to_string(number);
    client.start_us = kSecond * (number - 1) / clients;
    client.options.rounds = 10'000;
    client.options.job.work_us = 20 * kMillisecond;
    client.options.job.writes = {number};
    scenario.clients.push_back(std::move(client));
  }
  return scenario;
}

}  // namespace lockstep::bench
