// A recorded run of real processes, held against the simulator: fed what was observed, in its order, the
// simulator must be able to produce it.
//
// Observed is what both worlds tell alike: what each application does and is told, what the servers commit, which
// sessions begin and end, what the resource judges, and who interfered; and of each reply the newest change that its
// Stat shows. What lies between (packets, pings, proposals) the simulator fills in; where that leaves a choice (a read
// that a commit overtook, or not, and whose reply does not tell), all of them are tried, the likeliest first.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenario/problem.h"
#include "trace/trace.h"

namespace lockstep::play {

struct Comparison {
  int64_t observations = 0;  ///< of the recording
  int64_t matched = 0;       ///< all of them if the simulator can produce it
  bool agrees = false;
  bool gave_up = false;      ///< more choices were left than are tried: it may agree
  int64_t event = -1;        ///< else: the recording's first event that the simulator could not produce
  std::vector<std::string> enabled;  ///< and what could have happened instead, with the choices that lead there
  trace::Trace simulated;    ///< the simulator's run, as far as it came
};

/// Compares a recording with its own scenario; the recording must be of a live run.
Comparison compare(const trace::Trace& recorded);

}  // namespace lockstep::play
