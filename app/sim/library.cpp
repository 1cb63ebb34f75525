#include "sim/library.h"

#include <algorithm>

#include "sim/world.h"

namespace lockstep::sim {

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

TimeUs library_timer(const Library& library, scenario::Profile profile) {
  switch (library.state) {
    case LibraryState::kConnecting: return library.connect_at_us;
    case LibraryState::kHandshake: return library.heard_us + silence_limit(library);
    case LibraryState::kConnected:
      return std::min(library.heard_us + silence_limit(library), ping_time(library, profile));
    case LibraryState::kOff:
    case LibraryState::kExpired:
    case LibraryState::kClosed: return kNever;
  }
  return kNever;
}

}  // namespace lockstep::sim
