// Checks that are always on: a broken one is a mistake in Lockstep, never in its input.
#pragma once

namespace lockstep {

/// Ends the program. `message` says what is broken and names the likely cause.
[[noreturn]] void bug(const char* message);

inline void require(bool holds, const char* message) {
  if (!holds) bug(message);
}

}  // namespace lockstep
