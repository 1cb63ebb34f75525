// Whatever ends a live run: no process and no folder is left.
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "catch.h"
#include "scenarios.h"

using namespace lockstep;
using namespace lockstep::live_tests;

namespace {

bool gone(int pid) { return kill(pid, 0) != 0; }

/// True as soon as `condition` holds, false if it did not within some seconds.
template <class Condition>
bool soon(Condition condition) {
  for (int i = 0; i < 2000; ++i) {
    if (condition()) return true;
    usleep(5000);
  }
  return false;
}

/// A run that would go on for long: A holds the lock and is paused, the others wait.
scenario::Scenario long_run() {
  scenario::Scenario scenario = gc_pause(scenario::RegisterRule::kNone);
  scenario.steps.pop_back();
  for (auto& client : scenario.clients) {
    client.session_timeout_us = 5 * kSecond;
    client.start_us = 0;
  }
  return scenario;
}

/// Starts a process that plays, and returns when it has paused A; `parts` are then its processes.
pid_t start_player(std::vector<int>& parts, const std::string& mark) {
  const pid_t player = fork();
  if (player == 0) {
    live::LiveOptions with = options();
    with.on_event = [&](const trace::Trace& trace, int64_t index) {
      if (trace.kind_at(index) == trace::EventKind::kIntervened)
        std::ofstream(mark, std::ios::binary) << "paused";
    };
    const auto trace = live::play_live(long_run(), with);
    const bool interrupted = !trace && trace.problems().front().message == live::kInterrupted;
    _exit(interrupted ? std::stoi(trace.problems().front().file) : 100);
  }
  REQUIRE(soon([&] { return access(mark.c_str(), R_OK) == 0; }));
  parts = children_of(player);
  return player;
}

void end_player_by(int signal, bool in_order) {
  const Scratch scratch;
  std::vector<int> parts;
  const pid_t player = start_player(parts, scratch.path() + "/mark");
  CHECK(parts.size() == 6);  // a guard, a server, a resource, and three clients
  CHECK(scratch.left().size() == 1);
  REQUIRE(kill(player, signal) == 0);
  int status = 0;
  REQUIRE(waitpid(player, &status, 0) == player);
  if (in_order) {
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == signal);
    CHECK(scratch.left().empty());  // Already when the player has ended.
    for (const int part : parts) CHECK(gone(part));
  }
  CHECK(soon([&] { return scratch.left().empty(); }));
  for (const int part : parts) CHECK(soon([&] { return gone(part); }));
}

}  // namespace

TEST_CASE("SIGINT leaves nothing behind", "[live]") { end_player_by(SIGINT, true); }

TEST_CASE("SIGTERM leaves nothing behind", "[live]") { end_player_by(SIGTERM, true); }

TEST_CASE("even SIGKILL leaves nothing behind", "[live]") { end_player_by(SIGKILL, false); }

TEST_CASE("a run that fails in the middle leaves nothing behind", "[live]") {
  const Scratch scratch;
  // A program that can be the resource, but ends at once as a client.
  const std::string program = scratch.path() + "/program";
  std::ofstream(program, std::ios::binary)
      << "#!/bin/sh\n[ \"$1\" = client ] && exit 5\nexec " << LOCKSTEP_BINARY << " \"$@\"\n";
  REQUIRE(chmod(program.c_str(), 0755) == 0);
  live::LiveOptions with = options();
  with.program = program;
  const auto trace = live::play_live(crowd({.clients = 2}), with);
  REQUIRE_FALSE(trace.ok());
  CHECK(trace.problems().front().kind == scenario::ProblemKind::kEnvironment);
  CHECK(trace.problems().front().message.find("exit code 5") != std::string::npos);
  CHECK(children_of(getpid()).empty());
  CHECK(scratch.left().empty());
}

TEST_CASE("a run that is stopped while its servers start leaves nothing behind", "[live]") {
  const Scratch scratch;
  {
    live::LiveRun run(crowd({}), options());
    run.start();
    REQUIRE(soon([&] { return children_of(getpid()).size() >= 2; }));
    CHECK(run.phase() == live::LivePhase::kStarting);
  }
  CHECK(children_of(getpid()).empty());
  CHECK(scratch.left().empty());
}
