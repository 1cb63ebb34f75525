// Who counts the silence of sessions: a server alone, or the leader. Followers note of whom they hear and tell
// the leader when it pings them. A new leader begins anew, and gives every session its full time-out.
#include <algorithm>

#include "sim/ensemble.h"

namespace lockstep::sim {
namespace {

Tracked& tracked(World& world, uint32_t server, uint32_t session) {
  std::vector<Tracked>& all = world.servers[server].tracker;
  if (all.size() <= session) all.resize(session + 1);
  return all[session];
}

void hear(World& world, uint32_t server, uint32_t session, int64_t cause, Effects& fx) {
  Tracked& one = tracked(world, server, session);
  one.heard_us = world.now_us;
  one.heard_cause = cause;
  one.expires_us =
      expiry_time(world.now_us, world.sessions[session].timeout_us, world.scenario->tick_us);
  fx.touch_session(session);
  fx.move_expiry(server, session);
}

bool is_tracked(const World& world, uint32_t server, uint32_t session) {
  const std::vector<Tracked>& all = world.servers[server].tracker;
  return session < all.size() && all[session].life == TrackedLife::kLive;
}

}  // namespace

void track_session(World& world, uint32_t server, uint32_t session, uint32_t owner, int64_t cause, Effects& fx) {
  Tracked& one = tracked(world, server, session);
  one.life = TrackedLife::kLive;
  one.owner = static_cast<int32_t>(owner);
  hear(world, server, session, cause, fx);
}

void untrack_session(World& world, uint32_t server, uint32_t session, Effects& fx) {
  if (session >= world.servers[server].tracker.size()) return;
  world.sessions[session].heard_us = world.servers[server].tracker[session].heard_us;
  world.servers[server].tracker[session] = {};
  fx.touch_session(session);
  fx.move_expiry(server, session);
}

void track_all_sessions(World& world, uint32_t server, int64_t cause, Effects& fx) {
  const std::vector<uint8_t> there = world.servers[server].database.sessions;
  world.servers[server].tracker.clear();
  for (uint32_t session = 0; session < there.size(); ++session) {
    if (there[session] == 0) continue;
    tracked(world, server, session) = {.life = TrackedLife::kLive};
    hear(world, server, session, cause, fx);
  }
}

void forget_sessions(World& world, uint32_t server, Effects& fx) {
  const auto count = static_cast<uint32_t>(world.servers[server].tracker.size());
  for (uint32_t session = 0; session < count; ++session) {
    if (tracked(world, server, session).life != TrackedLife::kNone) untrack_session(world, server, session, fx);
  }
  world.servers[server].tracker.clear();
}

void touch_session(World& world, uint32_t server, uint32_t session, int64_t cause, Effects& fx) {
  if (gives_zxids(world, server)) {
    if (is_tracked(world, server, session)) hear(world, server, session, cause, fx);
  } else if (!is_alone(world) && member_of(world, server).learning) {
    member_of(world, server).learning->touched.insert(session);
  }
}

bool revalidate(World& world, uint32_t server, uint32_t session, uint32_t owner, int64_t cause, Effects& fx) {
  if (!is_tracked(world, server, session)) return false;
  tracked(world, server, session).owner = static_cast<int32_t>(owner);
  hear(world, server, session, cause, fx);
  return true;
}

zk::Error check_session(World& world, uint32_t server, uint32_t session, uint32_t owner) {
  if (!is_tracked(world, server, session)) return zk::Error::kSessionExpired;
  Tracked& one = tracked(world, server, session);
  if (one.owner == kNoOwner) one.owner = static_cast<int32_t>(owner);
  return one.owner == static_cast<int32_t>(owner) ? zk::Error::kOk : zk::Error::kSessionMoved;
}

void close_session(World& world, uint32_t server, uint32_t session, bool expired, int64_t cause, Effects& fx) {
  if (!is_tracked(world, server, session)) return;
  tracked(world, server, session).life = TrackedLife::kClosing;
  fx.move_expiry(server, session);
  Txn txn;
  txn.kind = TxnKind::kCloseSession;
  txn.session = session;
  txn.expired = expired;
  take_up(world, server, std::move(txn), cause, fx);
}

TimeUs expiry_of(const World& world, uint32_t server, uint32_t session) {
  return is_tracked(world, server, session) && world.servers[server].process == trace::Process::kRunning
             ? world.servers[server].tracker[session].expires_us
             : kNever;
}

}  // namespace lockstep::sim
