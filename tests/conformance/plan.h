// A plan: what several sessions do, one after the other, on the simulator and on a real server alike.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "recipes/zookeeper.h"

namespace lockstep::conformance {

enum class Act : uint8_t {
  kOpen,     ///< a new session begins in this place; there is none
  kRequest,  ///< the session asks, and waits for the reply; while it is away, it does not wait
  kLose,     ///< its connection breaks, and no new one gets through
  kFail,     ///< an attempt to connect breaks too
  kRegain,   ///< it reattaches; in an ensemble on some server, the same or another
  kEnd,      ///< somebody else closes the session, and it is told
  kClose,    ///< it closes its session itself
  kExpire,   ///< nothing passes any more; it asks in vain, the session expires, and it is told once all passes again
};

/// Time-outs that sessions ask for; a server at 500 ms a tick gives 1 to 10 s. Only sessions that ask for the brief
/// one are made to expire.
constexpr TimeUs kBrief = 3 * kSecond;

/// `place` is one of a few seats for sessions; a new session takes the seat of one that has ended.
struct Step {
  Act act = Act::kRequest;
  uint32_t place = 0;
  zk::Request request = {};  ///< of kRequest and kExpire; its path begins below the plan's root
  TimeUs timeout_us = 0;     ///< of kOpen: asked for
  uint32_t server = 0;       ///< of kOpen and kRegain: which server of an ensemble, modulo how many there are
};

using Plan = std::vector<Step>;

constexpr uint32_t kPlaces = 4;

/// `steps` steps drawn from the seed: all sessions open first, and the first request marks where zxids are
/// counted from. Never asks what the session could not ask just then.
Plan plan_of(uint64_t seed, size_t steps);

/// True if each step is possible after those before it; what minimizing keeps to.
bool is_possible(const Plan& plan);

/// The request with its paths below a root.
zk::Request below(const std::string& root, zk::Request request);

/// "digest:ann:HASH=31"
std::string text_of(const zk::Acl& entry);
/// "S2 create /a/n- ephemeral_sequential"
std::string text_of(const Step& step);

}  // namespace lockstep::conformance
