// Differences of times that may come from a file and be anything.
#pragma once

#include <cstdint>

#include "recipes/zookeeper.h"

namespace lockstep::scene {

/// to - from, or the nearest number that there is.
constexpr TimeUs between(TimeUs from, TimeUs to) {
  if (from < 0 && to > INT64_MAX + from) return INT64_MAX;
  if (from > 0 && to < INT64_MIN + from) return INT64_MIN;
  return to - from;
}

}  // namespace lockstep::scene
