// How time goes by while playing. A run is busy for milliseconds and then quiet for seconds; at one constant
// speed one would see either nothing or nothing happen. So each stretch between two events gets its own
// time on the wall: a longer stretch gets longer, but far less than in proportion. Within a stretch the
// playhead moves evenly, so that messages fly. The time that is shown is always the run's own.
#pragma once

#include <cstdint>
#include <optional>

#include "gui/tape.h"

namespace lockstep::gui {

/// Speeds are powers of two: ×¼ (-2) to ×16 (4).
constexpr int32_t kSlowest = -2;
constexpr int32_t kFastest = 4;

/// Seconds on the wall for a stretch of a run, at speed ×1.
double wall_seconds(TimeUs stretch_us);

struct Playback {
  bool playing = false;
  int32_t speed = 0;
  TimeUs now_us = 0;  ///< the playhead: from the position's event on, before the next one's
  std::optional<int64_t> until = {};  ///< playing stops once this event has been reached

  /// To where the tape stands.
  void settle(const Tape& tape);
  /// Moves on by this much wall time. Stops at the end.
  void advance(Tape& tape, double seconds);
};

}  // namespace lockstep::gui
