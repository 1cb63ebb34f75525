// What a simulated and a real run tell alike, in the same words.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "recipes/zookeeper.h"
#include "trace/event.h"
#include "trace/trace.h"

namespace lockstep::play {

/// One observed thing. Tokens are compared by what they stand for: see Tokens.
struct Observation {
  int64_t event = 0;  ///< its index in its trace
  TimeUs time_us = 0;
  std::string lane;   ///< a client or the resource; all servers are one lane
  trace::EventKind kind = trace::EventKind::kStarted;
  std::string what;
  std::string path;
  std::string peer;
  int64_t zxid = 0;   ///< of a commit, or of a session's beginning or end; of a reply, the newest change that it shows
  int64_t token = -1;
  int64_t value = 0;

  bool is_reply() const { return kind == trace::EventKind::kInput && what.rfind("reply", 0) == 0; }
};

/// The servers' lane.
inline const std::string kServersLane = ">";
/// A client's library works beside its application, and has a lane of its own: the client's id and this.
inline const std::string kLibrary = ".io";

/// What the event tells; nullopt if the two worlds need not agree on it.
std::optional<Observation> observation_of(const trace::Event& event, const std::vector<std::string>& servers);

/// Whose zxid stands for whose: a real server's counts what the simulator does not (other sessions, earlier
/// epochs), so they are paired as transactions are.
class Zxids {
 public:
  void pair(int64_t observed, int64_t simulated) {
    simulated_[observed] = simulated;
    observed_[simulated] = observed;
  }
  /// Sequence numbers are the same in both worlds.
  bool same(int64_t observed, int64_t simulated) const {
    const auto found = simulated_.find(observed);
    return observed == simulated || (found != simulated_.end() && found->second == simulated);
  }
  /// Both the same transaction, or both one from before the run.
  bool show_the_same(int64_t observed, int64_t simulated) const {
    return same(observed, simulated) || (simulated_.count(observed) == 0 && observed_.count(simulated) == 0);
  }
  /// The real zxid of a simulated one; 0: it has none.
  int64_t observed(int64_t simulated) const {
    const auto found = observed_.find(simulated);
    return found == observed_.end() ? 0 : found->second;
  }

 private:
  std::map<int64_t, int64_t> simulated_;
  std::map<int64_t, int64_t> observed_;
};

/// When a read was served, as its reply tells: before a commit, or not before it. Of most replies the Stat says so.
enum class Served : uint8_t { kBefore, kAfter, kUnknown };
/// `reply` answers `read`; the commit is the recording's too.
Served served(const zk::Request& read, const Observation& reply, const Observation& commit);

/// Whether the simulator's observation is the recording's.
bool same(const Observation& observed, const Observation& simulated, const Zxids& zxids);

}  // namespace lockstep::play
