#include "sim/library.h"

#include <algorithm>

#include "recipes/paths.h"
#include "sim/world.h"

namespace lockstep::sim {
namespace {

bool is_valid_for(const zk::Request& request, scenario::Profile profile) {
  const bool sequential = request.op == zk::Op::kCreate && zk::is_sequential(request.mode);
  if (profile == scenario::Profile::kC) return zk::is_valid_for_c(request.path, sequential);
  return zk::is_valid_path(sequential ? request.path + "1" : request.path);
}

/// The C library does not know nodes with a TTL inside a multi, and misreads what a server says of a container.
bool may_be_in_multi(const zk::Request& op, scenario::Profile profile) {
  if (op.op == zk::Op::kCreate) {
    const bool plain = op.mode != zk::CreateMode::kContainer && !zk::has_ttl(op.mode);
    return plain || profile == scenario::Profile::kJava;
  }
  return op.op == zk::Op::kDelete || op.op == zk::Op::kSetData || op.op == zk::Op::kCheck;
}

/// Of a multi the C library only says that it cannot be written down.
zk::Error multi_refused(const zk::Request& request, scenario::Profile profile) {
  for (const zk::Request& op : request.ops) {
    if (!may_be_in_multi(op, profile)) return zk::Error::kUnimplemented;
  }
  for (const zk::Request& op : request.ops) {
    if (is_valid_for(op, profile)) continue;
    return profile == scenario::Profile::kC ? zk::Error::kMarshallingError : zk::Error::kBadArguments;
  }
  return zk::Error::kOk;
}

}  // namespace

zk::Error refused_by_library(const zk::Request& request, scenario::Profile profile) {
  if (request.op == zk::Op::kMulti) return multi_refused(request, profile);
  if (request.op == zk::Op::kCheck) return zk::Error::kUnimplemented;
  if (request.op == zk::Op::kAddAuth) return request.acl.size() == 1 ? zk::Error::kOk : zk::Error::kBadArguments;
  const bool no_ttl = request.op == zk::Op::kCreate && zk::has_ttl(request.mode) && request.ttl_ms <= 0;
  if (no_ttl) return zk::Error::kBadArguments;
  return is_valid_for(request, profile) ? zk::Error::kOk : zk::Error::kBadArguments;
}

zk::Reply unanswered(const zk::Request& request, zk::Error error) {
  zk::Reply reply;
  reply.error = error;
  reply.path = request.path;
  reply.results.resize(request.ops.size(), {.error = error});
  return reply;
}

namespace {

/// Takes the place under the cursor, and moves it on.
uint32_t take_next(Library& library, uint32_t servers) {
  if (library.cursor >= servers) library.cursor = 0;
  return library.cursor++;
}

}  // namespace

void choose_server(Library& library, uint32_t first, uint32_t servers) {
  library.server = (first + take_next(library, servers)) % servers;
}

void note_failure(Library& library, scenario::Profile profile, uint32_t servers) {
  library.all_tried = library.cursor >= servers;
  if (profile == scenario::Profile::kC) (void)take_next(library, servers);
}

TimeUs silence_limit(const Library& library) { return library.timeout_us * 2 / 3; }

TimeUs ping_time(const Library& library, scenario::Profile profile) {
  if (library.state != LibraryState::kConnected) return kNever;
  switch (profile) {
    case scenario::Profile::kC:
      // Idle for a third of the timeout; none while a request is unanswered.
      return library.outstanding.empty() ? library.sent_us + library.timeout_us / 3 : kNever;
    case scenario::Profile::kJava: {
      // Half of the read timeout, a second earlier once idle for a second; at least every ten seconds.
      const TimeUs half = silence_limit(library) / 2;
      const TimeUs early = half > 2 * kSecond ? half - kSecond : half;
      return library.sent_us + std::min(early, 10 * kSecond);
    }
  }
  return kNever;
}

TimeUs handshake_limit(const Library& library, const Habits& habits) {
  if (habits.profile == scenario::Profile::kC) return silence_limit(library);
  return library.timeout_us / habits.servers;
}

TimeUs local_expiry_time(const Library& library, const Habits& habits) {
  return habits.local_expiry ? library.alive_us + library.timeout_us * 4 / 3 : kNever;
}

TimeUs library_timer(const Library& library, const Habits& habits) {
  const TimeUs over = local_expiry_time(library, habits);
  switch (library.state) {
    case LibraryState::kConnecting: return std::min(library.connect_at_us, over);
    case LibraryState::kHandshake:
      return std::min(library.heard_us + handshake_limit(library, habits), over);
    case LibraryState::kConnected:
      return std::min(library.heard_us + silence_limit(library), ping_time(library, habits.profile));
    case LibraryState::kOff:
    case LibraryState::kExpired:
    case LibraryState::kAuthFailed:
    case LibraryState::kClosed: return kNever;
  }
  return kNever;
}

}  // namespace lockstep::sim
