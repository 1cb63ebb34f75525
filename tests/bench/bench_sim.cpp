// bench_sim [EVENTS] [REPEATS]: what an event of the simulator costs, by the number of clients.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "bench/measure.h"
#include "bench/queues.h"
#include "play/history.h"
#include "play/scheduler.h"

namespace lockstep::bench {
namespace {

/// Cost is compared to this many clients'.
constexpr size_t kBase = 1;
constexpr uint32_t kClients[] = {8, 10, 100, 1'000, 10'000};

struct Sample {
  double seconds_an_event = 0;
  double bytes_an_event = 0;
  double keyframe_share = 0;
};

/// As the window plays: the trace kept, and worlds to go back to.
Sample kept(const scenario::Scenario& scenario, int64_t events) {
  const double start = cpu_seconds();
  play::History history(scenario);
  while (history.trace().size() < events && history.step()) continue;
  const double seconds = cpu_seconds() - start;
  const auto made = static_cast<double>(history.trace().size());
  const auto bytes = static_cast<double>(history.trace().bytes());
  const auto keyframes = static_cast<double>(history.trace().keyframe_bytes());
  return {seconds / made, bytes / made, keyframes / (bytes - keyframes)};
}

/// The world alone, as the explorer or a sweep would move it.
Sample unrecorded(const scenario::Scenario& scenario, int64_t events) {
  const double start = cpu_seconds();
  sim::World world = sim::initial_world(scenario);
  play::Scheduler scheduler(world);
  sim::Moved moved;
  while (world.events < events) {
    const auto next = scheduler.next(world);
    if (!next) break;
    moved = {};
    sim::apply(world, next->choice, nullptr, &moved);
    scheduler.renew(world, moved);
  }
  return {.seconds_an_event = (cpu_seconds() - start) / static_cast<double>(world.events)};
}

struct Row {
  std::vector<double> kept;
  std::vector<double> unrecorded;
  double bytes = 0;
  double keyframe_share = 0;
};

void run(int64_t events, int repeats) {
  std::vector<Row> rows(std::size(kClients));
  for (int repeat = 0; repeat < repeats; ++repeat) {
    for (size_t i = 0; i < rows.size(); ++i) {
      const scenario::Scenario scenario = endless_queue(kClients[i]);
      const Sample with = kept(scenario, events);
      rows[i].kept.push_back(with.seconds_an_event);
      rows[i].bytes = with.bytes_an_event;
      rows[i].keyframe_share = with.keyframe_share;
      rows[i].unrecorded.push_back(unrecorded(scenario, events).seconds_an_event);
    }
  }
  Table table({"Simulator: clients that queue for one lock",
               "build/tests/bench/bench_sim " + std::to_string(events) + " " + std::to_string(repeats)},
              {"clients", "events a second, trace kept", "without recording", "cost an event, ratio to 10 clients'",
               "bytes an event", "snapshots, bytes to those of changes"});
  const double base = median(rows[kBase].kept);
  for (size_t i = 0; i < rows.size(); ++i) {
    const double cost = median(rows[i].kept);
    table.add({in_figures(int64_t{kClients[i]}), in_figures(1 / cost), in_figures(1 / median(rows[i].unrecorded)),
               in_figures(cost / base), in_figures(rows[i].bytes), in_figures(rows[i].keyframe_share)});
  }
  table.note("CPU seconds of one core; each figure is the median of " + std::to_string(repeats) +
             " interleaved runs of " + in_figures(events) +
             " events, the start with all its connections included.");
  table.print();
}

}  // namespace
}  // namespace lockstep::bench

int main(int count, char** arguments) {
  const int64_t events = count > 1 ? std::atoll(arguments[1]) : 1'000'000;
  const int repeats = count > 2 ? std::atoi(arguments[2]) : 3;
  if (events < 1 || repeats < 1) {
    std::fputs("usage: bench_sim [EVENTS] [REPEATS], both at least 1\n", stderr);
    return 2;
  }
  lockstep::bench::run(events, repeats);
}
