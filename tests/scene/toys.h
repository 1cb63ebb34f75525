// Snapshots made by hand, and a text measure that needs no fonts: what the tests of scene share.
#pragma once

#include <cstdint>
#include <string>

#include "scenario/scenario.h"
#include "scene/text_measure.h"
#include "trace/snapshot.h"

namespace toys {

/// A letter is 0.55 em wide, a Chinese character 1 em, a line 1.4 em high.
class PlainMeasure final : public lockstep::scene::TextMeasure {
 public:
  float width(std::string_view text, lockstep::scene::FontSize size) const override;
  float height(lockstep::scene::FontSize size) const override { return 1.4f * size.px; }
};

/// What stage and timeline need.
struct Moment {
  lockstep::scenario::Scenario scenario;
  lockstep::trace::Snapshot snapshot;
};

/// "A".."Z", "AA", ...
std::string client_name(int number);

/// The GC pause, just when A is back: its session has expired, B holds, C waits, and A's write is on its
/// way. One client is in danger: A.
Moment gc_pause();

/// `clients` clients with links, some holding, waiting, paused, expired, cut, with messages in flight and
/// a ledger; all drawn from `seed`.
Moment random_moment(int clients, uint64_t seed);

}  // namespace toys
