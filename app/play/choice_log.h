// The choices that made a history, in order, at eight bytes each: there are about as many as events, and
// nearly all of them only name a mover. Interventions are kept beside.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/world.h"

namespace lockstep::play {

class ChoiceLog {
 public:
  class Iterator {
   public:
    Iterator(const ChoiceLog& log, size_t number) : log_(&log), number_(number) {}
    sim::Choice operator*() const { return log_->at(number_); }
    Iterator& operator++() { return ++number_, *this; }
    bool operator!=(const Iterator& other) const { return number_ != other.number_; }

   private:
    const ChoiceLog* log_;
    size_t number_;
  };

  size_t size() const { return entries_.size(); }
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }
  sim::Choice back() const { return at(size() - 1); }
  /// `script_step`: how many steps of the script were taken before it.
  void add(const sim::Choice& choice, size_t script_step);
  sim::Choice at(size_t number) const;
  size_t script_step_at(size_t number) const;
  /// Forgets all but the first `size`.
  void truncate(size_t size);

 private:
  struct Entry {
    bool intervenes = false;
    sim::Mover mover = sim::Mover::kStart;
    uint32_t index = 0;  // of the mover, or in interventions_
  };
  struct Intervention {
    scenario::Intervention what;
    TimeUs at_us = 0;
  };
  /// From choice `choice` on, so many steps of the script had been taken.
  struct ScriptStep {
    size_t choice = 0;
    size_t steps = 0;
  };

  std::vector<Entry> entries_;
  std::vector<Intervention> interventions_;
  std::vector<ScriptStep> script_steps_;
};

}  // namespace lockstep::play
