// bench_seek [EVENTS] [SEEKS]: how long it takes to go to any moment of a long run.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "bench/measure.h"
#include "bench/queues.h"
#include "play/history.h"

namespace lockstep::bench {
namespace {

constexpr double kFrameMs = 16;
constexpr uint32_t kClients[] = {8, 100, 1'000, 10'000};

trace::Trace recorded(uint32_t clients, int64_t events) {
  play::History history(endless_queue(clients));
  while (history.trace().size() < events && history.step()) continue;
  return history.take_trace();
}

/// Milliseconds of each of so many seeks, from anywhere to anywhere.
std::vector<double> seeks(const trace::Trace& trace, int count) {
  std::mt19937_64 bits(1);
  trace::Cursor cursor(trace);
  std::vector<double> taken;
  for (int i = 0; i < count; ++i) {
    const auto target = static_cast<int64_t>(bits() % static_cast<uint64_t>(trace.size()));
    const double start = cpu_seconds();
    cursor.seek(target);
    taken.push_back((cpu_seconds() - start) * 1e3);
  }
  return taken;
}

void run(int64_t events, int count) {
  Table table({"Seeking anywhere in a run of " + in_figures(events) + " events",
               "build/tests/bench/bench_seek " + std::to_string(events) + " " + std::to_string(count)},
              {"clients", "mean, ms", "99th percentile, ms", "worst, ms", "worst, share of a frame", "trace, MB"});
  for (const uint32_t clients : kClients) {
    const trace::Trace trace = recorded(clients, events);
    const std::vector<double> taken = seeks(trace, count);
    const double worst = quantile(taken, 1);
    table.add({in_figures(int64_t{clients}), in_figures(mean(taken)), in_figures(quantile(taken, 0.99)),
               in_figures(worst), in_figures(worst / kFrameMs), in_figures(static_cast<double>(trace.bytes()) / 1e6)});
  }
  table.note("CPU time of " + std::to_string(count) + " seeks between random events; a frame is 16 ms.");
  table.print();
}

}  // namespace
}  // namespace lockstep::bench

int main(int count, char** arguments) {
  const int64_t events = count > 1 ? std::atoll(arguments[1]) : 1'000'000;
  const int seeks = count > 2 ? std::atoi(arguments[2]) : 1'000;
  if (events < 1 || seeks < 1) {
    std::fputs("usage: bench_seek [EVENTS] [SEEKS], both at least 1\n", stderr);
    return 2;
  }
  lockstep::bench::run(events, seeks);
}
