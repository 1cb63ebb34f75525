// Toy worlds, defined once: scenarios small enough to reason about by hand.
#pragma once

#include <functional>
#include <string>

#include "scenario/scenario.h"
#include "sim/projection.h"
#include "sim/world.h"
#include "trace/trace.h"

namespace lockstep::toy {

/// `count` clients A, B, C, ... on one server, half a second apart, each with one write of its own.
inline scenario::Scenario clients(int count) {
  scenario::Scenario scenario;
  scenario.name = "toy";
  scenario.servers = {{"zk1"}};
  for (int i = 0; i < count; ++i) {
    scenario::ClientSpec client;
    client.id = i < 26 ? std::string(1, static_cast<char>('A' + i)) : "C" + std::to_string(i);
    client.start_us = i * 500 * kMillisecond;
    client.options.job.writes = {10 * (i + 1)};
    scenario.clients.push_back(std::move(client));
  }
  return scenario;
}

inline scenario::Intervention action(const std::string& name) {
  const auto intervention = scenario::intervention_named(name);
  if (!intervention) throw std::logic_error("no such intervention: " + name);
  return *intervention;
}

/// A world with a trace of it, moved by its scheduler or by hand.
class Bench {
 public:
  explicit Bench(const scenario::Scenario& scenario)
      : world(sim::initial_world(scenario)), trace(sim::trace_of(world)), recorder_(trace) {}

  void apply(const sim::Choice& choice) { sim::apply(world, choice, &recorder_); }
  /// Happens at the time up to which the world has been run.
  void interfere(const std::string& name) { apply({.intervention = action(name), .at_us = clock_}); }

  /// The earliest choice, as the scheduler would make it; false if there is none at or before `until`.
  bool step(TimeUs until = sim::kNever - 1) {
    const auto all = sim::enabled(world);
    const sim::Enabled* first = nullptr;
    for (const sim::Enabled& one : all) {
      if (first == nullptr || one.due_us < first->due_us) first = &one;
    }
    if (first == nullptr || first->due_us > until) return false;
    apply(first->choice);
    return true;
  }
  void run_until(TimeUs until) {
    while (step(until)) continue;
    clock_ = until;
  }
  /// Runs until `done` or for two simulated minutes; says whether it got there.
  bool run_while_not(const std::function<bool()>& done) {
    while (!done()) {
      if (!step(120 * kSecond)) return false;
    }
    return true;
  }

  sim::Observer& observer() { return recorder_; }
  const trace::ClientRow& client(const std::string& id) const { return trace.last().clients.at(id); }
  bool session_lives(const std::string& id) const {
    return trace.last().sessions.at(id).life == trace::SessionLife::kLive;
  }
  /// The time of the first event of this kind in this lane; -1 if there is none.
  TimeUs time_of(trace::EventKind kind, const std::string& lane, int64_t from = 0) const {
    for (int64_t i = from; i < trace.size(); ++i) {
      if (trace.kind_at(i) == kind && trace.lane_at(i) == lane) return trace.time_at(i);
    }
    return -1;
  }

  sim::World world;
  trace::Trace trace;

 private:
  TimeUs clock_ = 0;
  sim::Recorder recorder_;
};

}  // namespace lockstep::toy
