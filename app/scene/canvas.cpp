#include "scene/canvas.h"

#include <algorithm>

namespace lockstep::scene {

Canvas::Canvas(Size size, const TextMeasure& measure) : measure_(&measure) { scene_.size = size; }

void Canvas::begin(std::string id, Rect rect, std::string tooltip, bool floats) {
  scene_.regions.push_back({std::move(id), rect, std::move(tooltip), region_, floats});
  region_ = static_cast<int32_t>(scene_.regions.size()) - 1;
}

void Canvas::open(std::string id, Rect rect, std::string tooltip) {
  begin(std::move(id), rect, std::move(tooltip), false);
}

void Canvas::open_floating(std::string id, Rect rect, std::string tooltip) {
  begin(std::move(id), rect, std::move(tooltip), true);
}

void Canvas::close() { region_ = scene_.regions[static_cast<size_t>(region_)].parent; }

void Canvas::region(std::string id, Rect rect, std::string tooltip) {
  open(std::move(id), rect, std::move(tooltip));
  close();
}

void Canvas::box(Rect rect, float radius, Ink fill, Stroke stroke) {
  scene_.shapes.push_back(Box{rect, std::min({radius, rect.w / 2, rect.h / 2}), fill, stroke});
}

void Canvas::circle(Point center, float radius, Ink fill, Stroke stroke) {
  scene_.shapes.push_back(Circle{center, radius, fill, stroke});
}

void Canvas::line(Point from, Point to, Stroke stroke, float arrow) {
  scene_.shapes.push_back(Line{from, to, stroke, arrow});
}

void Canvas::path(std::vector<Point> points, Stroke stroke, float radius, float arrow) {
  scene_.shapes.push_back(Path{std::move(points), stroke, radius, arrow});
}

void Canvas::hatch(Rect rect, float gap, Stroke stroke) {
  // Lines x + y = c, from the left or bottom edge up to the top or right edge.
  for (float c = gap; c < rect.w + rect.h; c += gap) {
    const Point low = {rect.x + std::max(0.0f, c - rect.h), rect.y + std::min(c, rect.h)};
    const Point high = {rect.x + std::min(c, rect.w), rect.y + std::max(0.0f, c - rect.w)};
    line(low, high, stroke);
  }
}

void Canvas::cross(Point center, float size, Stroke stroke) {
  const float r = size / 2;
  line({center.x - r, center.y - r}, {center.x + r, center.y + r}, stroke);
  line({center.x - r, center.y + r}, {center.x + r, center.y - r}, stroke);
}

float Canvas::text(Rect rect, std::string_view text, const TextStyle& style) {
  // Rooms are often a text's own width, found by adding and subtracting: that much is rounding.
  constexpr float kRounding = 0.05f;
  std::string shown = fitted(*measure_, text, style.size, rect.w + kRounding);
  if (shown.empty()) return 0;
  const float taken = width(shown, style.size);
  Text shape = {.rect = rect,
                .text = std::move(shown),
                .whole = {},
                .size = style.size,
                .ink = style.ink,
                .align = style.align,
                .struck = style.struck,
                .region = region_};
  if (shape.text != text) shape.whole = std::string(text);
  scene_.shapes.push_back(std::move(shape));
  return taken;
}

}  // namespace lockstep::scene
