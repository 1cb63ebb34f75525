#include "live/script.h"

#include <algorithm>

#include "trace/conditions.h"

namespace lockstep::live {
namespace {

/// The line's number in the client's own listing; 0: it has none of that name.
int line_in(const scenario::Scenario& scenario, const scenario::Step& step) {
  for (const scenario::ClientSpec& client : scenario.clients) {
    if (client.id == step.client) {
      return recipes::line_named(scenario::recipe_of(scenario, client), step.at_line);
    }
  }
  return 0;
}

}  // namespace

AtBreak at_break_of(const scenario::Step& step) {
  if (step.after_us > 0) return AtBreak::kWait;
  for (const scenario::Intervention& action : step.actions) {
    if (action.target != step.client) continue;
    if (action.action == scenario::Action::kPause) return AtBreak::kStopItself;
    if (action.action == scenario::Action::kHang) return AtBreak::kHang;
  }
  return AtBreak::kWait;
}

void Script::at_break(const std::string& client, int line) {
  if (done()) return;
  const scenario::Step& step = scenario_.steps[step_];
  if (armed_ && step.client == client && line_in(scenario_, step) == line) arrived_ = true;
}

bool Script::triggered(const scenario::Step& step, const trace::Snapshot& snapshot,
                       std::vector<Wish>& wishes) {
  const bool at_line = !step.at_line.empty();
  if (at_line && armed_) return arrived_;  // The conditions held when it was armed.
  const bool hold = std::all_of(step.when.begin(), step.when.end(), [&](const auto& condition) {
    return trace::holds(condition, snapshot, scenario_.lock_path);
  });
  if (!hold || !at_line) return hold;
  armed_ = true;
  wishes.push_back(ArmBreak{.client = step.client,
                            .line = line_in(scenario_, step),
                            .visit = step.visit,
                            .then = at_break_of(step)});
  return false;
}

std::vector<Wish> Script::next(const trace::Snapshot& snapshot, TimeUs now_us) {
  std::vector<Wish> wishes;
  if (done()) return wishes;
  const scenario::Step& step = scenario_.steps[step_];
  if (since_us_ < 0) {
    if (!triggered(step, snapshot, wishes)) return wishes;
    since_us_ = now_us;
  }
  if (now_us - since_us_ < step.after_us) return wishes;
  for (const scenario::Intervention& action : step.actions) wishes.push_back(action);
  if (!step.at_line.empty()) wishes.push_back(LetGoOn{step.client});
  ++step_;
  armed_ = arrived_ = false;
  since_us_ = -1;
  return wishes;
}

}  // namespace lockstep::live
