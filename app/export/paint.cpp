#include "export/paint.h"

#include <algorithm>
#include <cmath>

#include "export/fonts.h"
#include "recipes/fields.h"

namespace lockstep::picture {
namespace {

using scene::Point;
using scene::Rect;

constexpr double kHalfTurn = 3.14159265358979323846;

class Painter {
 public:
  Painter(cairo_t* cairo, const scene::Palette& palette) : cairo_(cairo), palette_(palette) {
    layout_.reset(pango_cairo_create_layout(cairo));
    set_up(pango_layout_get_context(layout_.get()));
    pango_layout_context_changed(layout_.get());
  }

  void draw(const scene::Shape& shape) {
    std::visit(overloaded{[&](const scene::Box& box) { draw_box(box); },
                          [&](const scene::Circle& circle) { draw_circle(circle); },
                          [&](const scene::Line& line) { draw_line(line); },
                          [&](const scene::Path& path) { draw_path(path); },
                          [&](const scene::Text& text) { draw_text(text); }},
               shape);
  }

 private:
  void use(scene::Ink ink) {
    const scene::Rgb color = palette_.color(ink);
    cairo_set_source_rgba(cairo_, color.r / 255.0, color.g / 255.0, color.b / 255.0, ink.opacity);
  }

  void use(const scene::Stroke& stroke) {
    use(stroke.ink);
    const auto width = static_cast<double>(stroke.width);
    cairo_set_line_width(cairo_, width);
    cairo_set_line_cap(cairo_, CAIRO_LINE_CAP_BUTT);
    cairo_set_line_join(cairo_, CAIRO_LINE_JOIN_ROUND);
    // Dashes of thin lines would be dust: they are at least so long.
    const double unit = std::max(width, 1.2);
    const double dashes[] = {3 * unit, 2.2 * unit};
    const double dots[] = {0.01, 2.5 * unit};
    switch (stroke.style) {
      case scene::LineStyle::kSolid: cairo_set_dash(cairo_, nullptr, 0, 0); break;
      case scene::LineStyle::kDashed: cairo_set_dash(cairo_, dashes, 2, 0); break;
      case scene::LineStyle::kDotted:
        cairo_set_dash(cairo_, dots, 2, 0);
        cairo_set_line_cap(cairo_, CAIRO_LINE_CAP_ROUND);
        break;
    }
  }

  /// Fills and strokes the current path.
  void finish(scene::Ink fill, const scene::Stroke& stroke) {
    if (fill.opacity > 0) {
      use(fill);
      cairo_fill_preserve(cairo_);
    }
    if (stroke.width > 0 && stroke.ink.opacity > 0) {
      use(stroke);
      cairo_stroke_preserve(cairo_);
    }
    cairo_new_path(cairo_);
  }

  void draw_box(const scene::Box& box) {
    const Rect& r = box.rect;
    cairo_new_path(cairo_);
    if (box.radius <= 0) {
      cairo_rectangle(cairo_, r.x, r.y, r.w, r.h);
    } else {
      const double radius = box.radius;
      cairo_arc(cairo_, r.right() - radius, r.y + radius, radius, -kHalfTurn / 2, 0);
      cairo_arc(cairo_, r.right() - radius, r.bottom() - radius, radius, 0, kHalfTurn / 2);
      cairo_arc(cairo_, r.x + radius, r.bottom() - radius, radius, kHalfTurn / 2, kHalfTurn);
      cairo_arc(cairo_, r.x + radius, r.y + radius, radius, kHalfTurn, 1.5 * kHalfTurn);
      cairo_close_path(cairo_);
    }
    finish(box.fill, box.stroke);
  }

  void draw_circle(const scene::Circle& circle) {
    cairo_new_path(cairo_);
    cairo_arc(cairo_, circle.center.x, circle.center.y, circle.radius, 0, 2 * kHalfTurn);
    finish(circle.fill, circle.stroke);
  }

