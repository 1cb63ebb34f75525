#include "play/choice_log.h"

#include <algorithm>

namespace lockstep::play {

void ChoiceLog::add(const sim::Choice& choice, size_t script_step) {
  const size_t steps_before = script_steps_.empty() ? 0 : script_steps_.back().steps;
  if (script_step != steps_before) script_steps_.push_back({entries_.size(), script_step});
  if (!choice.intervention) {
    entries_.push_back({.mover = choice.mover, .index = choice.index});
    return;
  }
  entries_.push_back({.intervenes = true, .index = static_cast<uint32_t>(interventions_.size())});
  interventions_.push_back({*choice.intervention, choice.at_us});
}

sim::Choice ChoiceLog::at(size_t number) const {
  const Entry& entry = entries_[number];
  if (!entry.intervenes) return {.mover = entry.mover, .index = entry.index};
  const Intervention& intervention = interventions_[entry.index];
  return {.intervention = intervention.what, .at_us = intervention.at_us};
}

size_t ChoiceLog::script_step_at(size_t number) const {
  const auto after = std::upper_bound(script_steps_.begin(), script_steps_.end(), number,
                                      [](size_t wanted, const ScriptStep& step) { return wanted < step.choice; });
  return after == script_steps_.begin() ? 0 : (after - 1)->steps;
}

void ChoiceLog::truncate(size_t size) {
  while (entries_.size() > size) {
    if (entries_.back().intervenes) interventions_.pop_back();
    entries_.pop_back();
  }
  while (!script_steps_.empty() && script_steps_.back().choice >= size) script_steps_.pop_back();
}

}  // namespace lockstep::play
