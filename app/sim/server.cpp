#include "sim/server.h"

#include <algorithm>

namespace lockstep::sim {

TimeUs negotiated_timeout(TimeUs asked_us, TimeUs tick_us) {
  return std::clamp(asked_us, 2 * tick_us, 20 * tick_us);
}

TimeUs expiry_time(TimeUs heard_us, TimeUs timeout_us, TimeUs tick_us) {
  return ((heard_us + timeout_us) / tick_us + 1) * tick_us;
}

bool session_index(const Server& server, zk::SessionId id, uint32_t& index) {
  if (id < kFirstSessionId) return false;
  const auto place = static_cast<uint64_t>(id - kFirstSessionId);
  if (place >= server.sessions.size()) return false;
  index = static_cast<uint32_t>(place);
  return true;
}

}  // namespace lockstep::sim
