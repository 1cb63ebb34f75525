#include "scenarios.h"

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "catch.h"
#include "trace/text.h"

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
  spec.session_timeout_us = 1500 * kMillisecond;
  spec.start_us = start_us;
  return spec;
}

Scenario base() {
  Scenario scenario;
  scenario.name = "test";
  scenario.tick_us = 250 * kMillisecond;
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
  scenario::Step resume = when("/resources/db/value", int64_t{40}, "resume A");
  resume.when.push_back(Condition{"/sessions/A#1/life", Test::kIs, std::string("expired")});
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

scenario::Step when(const std::string& at, const scenario::Value& is, const std::string& does) {
  scenario::Step step;
  step.when = {Condition{at, Test::kIs, is}};
  step.actions = {scenario::intervention_named(does).value()};
  return step;
}

live::LiveOptions options() {
  live::LiveOptions options;
  options.program = LOCKSTEP_BINARY;
  return options;
}

trace::Trace played(const scenario::Scenario& scenario, const live::LiveOptions& options) {
  auto trace = live::play_live(scenario, options);
  if (!trace) FAIL(scenario::describe(trace.problems().front()));
  return std::move(trace.value());
}

std::string told(const trace::Trace& trace) {
  std::ostringstream text;
  trace::write_text(trace, trace::Language::kEn, text);
  return text.str();
}

int64_t index_of(const trace::Trace& trace, trace::EventKind kind, const std::string& lane) {
  for (int64_t i = 0; i < trace.size(); ++i) {
    if (trace.kind_at(i) == kind && trace.lane_at(i) == lane) return i;
  }
  return trace::kNoEvent;
}

std::vector<int> children_of(int pid) {
  std::vector<int> children;
  std::error_code error;
  const std::string tasks = "/proc/" + std::to_string(pid) + "/task";
  for (const auto& task : std::filesystem::directory_iterator(tasks, error)) {
    std::ifstream file(task.path() / "children", std::ios::binary);
    int child = 0;
    while (file >> child) children.push_back(child);
  }
  return children;
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

std::vector<std::string> Scratch::left() const {
  std::vector<std::string> left;
  for (const auto& entry : std::filesystem::directory_iterator(path_)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("lockstep-")) left.push_back(name);
  }
  return left;
}

}  // namespace lockstep::live_tests
