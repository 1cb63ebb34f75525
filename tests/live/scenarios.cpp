#include "scenarios.h"

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace lockstep::live_tests {
namespace {

using scenario::Action;
using scenario::Condition;
using scenario::Scenario;
using scenario::Test;

scenario::ClientSpec client(const std::string& id, std::vector<int64_t> writes, TimeUs start_us) {
  scenario::ClientSpec spec;
  spec.id = id;
  spec.options.job.work_us = 100 * kMillisecond;
  spec.options.job.writes = std::move(writes);
  spec.session_timeout_us = 1200 * kMillisecond;
  spec.start_us = start_us;
  return spec;
}

Scenario base() {
  Scenario scenario;
  scenario.name = "test";
  scenario.tick_us = 200 * kMillisecond;
  scenario.servers = {{"zk1"}};
  scenario.time_max_us = 30 * kSecond;
  return scenario;
}

}  // namespace

Scenario gc_pause(scenario::RegisterRule rule) {
  Scenario scenario = base();
  scenario.clients = {client("A", {70, 60}, 0), client("B", {40}, 150 * kMillisecond),
                      client("C", {30}, 300 * kMillisecond)};
  scenario.resource.initial_value = 100;
  scenario.resource.rule = rule;
  scenario::Step pause;
  pause.client = "A";
  pause.at_line = "write";
  pause.visit = 2;
  pause.actions = {{Action::kPause, "A", ""}};
  scenario::Step resume;
  resume.when = {Condition{"/sessions/A#1/life", Test::kIs, std::string("expired")},
                 Condition{"/resources/db/value", Test::kIs, int64_t{40}}};
  resume.actions = {{Action::kResume, "A", ""}};
  scenario.steps = {pause, resume};
  return scenario;
}

Scenario crowd(const Crowd& crowd) {
  Scenario scenario = base();
  for (int i = 0; i < crowd.clients; ++i) {
    scenario::ClientSpec spec = client(std::string(1, static_cast<char>('A' + i)), {}, 0);
    spec.session_timeout_us = 4 * kSecond;
    spec.options.rounds = crowd.rounds;
    spec.options.job.work_us = 0;
    scenario.clients.push_back(spec);
  }
  return scenario;
}

live::LiveOptions options() {
  live::LiveOptions options;
  options.program = LOCKSTEP_BINARY;
  return options;
}

std::vector<std::string> children_left() {
  std::vector<std::string> left;
  std::ifstream children("/proc/self/task/" + std::to_string(getpid()) + "/children", std::ios::binary);
  std::string pid;
  while (children >> pid) left.push_back(pid);
  return left;
}

std::vector<std::string> folders_left() {
  std::vector<std::string> left;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(getenv("TMPDIR"), error)) {
    if (entry.path().filename().string().starts_with("lockstep-")) left.push_back(entry.path());
  }
  return left;
}

Scratch::Scratch() {
  path_ = "/tmp/live-test-XXXXXX";
  if (!mkdtemp(path_.data())) path_.clear();
  setenv("TMPDIR", path_.c_str(), 1);
}

Scratch::~Scratch() {
  unsetenv("TMPDIR");
  std::error_code error;
  std::filesystem::remove_all(path_, error);
}

}  // namespace lockstep::live_tests
