// Asks our own servers again and again what they are, in a thread of its own: a server that is paused or busy
// does not answer at once, and nobody else shall wait for that.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "live/sockets.h"

namespace lockstep::live {

class RoleWatcher {
 public:
  explicit RoleWatcher(std::vector<Address> servers);
  ~RoleWatcher();
  RoleWatcher(const RoleWatcher&) = delete;
  RoleWatcher& operator=(const RoleWatcher&) = delete;

  /// As mode_of() last answered for server `index`: "leader", "follower"; empty: it does not serve.
  std::string mode(size_t index) const;
  /// Leaves a server alone that cannot answer anyhow. Until it is asked again, it keeps its last mode, or,
  /// once it is gone, has none.
  void set_asked(size_t index, bool asked, bool gone);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lockstep::live
