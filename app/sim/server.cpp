#include "sim/server.h"

#include <algorithm>

namespace lockstep::sim {

TimeUs negotiated_timeout(TimeUs asked_us, TimeUs tick_us) {
  return std::clamp(asked_us, 2 * tick_us, 20 * tick_us);
}

TimeUs expiry_time(TimeUs heard_us, TimeUs timeout_us, TimeUs tick_us) {
  return ((heard_us + timeout_us) / tick_us + 1) * tick_us;
}

}  // namespace lockstep::sim
