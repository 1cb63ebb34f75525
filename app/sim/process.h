// A client process: an io side (the client library) and an app side (the recipe, line by line, and the
// events that the library tells it). A pause stops both: inbound queues grow, timers fall due unheard, and
// it goes on at the very line. A hang stops the app side alone; the session stays alive.
#pragma once

#include <cstdint>
#include <vector>

#include "recipes/shelf.h"
#include "sim/fifo.h"
#include "sim/library.h"
#include "trace/snapshot.h"

namespace lockstep::sim {

/// What the library (or somebody) has told the application, which has not looked yet.
struct QueuedInput {
  recipes::Input input;
  int64_t cause = -1;

  bool operator==(const QueuedInput&) const = default;
  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("input", self.input);
    visit("cause", self.cause);
  }
};

struct Deadline {
  recipes::DeadlineId id = recipes::DeadlineId::kWorkDone;
  TimeUs at_us = 0;
  int64_t cause = -1;

  bool operator==(const Deadline&) const = default;
  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("id", self.id);
    visit("at_us", self.at_us);
    visit("cause", self.cause);
  }
};

/// When each side may do its next step; kNever while it has none.
struct StepTimes {
  TimeUs io_us = 0;
  TimeUs input_us = 0;
  TimeUs line_us = 0;

  bool operator==(const StepTimes&) const = default;
  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("io_us", self.io_us);
    visit("input_us", self.input_us);
    visit("line_us", self.line_us);
  }
};

struct Process {
  trace::Process state = trace::Process::kNotStarted;
  TimeUs since_us = 0;
  int32_t stops = 0;  // how often it was paused, hung or crashed
  int64_t state_cause = -1;
  uint32_t incarnation = 0;  // counts starts
  uint32_t sessions = 0;     // ever opened for it
  Library library;
  recipes::Recipe recipe;
  Fifo<QueuedInput> inputs;
  std::vector<Deadline> deadlines;
  StepTimes next;
  int64_t line_cause = -1;  // the event that brought the recipe to its line
  uint32_t steps = 0;       // the ordinal for step times
  int32_t writes_sent = 0;

  bool operator==(const Process&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("state", self.state);
    visit("since_us", self.since_us);
    visit("stops", self.stops);
    visit("state_cause", self.state_cause);
    visit("incarnation", self.incarnation);
    visit("sessions", self.sessions);
    visit("library", self.library);
    visit("recipe", self.recipe);
    visit("inputs", self.inputs);
    visit("deadlines", self.deadlines);
    visit("next", self.next);
    visit("line_cause", self.line_cause);
    visit("steps", self.steps);
    visit("writes_sent", self.writes_sent);
  }
};

/// True if this side of the process can run at all.
inline bool io_runs(const Process& process) {
  return process.state == trace::Process::kRunning || process.state == trace::Process::kHung;
}
inline bool app_runs(const Process& process) { return process.state == trace::Process::kRunning; }

}  // namespace lockstep::sim
