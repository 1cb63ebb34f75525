// Messages in flight, as capsules that travel along a vertical track.
#pragma once

#include <vector>

#include "scene/stage_bands.h"

namespace lockstep::scene {

/// A vertical stretch along which messages travel, `to` being where they arrive.
struct Track {
  float x = 0;
  float from = 0;
  float to = 0;
  float left = 0;  // capsules stay between these
  float right = 0;
  float capsule_h = 0;
};

struct Placed {
  const MessageView* message = nullptr;
  size_t more = 0;  // 0: the message; else a count of messages behind it that have no room
  float y = 0;      // of the middle
};

/// Puts messages, the first sent first, at their places on the track without overlap, as many as have
/// room; the last then counts those behind it.
std::vector<Placed> place(const std::vector<const MessageView*>& messages, const Track& track);

void draw_capsule(Canvas& canvas, const Band& band, const Placed& placed, const Track& track);

}  // namespace lockstep::scene
