// Holding the simulator against a real server that is started for it.
#pragma once

#include <cstdint>
#include <string>

namespace lockstep::conformance {

struct HoldOptions {
  uint64_t seed = 0;
  uint64_t first_plan = 0;    ///< the seed's plans are numbered; a difference says in which it was
  size_t steps = 20'000;      ///< in all
  int servers = 1;
  size_t steps_a_plan = 400;  ///< each plan has sessions and nodes of its own
  bool progress = false;      ///< on stderr
};

struct Verdict {
  bool agree = false;
  size_t steps = 0;
  std::string
      text;  ///< the difference, with the shortest plan that shows it; or what the environment lacks
};

Verdict hold(const HoldOptions& options);

}  // namespace lockstep::conformance
