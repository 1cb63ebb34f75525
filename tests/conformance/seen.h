// What sessions see: in words that are equal if the simulator and a real server did the same.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "conformance/plan.h"
#include "recipes/machine.h"

namespace lockstep::conformance {

/// One thing that a session was told.
struct Seen {
  std::string text;
  size_t step = 0;  ///< of the plan, when it was told
  bool unordered =
      false;  ///< comes from the end of a session: events of the same step, in no promised order

  bool operator==(const Seen&) const = default;
};

/// What each seat's sessions were told, in order.
using Log = std::array<std::vector<Seen>, kPlaces>;

/// Turns what was told into words. Zxids count from the first node that the plan creates, sessions are called by
/// their seat and their number there, and times are left out: they are only held to rise with zxids.
class Teller {
 public:
  explicit Teller(std::string root) : root_(std::move(root)) {}

  /// `request` is what a reply answers; `timeout_us` is what a session has that is told to be connected.
  void tell(Log& log, uint32_t place, size_t step, const recipes::Input& input,
            const zk::Request& request, TimeUs timeout_us);
  /// Empty if all times rose with their zxids.
  std::string disorder_in_time() const;

 private:
  void know(uint32_t place, zk::SessionId session);
  std::string text_of(const zk::Reply& reply, const zk::Request& request);
  static std::string text_of(const std::vector<zk::Acl>& acl);
  std::string text_of(const zk::OpResult& result, const zk::Request& op);
  std::string text_of(const zk::Stat& stat);
  std::string zxid(zk::Zxid zxid) const;
  std::string session(zk::SessionId id) const;
  std::string below_root(const std::string& path) const;

  std::string root_;
  zk::Zxid first_ = 0;
  std::map<zk::SessionId, std::string> sessions_;
  std::array<int, kPlaces> opened_ = {};
  std::map<zk::Zxid, int64_t> times_;
};

/// The first place where they differ, as two columns; empty if they agree.
std::string difference(const Log& simulated, const Log& real);

}  // namespace lockstep::conformance
