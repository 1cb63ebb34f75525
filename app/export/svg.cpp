#include "export/svg.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "recipes/fields.h"

namespace lockstep::picture {
namespace {

using scene::Point;

/// With at most two decimals, whatever the locale.
std::string number(float value) {
  const auto hundredths = static_cast<int64_t>(std::lround(value * 100));
  const int64_t size = hundredths < 0 ? -hundredths : hundredths;
  std::string text = hundredths < 0 ? "-" : "";
  text += std::to_string(size / 100);
  const int64_t fraction = size % 100;
  if (fraction == 0) return text;
  text += fraction < 10 ? ".0" : ".";
  text += std::to_string(fraction % 10 == 0 && fraction >= 10 ? fraction / 10 : fraction);
  return text;
}

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&': safe += "&amp;"; break;
      case '<': safe += "&lt;"; break;
      case '>': safe += "&gt;"; break;
      case '"': safe += "&quot;"; break;
      default:
        // XML has no way to write other control characters.
        safe += static_cast<unsigned char>(c) < 0x20u ? ' ' : c;
    }
  }
  return safe;
}

class Writer {
 public:
  Writer(const scene::Palette& palette, const scene::TextMeasure& measure)
      : palette_(palette), measure_(measure) {}

  std::string out;

  void shape(const scene::Shape& shape) {
    std::visit(overloaded{[&](const scene::Box& box) { draw(box); },
                          [&](const scene::Circle& circle) { draw(circle); },
                          [&](const scene::Line& line) { draw(line); },
                          [&](const scene::Path& path) { draw(path); },
                          [&](const scene::Text& text) { draw(text); }},
               shape);
  }

  std::string color(scene::Ink ink) const {
    const scene::Rgb rgb = palette_.color(ink);
    std::string text = "#";
    for (const uint8_t part : {rgb.r, rgb.g, rgb.b}) {
      text += "0123456789abcdef"[part >> 4u];
      text += "0123456789abcdef"[part & 15u];
    }
    return text;
  }

 private:
  void attribute(std::string_view name, std::string_view value) {
    out.append(" ").append(name).append("=\"").append(value).append("\"");
  }
  void attribute(std::string_view name, float value) { attribute(name, number(value)); }

  void fill(scene::Ink ink) {
    if (ink.opacity <= 0) return attribute("fill", "none");
    attribute("fill", color(ink));
    if (ink.opacity < 1) attribute("fill-opacity", ink.opacity);
  }

  void stroke(const scene::Stroke& stroke) {
    if (stroke.width <= 0 || stroke.ink.opacity <= 0) return;
    attribute("stroke", color(stroke.ink));
    attribute("stroke-width", stroke.width);
    if (stroke.ink.opacity < 1) attribute("stroke-opacity", stroke.ink.opacity);
    const float unit = std::max(stroke.width, 1.2f);
    if (stroke.style == scene::LineStyle::kDashed) {
      attribute("stroke-dasharray", number(3 * unit) + " " + number(2.2f * unit));
    } else if (stroke.style == scene::LineStyle::kDotted) {
      attribute("stroke-dasharray", "0.01 " + number(2.5f * unit));
      attribute("stroke-linecap", "round");
    }
  }

  void draw(const scene::Box& box) {
    out += "<rect";
    attribute("x", box.rect.x);
    attribute("y", box.rect.y);
    attribute("width", std::max(0.0f, box.rect.w));
    attribute("height", std::max(0.0f, box.rect.h));
    if (box.radius > 0) attribute("rx", box.radius);
    fill(box.fill);
    stroke(box.stroke);
    out += "/>\n";
  }

  void draw(const scene::Circle& circle) {
    out += "<circle";
    attribute("cx", circle.center.x);
    attribute("cy", circle.center.y);
    attribute("r", circle.radius);
    fill(circle.fill);
    stroke(circle.stroke);
    out += "/>\n";
  }

  static std::string at(Point p) { return number(p.x) + " " + number(p.y); }

