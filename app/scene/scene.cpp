#include "scene/scene.h"

#include <algorithm>

#include "recipes/fields.h"

namespace lockstep::scene {
namespace {

Rect around(Point a, Point b, float by) {
  const float left = std::min(a.x, b.x) - by;
  const float top = std::min(a.y, b.y) - by;
  return {left, top, std::max(a.x, b.x) + by - left, std::max(a.y, b.y) + by - top};
}

Rect bounds_of_path(const Path& path) {
  if (path.points.empty()) return {};
  Point low = path.points.front();
  Point high = low;
  for (const Point p : path.points) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  return around(low, high, path.stroke.width / 2 + path.arrow);
}

Rect moved(Rect rect, Point by) { return {rect.x + by.x, rect.y + by.y, rect.w, rect.h}; }
Point moved(Point p, Point by) { return {p.x + by.x, p.y + by.y}; }

void move(Shape& shape, Point by) {
  std::visit(overloaded{
                 [&](Box& box) { box.rect = moved(box.rect, by); },
                 [&](Circle& circle) { circle.center = moved(circle.center, by); },
                 [&](Line& line) {
                   line.from = moved(line.from, by);
                   line.to = moved(line.to, by);
                 },
                 [&](Path& path) {
                   for (Point& p : path.points) p = moved(p, by);
                 },
                 [&](Text& text) { text.rect = moved(text.rect, by); },
             },
             shape);
}

bool lies_in(const Scene& scene, int32_t region, int32_t ancestor) {
  while (region >= 0 && region != ancestor)
    region = scene.regions[static_cast<size_t>(region)].parent;
  return region == ancestor;
}

}  // namespace

const Region* find_region(const Scene& scene, std::string_view id) {
  for (const Region& region : scene.regions) {
    if (region.id == id) return &region;
  }
  return nullptr;
}

const Region* region_at(const Scene& scene, Point at) {
  const Region* found = nullptr;
  for (const Region& region : scene.regions) {
    if (!region.rect.contains(at) || region.id.rfind("band/", 0) == 0) continue;
    if (!found || region.floats || !found->floats) found = &region;
  }
  return found;
}

std::string text_in(const Scene& scene, std::string_view id) {
  const Region* region = find_region(scene, id);
  if (!region) return {};
  const auto ancestor = static_cast<int32_t>(region - scene.regions.data());
  std::string all;
  for (const Shape& shape : scene.shapes) {
    const Text* text = std::get_if<Text>(&shape);
    if (!text || text->region < 0 || !lies_in(scene, text->region, ancestor)) continue;
    if (!all.empty()) all += ' ';
    all += text->whole.empty() ? text->text : text->whole;
  }
  return all;
}

std::vector<std::string> region_texts(const Scene& scene) {
  std::vector<std::string> texts(scene.regions.size());
  for (const Shape& shape : scene.shapes) {
    const Text* text = std::get_if<Text>(&shape);
    if (!text) continue;
    for (int32_t region = text->region; region >= 0;
         region = scene.regions[static_cast<size_t>(region)].parent) {
      std::string& all = texts[static_cast<size_t>(region)];
      if (!all.empty()) all += ' ';
      all += text->whole.empty() ? text->text : text->whole;
    }
  }
  return texts;
}

Rect bounds_of(const Shape& shape) {
  return std::visit(overloaded{
                        [](const Box& box) { return box.rect.inset(-box.stroke.width / 2); },
                        [](const Circle& circle) {
                          return around(circle.center, circle.center,
                                        circle.radius + circle.stroke.width / 2);
                        },
                        [](const Line& line) {
                          return around(line.from, line.to, line.stroke.width / 2 + line.arrow);
                        },
                        [](const Path& path) { return bounds_of_path(path); },
                        [](const Text& text) { return text.rect; },
                    },
                    shape);
}

void append(Scene& scene, const Scene& part, Point by) {
  const auto first = static_cast<int32_t>(scene.regions.size());
  for (const Region& region : part.regions) {
    Region& added = scene.regions.emplace_back(region);
    added.rect = moved(added.rect, by);
    if (added.parent >= 0) added.parent += first;
  }
  for (const Shape& shape : part.shapes) {
    Shape& added = scene.shapes.emplace_back(shape);
    move(added, by);
    if (Text* text = std::get_if<Text>(&added); text && text->region >= 0) text->region += first;
  }
}

}  // namespace lockstep::scene