  /// A filled arrow head whose tip is at `tip`; returns where the line behind it should end.
  Point draw_head(Point tip, Point before, float length, scene::Ink ink) {
    const float dx = tip.x - before.x;
    const float dy = tip.y - before.y;
    const float whole = std::hypot(dx, dy);
    if (length <= 0 || whole <= 0) return tip;
    const Point unit = {dx / whole, dy / whole};
    const Point base = {tip.x - unit.x * length, tip.y - unit.y * length};
    const float half = 0.42f * length;
    cairo_new_path(cairo_);
    cairo_move_to(cairo_, tip.x, tip.y);
    cairo_line_to(cairo_, base.x - unit.y * half, base.y + unit.x * half);
    cairo_line_to(cairo_, base.x + unit.y * half, base.y - unit.x * half);
    cairo_close_path(cairo_);
    use(ink);
    cairo_fill(cairo_);
    return {tip.x - unit.x * 0.9f * length, tip.y - unit.y * 0.9f * length};
  }

  void draw_line(const scene::Line& line) {
    const Point end = draw_head(line.to, line.from, line.arrow, line.stroke.ink);
    cairo_new_path(cairo_);
    cairo_move_to(cairo_, line.from.x, line.from.y);
    cairo_line_to(cairo_, end.x, end.y);
    finish({.opacity = 0}, line.stroke);
  }

  /// A corner rounded by a curve that begins and ends `radius` before and behind it.
  void corner(Point before, Point at, Point after, float radius) {
    const auto towards = [&](Point other) {
      const float length = std::hypot(other.x - at.x, other.y - at.y);
      const float part = length > 0 ? std::min(radius, length / 2) / length : 0;
      return Point{at.x + (other.x - at.x) * part, at.y + (other.y - at.y) * part};
    };
    const Point from = towards(before);
    const Point to = towards(after);
    cairo_line_to(cairo_, from.x, from.y);
    cairo_curve_to(cairo_, at.x, at.y, at.x, at.y, to.x, to.y);
  }

  void draw_path(const scene::Path& path) {
    const auto& p = path.points;
    if (p.size() < 2) return;
    const Point end = draw_head(p.back(), p[p.size() - 2], path.arrow, path.stroke.ink);
    cairo_new_path(cairo_);
    cairo_move_to(cairo_, p.front().x, p.front().y);
    for (size_t i = 1; i + 1 < p.size(); ++i) {
      if (path.radius > 0) {
        corner(p[i - 1], p[i], p[i + 1], path.radius);
      } else {
        cairo_line_to(cairo_, p[i].x, p[i].y);
      }
    }
    cairo_line_to(cairo_, end.x, end.y);
    finish({.opacity = 0}, path.stroke);
  }

  void draw_text(const scene::Text& text) {
    fill(layout_.get(), text.text, text.size);
    PangoRectangle logical;
    pango_layout_get_extents(layout_.get(), nullptr, &logical);
    const float width = static_cast<float>(logical.width) / PANGO_SCALE;
    const float height = static_cast<float>(logical.height) / PANGO_SCALE;
    float x = text.rect.x;
    if (text.align == scene::Align::kCenter) x += (text.rect.w - width) / 2;
    if (text.align == scene::Align::kRight) x += text.rect.w - width;
    const float y = text.rect.y + (text.rect.h - height) / 2;
    use(text.ink);
    cairo_move_to(cairo_, x, y);
    pango_cairo_show_layout(cairo_, layout_.get());
    if (!text.struck) return;
    const float middle = y + height * 0.54f;
    draw_line({{x, middle}, {x + width, middle}, {text.ink, std::max(1.0f, 0.07f * text.size.px)}});
  }

  cairo_t* cairo_;
  const scene::Palette& palette_;
  Layout layout_;
};

}  // namespace

void paint(cairo_t* cairo, const scene::Scene& scene, const scene::Palette& palette) {
  Painter painter(cairo, palette);
  for (const scene::Shape& shape : scene.shapes) painter.draw(shape);
}

}  // namespace lockstep::picture
