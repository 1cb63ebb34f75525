// Playing a scenario for real: processes that really stop, on ZooKeeper servers of our own or of others.
// What comes out is a trace of the same kind as the simulator's.
//
// Whatever ends us, nothing is left: child processes die with us, a guard removes the temporary folder.
// Signals: play_live takes SIGINT, SIGTERM and SIGHUP to itself while it plays, stops everything, and
// returns kInterrupted. Nothing else here touches signals.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scenario/problem.h"
#include "scenario/place.h"
#include "scenario/scenario.h"
#include "trace/trace.h"

namespace lockstep::live {

constexpr size_t kLiveClientsMax = 200;

struct LiveOptions {
  /// How many of our own, 1 to 5; not set: those of the scenario. Ignored with `connect`.
  std::optional<int> servers = {};
  scenario::Place place = {};  ///< of the scenario: what complaints about it begin with
  std::string connect = {};   ///< "host:port,..." of somebody else's; empty: our own
  std::string program = {};   ///< the lockstep binary, for the parts; empty: the running one
  std::string database = {};  ///< where to leave the resource's SQLite file; empty: nowhere
  bool keep = false;  ///< leave the temporary folder for a look; the trace's last event names it
  std::string jars = "/usr/share/java";     ///< of ZooKeeper's servers
  std::string java = {};                    ///< empty: the one on PATH
  TimeUs answer_patience_us = 5 * kSecond;  ///< how long a server of `connect` may take to answer
  /// Called for every event as it comes, in the thread that calls play_live or poll.
  std::function<void(const trace::Trace&, int64_t index)> on_event = {};
};

enum class LivePhase { kNotStarted, kStarting, kPlaying, kStopping, kFinished };

/// A live run that one can watch while it happens. It works in a thread of its own; all functions here are
/// for one other thread and never wait, except stop() and the destructor.
class LiveRun {
 public:
  LiveRun(scenario::Scenario scenario, LiveOptions options);
  ~LiveRun();
  LiveRun(const LiveRun&) = delete;
  LiveRun& operator=(const LiveRun&) = delete;

  void start();
  /// Appends what has happened since to trace(), and returns how many events that were.
  int64_t poll();
  const trace::Trace& trace() const;
  /// Interferes now: any intervention by hand, as the scenario's steps do.
  void intervene(const scenario::Intervention& intervention);
  LivePhase phase() const;
  bool finished() const { return phase() == LivePhase::kFinished; }
  /// CLOCK_MONOTONIC since the run's zero, in microseconds; 0 before it.
  TimeUs now_us() const;
  /// Why it could not be played, or not to its end. Complete once finished.
  std::vector<scenario::Problem> problems() const;
  /// Ends it, and returns when nothing of it is left.
  void stop();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The message of the problem that play_live returns when a signal has ended it; its place is the signal's
/// number.
constexpr const char* kInterrupted = "interrupted";

/// Plays to the end. Problems are of kind kInput (exit code 2) or kEnvironment (3).
scenario::Result<trace::Trace> play_live(const scenario::Scenario& scenario,
                                         const LiveOptions& options);

/// `lockstep servers --count N`: local servers until SIGINT or SIGTERM. `on_ready` is told the connect
/// string.
[[nodiscard]] std::vector<scenario::Problem> run_servers(
    int count, const std::function<void(const std::string& connect)>& on_ready);

/// `lockstep client` and `lockstep resource`: the parts of a live run, started by it, which tells them on
/// standard input what they are to be. They return exit codes.
int client_main();
int resource_main();

}  // namespace lockstep::live
