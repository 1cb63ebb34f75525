// Who plays plans: the simulator, or a real server. Both give the log of what the sessions were told.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "conformance/plan.h"
#include "conformance/seen.h"
#include "live/sockets.h"
#include "recipes/machine.h"

namespace lockstep::conformance {

/// Where a session reads to have heard everything; told to nobody. There is no such node.
constexpr const char* kMark = "/heard-everything";

/// On an ensemble a server queues what it has to tell of the nodes of a session that somebody ends elsewhere, and closes
/// its connection at once: whether the session still hears of them is a race, and not looked at.
inline bool is_a_race(const Step& step, uint32_t place, const recipes::Input& input, size_t servers) {
  return servers > 1 && step.act == Act::kEnd && step.place == place && std::holds_alternative<recipes::WatchFired>(input);
}

/// What playing a plan gave.
struct Played {
  Log log;
  std::string trouble;  ///< empty, or why it could not be played to its end
};

class Player {
 public:
  virtual ~Player() = default;
  virtual Played play(const Plan& plan) = 0;
};

/// With so many servers.
std::unique_ptr<Player> simulator(uint32_t servers = 1);
/// One server, or an ensemble. Plays each plan below a node of its own.
std::unique_ptr<Player> real_servers(const std::vector<live::Address>& servers);
inline std::unique_ptr<Player> real_server(const live::Address& server) { return real_servers({server}); }

/// The plan without the steps that the difference does not need; `differs` plays it again.
template <class Differs>
Plan minimized(Plan plan, const Differs& differs) {
  for (size_t size = plan.size() / 2; size > 0; size /= 2) {
    for (size_t from = 0; from < plan.size();) {
      Plan shorter = plan;
      const auto first = shorter.begin() + static_cast<std::ptrdiff_t>(from);
      const size_t to = std::min(from + size, shorter.size());
      shorter.erase(first, shorter.begin() + static_cast<std::ptrdiff_t>(to));
      if (is_possible(shorter) && differs(shorter)) {
        plan = std::move(shorter);
      } else {
        from += size;
      }
    }
  }
  return plan;
}

}  // namespace lockstep::conformance
