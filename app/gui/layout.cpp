#include "gui/layout.h"

#include <algorithm>
#include <cmath>

namespace lockstep::gui {

bool course_fits(scene::Size size, float px) { return size.w / px >= 62; }

float stage_px(float stage_width, float px, size_t clients) {
  // What scene's columns and the gutter take, in ems.
  const float wanted = 12.8f * static_cast<float>(std::min<size_t>(clients, 8)) + 10;
  const float least = std::min(px, std::max(12.0f, 0.78f * px));
  return std::floor(2 * std::clamp(stage_width / wanted, least, px)) / 2;
}

Layout layout_of(const LayoutInput& input) {
  const auto em = [&](float n) { return std::round(n * input.px); };
  const float w = input.size.w;
  const float h = input.size.h;
  Layout layout;
  layout.over = {0, 0, w, h};
  layout.top = {0, 0, w, em(2.8f)};
  const float below = h - layout.top.h;
  const float course = input.course_open ? std::min(em(13), std::round(0.3f * w)) : 0;
  const float side = std::round(std::clamp(0.28f * w, std::min(em(17), 0.4f * w), em(27)));
  layout.course = {0, layout.top.h, course, below};
  layout.side = {w - side, layout.top.h, side, below};
  const float x = course;
  const float middle = std::max(1.0f, w - course - side);
  const float strip = em(2.4f);
  const float actions = strip + static_cast<float>(input.action_rows - 1) * em(2.1f);
  const float rest = std::max(1.0f, below - actions - strip);
  const float timeline =
      std::round(std::min({std::max(em(8), input.timeline_wanted), 0.33f * rest, em(24)}));
  layout.stage = {x, layout.top.h, middle, rest - timeline};
  layout.actions = {x, layout.stage.bottom(), middle, actions};
  layout.transport = {x, layout.actions.bottom(), middle, strip};
  layout.timeline = {x, layout.transport.bottom(), middle, timeline};
  return layout;
}

scene::Rect Layout::at(Place place) const {
  switch (place) {
    case Place::kTop: return top;
    case Place::kCourse: return course;
    case Place::kStage: return stage;
    case Place::kActions: return actions;
    case Place::kTransport: return transport;
    case Place::kTimeline: return timeline;
    case Place::kSide: return side;
    case Place::kOver: return over;
  }
  return over;
}

}  // namespace lockstep::gui
