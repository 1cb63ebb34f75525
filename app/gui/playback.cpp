#include "gui/playback.h"

#include <algorithm>
#include <cmath>

namespace lockstep::gui {
double wall_seconds(TimeUs stretch_us) {
  if (stretch_us <= 0) return 0;
  return 0.05 + 0.05 * std::log2(1 + static_cast<double>(stretch_us) / kMillisecond);
}

void Playback::settle(const Tape& tape) { now_us = tape.snapshot().time_us; }

void Playback::advance(Tape& tape, double seconds) {
  // With many clients much happens at about the same time, and nobody wants to see each of them.
  const double crowd = std::max(1.0, static_cast<double>(tape.scenario().clients.size()) / 4);
  double budget = seconds * std::exp2(speed) * crowd;
  const auto stop = [&] {
    playing = tape.runs_by_itself();
    until.reset();
  };
  while (playing && budget > 0) {
    // Asked, not simulated: what nobody has seen yet can still be interfered with.
    const std::optional<TimeUs> next_time = tape.next_time();
    if (!next_time || (until && tape.position() >= *until)) return stop();
    const int64_t next = tape.position() + 1;
    const TimeUs from = tape.snapshot().time_us;
    const TimeUs to = *next_time;
    now_us = std::clamp(now_us, from, to);
    const double whole = wall_seconds(to - from);
    const double share_left =
        to > from ? static_cast<double>(to - now_us) / static_cast<double>(to - from) : 0;
    if (budget < whole * share_left) {
      now_us += static_cast<TimeUs>(budget / whole * static_cast<double>(to - from));
      return;
    }
    budget -= whole * share_left;
    tape.seek(next);
    if (tape.position() != next) return stop();  // the end, without an event of its own
    now_us = to;
  }
}

}  // namespace lockstep::gui