  /// The head of an arrow; returns where its line ends.
  Point head(Point tip, Point before, float length, scene::Ink ink) {
    const float dx = tip.x - before.x;
    const float dy = tip.y - before.y;
    const float whole = std::hypot(dx, dy);
    if (length <= 0 || whole <= 0) return tip;
    const Point unit = {dx / whole, dy / whole};
    const Point base = {tip.x - unit.x * length, tip.y - unit.y * length};
    const float half = 0.42f * length;
    out += "<path";
    attribute("d", "M" + at(tip) + " L" + at({base.x - unit.y * half, base.y + unit.x * half}) +
                       " L" + at({base.x + unit.y * half, base.y - unit.x * half}) + " Z");
    fill(ink);
    out += "/>\n";
    return {tip.x - unit.x * 0.9f * length, tip.y - unit.y * 0.9f * length};
  }

  void draw(const scene::Line& line) {
    const Point end = head(line.to, line.from, line.arrow, line.stroke.ink);
    out += "<path";
    attribute("d", "M" + at(line.from) + " L" + at(end));
    attribute("fill", "none");
    stroke(line.stroke);
    out += "/>\n";
  }

  void draw(const scene::Path& path) {
    const auto& p = path.points;
    if (p.size() < 2) return;
    const Point end = head(p.back(), p[p.size() - 2], path.arrow, path.stroke.ink);
    std::string d = "M" + at(p.front());
    for (size_t i = 1; i + 1 < p.size(); ++i) {
      const auto towards = [&](Point other) {
        const float length = std::hypot(other.x - p[i].x, other.y - p[i].y);
        const float part = length > 0 ? std::min(path.radius, length / 2) / length : 0;
        return Point{p[i].x + (other.x - p[i].x) * part, p[i].y + (other.y - p[i].y) * part};
      };
      d += " L" + at(towards(p[i - 1])) + " Q" + at(p[i]) + " " + at(towards(p[i + 1]));
    }
    d += " L" + at(end);
    out += "<path";
    attribute("d", d);
    attribute("fill", "none");
    stroke(path.stroke);
    out += "/>\n";
  }

  void draw(const scene::Text& text) {
    const float width = measure_.width(text.text, text.size);
    float x = text.rect.x;
    if (text.align == scene::Align::kCenter) x += (text.rect.w - width) / 2;
    if (text.align == scene::Align::kRight) x += text.rect.w - width;
    out += "<text";
    attribute("x", x);
    // The middle of the line's box; the baseline lies below it by about a third of the em.
    attribute("y", text.rect.center().y + 0.36f * text.size.px);
    attribute("font-size", text.size.px);
    attribute("textLength", width);
    attribute("lengthAdjust", "spacingAndGlyphs");
    if (text.size.font == scene::Font::kMono) attribute("class", "m");
    if (text.size.font == scene::Font::kBold) attribute("font-weight", "bold");
    if (text.struck) attribute("text-decoration", "line-through");
    fill(text.ink);
    out += ">" + escaped(text.text) + "</text>\n";
  }

  const scene::Palette& palette_;
  const scene::TextMeasure& measure_;
};

}  // namespace

std::string svg_of(const scene::Scene& scene, const scene::Palette& palette,
                   const scene::TextMeasure& measure) {
  Writer writer(palette, measure);
  const std::string w = number(scene.size.w);
  const std::string h = number(scene.size.h);
  writer.out =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
      "width=\"" +
      w + "\" height=\"" + h + "\" viewBox=\"0 0 " + w + " " + h + "\">\n" +
      "<style>text{font-family:'Noto Sans','Noto Sans CJK SC','WenQuanYi Micro Hei','DejaVu Sans',"
      "sans-serif;white-space:pre}text.m{font-family:'DejaVu Sans Mono','Noto Sans Mono CJK SC',"
      "monospace}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"" +
      writer.color({.role = scene::Role::kBackground}) + "\"/>\n";
  for (const scene::Shape& shape : scene.shapes) writer.shape(shape);
  writer.out += "</svg>\n";
  return std::move(writer.out);
}

}  // namespace lockstep::picture
