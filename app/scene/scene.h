// A scene: a picture as a flat list of shapes with text, in paint order, knowing no screen. Sizes are in
// pixels of the picture, from its top left corner; colours are roles (palette.h); texts are fitted
// already. The window and the exported pictures paint the same scene.
//
// Regions say what is where: each has an id by which tests, tooltips and clicks find it, and lies within
// its parent. Invariants (tested): regions with the same parent do not overlap, unless one floats (a
// message in flight); a text lies within its region; a region lies within its parent, and the scene.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scene/palette.h"
#include "scene/text_measure.h"

namespace lockstep::scene {

struct Point {
  float x = 0;
  float y = 0;

  bool operator==(const Point&) const = default;
};

struct Size {
  float w = 0;
  float h = 0;

  bool operator==(const Size&) const = default;
};

struct Rect {
  float x = 0;
  float y = 0;
  float w = 0;
  float h = 0;

  float right() const { return x + w; }
  float bottom() const { return y + h; }
  Point center() const { return {x + w / 2, y + h / 2}; }
  bool contains(Point p) const { return p.x >= x && p.x < right() && p.y >= y && p.y < bottom(); }
  /// Smaller by `by` on each side.
  Rect inset(float by) const { return {x + by, y + by, w - 2 * by, h - 2 * by}; }

  bool operator==(const Rect&) const = default;
};

enum class LineStyle : uint8_t { kSolid, kDashed, kDotted };

struct Stroke {
  Ink ink = {.role = Role::kLine};
  float width = 0;  ///< 0: no line
  LineStyle style = LineStyle::kSolid;

  bool operator==(const Stroke&) const = default;
};

/// A rectangle with round corners; the stroke is centred on its edge.
struct Box {
  Rect rect;
  float radius = 0;
  Ink fill = {.role = Role::kBackground, .opacity = 0};  ///< opacity 0: not filled
  Stroke stroke;

  bool operator==(const Box&) const = default;
};

struct Circle {
  Point center;
  float radius = 0;
  Ink fill = {.role = Role::kBackground, .opacity = 0};
  Stroke stroke;

  bool operator==(const Circle&) const = default;
};

/// A straight line.
struct Line {
  Point from;
  Point to;
  Stroke stroke;
  float arrow = 0;  ///< length of the arrow head at `to`; 0: none. The head's tip is at `to`.

  bool operator==(const Line&) const = default;
};

/// A line with corners, which are rounded by `radius`.
struct Path {
  std::vector<Point> points;
  Stroke stroke;
  float radius = 0;
  float arrow = 0;  ///< as Line::arrow, at the last point

  bool operator==(const Path&) const = default;
};

enum class Align : uint8_t { kLeft, kCenter, kRight };

/// One line of text, as wide as its box or narrower: centred vertically in `rect`, aligned in it
/// horizontally. `text` is what is shown; `whole` is the text before it was fitted, if it was cut.
struct Text {
  Rect rect;
  std::string text;
  std::string whole;
  FontSize size;
  Ink ink;
  Align align = Align::kLeft;
  bool struck = false;  ///< a line through it
  int32_t region = -1;  ///< index of the region that it belongs to

  bool operator==(const Text&) const = default;
};

using Shape = std::variant<Box, Circle, Line, Path, Text>;

/// Ids: "client/A", "znode/<path>", "message/17", "link/A>zk1", "session/A#1", "server/zk1",
/// "resource/db", "ledger/3", "folded/2" (by column); of parts and bands: "band/belief", "client/A/chip";
/// of the timeline: "lane/A", "mark/<event index>", "timeline/axis", "timeline/scrubber".
struct Region {
  std::string id;
  Rect rect;
  std::string tooltip;  ///< may have several lines; empty: none
  int32_t parent = -1;  ///< index of the region that it lies in; -1: the scene
  bool floats = false;  ///< lies over its siblings

  bool operator==(const Region&) const = default;
};

struct Scene {
  Size size;
  std::vector<Shape> shapes;    ///< painted first to last
  std::vector<Region> regions;  ///< parents before their children

  bool operator==(const Scene&) const = default;
};

/// The region with this id, or nullptr.
const Region* find_region(const Scene& scene, std::string_view id);

/// The topmost region at `at` whose id does not start with "band/"; nullptr if there is none.
const Region* region_at(const Scene& scene, Point at);

/// The texts in the region and the regions in it, in paint order, joined by spaces; as they were before
/// fitting.
std::string text_in(const Scene& scene, std::string_view id);

/// text_in() of every region, in their order, in one go.
std::vector<std::string> region_texts(const Scene& scene);

/// What the shape may paint on, arrow heads and line widths included. For culling.
Rect bounds_of(const Shape& shape);

/// Adds all of `part` to `scene`, moved by `by`. The scene's size stays.
void append(Scene& scene, const Scene& part, Point by);

}  // namespace lockstep::scene
