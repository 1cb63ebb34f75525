// Where the panels lie: a function of the window's size, the font's size and what is folded.
#pragma once

#include <cstddef>
#include <cstdint>

#include "scene/scene.h"

namespace lockstep::gui {

enum class Place : uint8_t { kTop, kCourse, kStage, kActions, kTransport, kTimeline, kSide, kOver };

struct LayoutInput {
  scene::Size size;
  float px = 16;
  bool course_open = true;
  int32_t action_rows = 1;
  float timeline_wanted = 0;  ///< the height at which it needs no more
};

struct Layout {
  scene::Rect top;
  scene::Rect course;  ///< empty when folded
  scene::Rect stage;
  scene::Rect actions;
  scene::Rect transport;
  scene::Rect timeline;
  scene::Rect side;
  scene::Rect over;  ///< the whole window

  scene::Rect at(Place place) const;
};

Layout layout_of(const LayoutInput& input);

/// The size of the stage's text: smaller than the rest where that lets more of the clients be seen side by side,
/// but never below 12 pixels, nor much smaller.
float stage_px(float stage_width, float px, size_t clients);

/// True if the window has room for the course beside the stage at this font size.
bool course_fits(scene::Size size, float px);

}  // namespace lockstep::gui
