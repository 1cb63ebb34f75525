// The one clock that orders what happens on one machine: CLOCK_MONOTONIC, the same in every process.
#pragma once

#include <time.h>

#include "recipes/zookeeper.h"

namespace lockstep::live {

inline TimeUs clock_us(clockid_t clock) {
  timespec now = {};
  clock_gettime(clock, &now);
  return static_cast<TimeUs>(now.tv_sec) * kSecond + now.tv_nsec / 1000;
}

inline TimeUs monotonic_us() { return clock_us(CLOCK_MONOTONIC); }

/// What to add to a wall clock's time to get CLOCK_MONOTONIC's, as of now.
inline TimeUs monotonic_minus_wall_us() { return monotonic_us() - clock_us(CLOCK_REALTIME); }

}  // namespace lockstep::live
