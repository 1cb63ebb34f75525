#include "play/script.h"

#include <algorithm>

#include "trace/conditions.h"

namespace lockstep::play {

Script::Script(const scenario::Scenario& scenario) {
  for (const scenario::Step& step : scenario.steps) {
    if (step.at_line.empty()) continue;
    for (const scenario::ClientSpec& client : scenario.clients) {
      if (client.id != step.client) continue;
      const int line = recipes::line_named(scenario::recipe_of(scenario, client), step.at_line);
      visits_[{step.client, step.at_line}].line = line;
    }
  }
}

void Script::observe(const scenario::Scenario& scenario, const trace::Snapshot& snapshot) {
  if (done(scenario)) return;
  for (auto& [key, visit] : visits_) {
    const trace::ClientRow* client = trace::find(snapshot.clients, key.first);
    const bool standing = client != nullptr && client->at_line && client->line == visit.line;
    if (standing && !visit.standing) ++visit.count;
    visit.standing = standing;
  }
  if (!due_us_ && triggered(scenario, snapshot)) {
    due_us_ = snapshot.time_us + scenario.steps[next_step_].after_us;
  }
}

bool Script::triggered(const scenario::Scenario& scenario, const trace::Snapshot& snapshot) const {
  const scenario::Step& step = scenario.steps[next_step_];
  if (!step.at_line.empty()) {
    const auto visit = visits_.find({step.client, step.at_line});
    if (visit == visits_.end() || !visit->second.standing || visit->second.count != step.visit) return false;
  }
  return std::all_of(step.when.begin(), step.when.end(), [&](const scenario::Condition& condition) {
    return trace::holds(condition, snapshot, scenario.lock_path);
  });
}

const std::vector<scenario::Intervention>& Script::take(const scenario::Scenario& scenario) {
  due_us_.reset();
  return scenario.steps[next_step_++].actions;
}

}  // namespace lockstep::play
