#include "gui/painter.h"

#include <algorithm>
#include <cmath>

#include "gui/box_fill.h"

namespace lockstep::gui {
namespace {

using scene::Point;
using scene::Stroke;

struct Brush {
  const Ui& ui;
  ImDrawList& list;
  Point at;

  ImVec2 to(Point p) const { return {at.x + p.x, at.y + p.y}; }
};

float length(Point a, Point b) { return std::hypot(b.x - a.x, b.y - a.y); }
Point along(Point a, Point b, float share) {
  return {a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share};
}

/// Lines of whole pixels are sharp, and cost a third: Dear ImGui takes them from the fonts' texture.
float pen(const Stroke& stroke) { return std::max(1.0f, std::round(stroke.width)); }

/// A dashed or dotted line through the points.
void dashes(const Brush& brush, const std::vector<Point>& points, const Stroke& stroke) {
  const bool dotted = stroke.style == scene::LineStyle::kDotted;
  const float on = dotted ? stroke.width : 4 * stroke.width + 1;
  const float off = dotted ? 2.5f * stroke.width + 1 : 3 * stroke.width;
  const ImU32 color = brush.ui.color(stroke.ink);
  float phase = 0;  // how far into the pattern the next segment begins
  for (size_t i = 0; i + 1 < points.size(); ++i) {
    const float whole = length(points[i], points[i + 1]);
    if (whole < 0.01f) continue;
    for (float from = -phase; from < whole; from += on + off) {
      const float a = std::max(0.0f, from);
      const float b = std::min(whole, from + on);
      if (b <= a) continue;
      brush.list.AddLine(brush.to(along(points[i], points[i + 1], a / whole)),
                         brush.to(along(points[i], points[i + 1], b / whole)), color, pen(stroke));
    }
    phase = std::fmod(phase + whole, on + off);
  }
}

void stroke_line(const Brush& brush, const std::vector<Point>& points, const Stroke& stroke) {
  if (stroke.width <= 0 || stroke.ink.opacity <= 0 || points.size() < 2) return;
  if (stroke.style != scene::LineStyle::kSolid) return dashes(brush, points, stroke);
  for (const Point& p : points) brush.list.PathLineTo(brush.to(p));
  brush.list.PathStroke(brush.ui.color(stroke.ink), 0, pen(stroke));
}

/// The head at `tip`, coming from `from`.
void arrow_head(const Brush& brush, Point from, Point tip, const Stroke& stroke, float size) {
  const float whole = length(from, tip);
  if (size <= 0 || whole < 0.01f) return;
  const Point d = {(tip.x - from.x) / whole, (tip.y - from.y) / whole};
  const Point base = {tip.x - d.x * size, tip.y - d.y * size};
  const float half = size * 0.42f;
  brush.list.AddTriangleFilled(brush.to(tip), brush.to({base.x - d.y * half, base.y + d.x * half}),
                               brush.to({base.x + d.y * half, base.y - d.x * half}),
                               brush.ui.color(stroke.ink));
}

/// The same points with the corners rounded, by a few points each.
std::vector<Point> rounded(const std::vector<Point>& points, float radius) {
  if (radius <= 0 || points.size() < 3) return points;
  std::vector<Point> result = {points.front()};
  for (size_t i = 1; i + 1 < points.size(); ++i) {
    const float before = length(points[i - 1], points[i]);
    const float after = length(points[i], points[i + 1]);
    const float r = std::min({radius, before / 2, after / 2});
    if (r < 0.5f) {
      result.push_back(points[i]);
      continue;
    }
    const Point a = along(points[i], points[i - 1], r / before);
    const Point b = along(points[i], points[i + 1], r / after);
    for (int step = 0; step <= 6; ++step) {
      const float t = static_cast<float>(step) / 6;
      result.push_back(along(along(a, points[i], t), along(points[i], b, t), t));
    }
  }
  result.push_back(points.back());
  return result;
}

std::vector<Point> outline(const scene::Rect& rect, float radius) {
  const float r = std::min({radius, rect.w / 2, rect.h / 2});
  const Point corners[] = {{rect.x, rect.y},
                           {rect.right(), rect.y},
                           {rect.right(), rect.bottom()},
                           {rect.x, rect.bottom()}};
  // Begins in the middle of the upper edge, so that every corner has two neighbours.
  std::vector<Point> points = {
      {rect.center().x, rect.y}, corners[1], corners[2], corners[3], corners[0],
      {rect.center().x, rect.y}};
  return rounded(points, r);
}

void draw(const Brush& brush, const scene::Box& box) {
  ImVec2 from = brush.to({box.rect.x, box.rect.y});
  ImVec2 to = brush.to({box.rect.right(), box.rect.bottom()});
  const float least = std::min(box.rect.w, box.rect.h);
  float radius = 0;
  // Of a smaller box nobody sees the corners, and they would take most of its triangles; and its size matters.
  if (least >= 4) {
    radius = std::min(box.radius, least / 2);
    from = {std::round(from.x), std::round(from.y)};
    to = {std::round(to.x), std::round(to.y)};
  }
  if (box.fill.opacity > 0) fill_box(brush.list, from, to, radius, brush.ui.color(box.fill));
  if (box.stroke.width <= 0) return;
  if (box.stroke.style != scene::LineStyle::kSolid) {
    return dashes(brush, outline(box.rect, box.radius), box.stroke);
  }
  // Dear ImGui strokes half a pixel inside.
  brush.list.AddRect({from.x - 0.5f, from.y - 0.5f}, {to.x + 0.5f, to.y + 0.5f},
                     brush.ui.color(box.stroke.ink), radius, 0, pen(box.stroke));
}

void draw(const Brush& brush, const scene::Circle& circle) {
  const ImVec2 center = brush.to(circle.center);
  if (circle.fill.opacity > 0) {
    brush.list.AddCircleFilled(center, circle.radius, brush.ui.color(circle.fill));
  }
  if (circle.stroke.width > 0) {
    brush.list.AddCircle(center, circle.radius, brush.ui.color(circle.stroke.ink), 0,
                         pen(circle.stroke));
  }
}

void draw_with_arrow(const Brush& brush, std::vector<Point> points, const Stroke& stroke,
                     float arrow) {
  if (points.size() < 2) return;
  const Point tip = points.back();
  const Point from = points[points.size() - 2];
  const float last = length(from, tip);
  // The line ends where the head begins, or it would show beside the tip.
  if (arrow > 0 && last > arrow) points.back() = along(tip, from, 0.8f * arrow / last);
  stroke_line(brush, points, stroke);
  arrow_head(brush, from, tip, stroke, arrow);
}

void draw(const Brush& brush, const scene::Line& line) {
  draw_with_arrow(brush, {line.from, line.to}, line.stroke, line.arrow);
}

void draw(const Brush& brush, const scene::Path& path) {
  draw_with_arrow(brush, rounded(path.points, path.radius), path.stroke, path.arrow);
}

void draw(const Brush& brush, const scene::Text& text) {
  if (text.text.empty()) return;
  const Fonts::Drawn drawn = brush.ui.fonts.at(text.size);
  const bool measured = text.align != scene::Align::kLeft || text.struck;
  const float wide = measured ? brush.ui.fonts.width(text.text, text.size) : 0;
  float x = text.rect.x;
  if (text.align == scene::Align::kCenter) x += (text.rect.w - wide) / 2;
  if (text.align == scene::Align::kRight) x += text.rect.w - wide;
  const ImVec2 at = brush.to({x, text.rect.y + (text.rect.h - drawn.size) / 2});
  const ImU32 color = brush.ui.color(text.ink);
  brush.list.AddText(drawn.font, drawn.size, {std::round(at.x), std::round(at.y)}, color,
                     text.text.data(), text.text.data() + text.text.size());
  if (text.struck) {
    const float y = std::round(at.y + drawn.size * 0.54f) + 0.5f;
    brush.list.AddLine({at.x, y}, {at.x + wide, y}, color, 1);
  }
  if (brush.ui.items.listening()) brush.ui.items.say(text.whole.empty() ? text.text : text.whole);
}

}  // namespace

void paint(const Ui& ui, const scene::Scene& scene, scene::Point at) {
  const Brush brush = {ui, *ImGui::GetWindowDrawList(), at};
  for (const scene::Shape& shape : scene.shapes) {
    const scene::Rect bounds = scene::bounds_of(shape);
    // A straight line has no area; visible_part would call it hidden.
    const scene::Rect padded = {at.x + bounds.x - 1, at.y + bounds.y - 1, bounds.w + 2,
                                bounds.h + 2};
    if (visible_part(padded).w <= 0) continue;
    std::visit([&](const auto& one) { draw(brush, one); }, shape);
  }
}

}  // namespace lockstep::gui
