// What the composers draw on: appends shapes to a scene, keeps track of the region that is being filled,
// and fits every text into the room it was given.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "scene/scene.h"
#include "scene/text_measure.h"

namespace lockstep::scene {

struct TextStyle {
  FontSize size = {};
  Ink ink = {};
  Align align = Align::kLeft;
  bool struck = false;
};

class Canvas {
 public:
  /// `measure` must outlive the canvas.
  Canvas(Size size, const TextMeasure& measure);

  const TextMeasure& measure() const { return *measure_; }
  float width(std::string_view text, FontSize size) const { return measure_->width(text, size); }
  float height(FontSize size) const { return measure_->height(size); }

  /// Begins a region within the current one; what follows belongs to it, until close().
  void open(std::string id, Rect rect, std::string tooltip = {});
  void open_floating(std::string id, Rect rect, std::string tooltip = {});
  void close();
  /// A region without content of its own.
  void region(std::string id, Rect rect, std::string tooltip = {});

  void box(Rect rect, float radius, Ink fill, Stroke stroke = {});
  void circle(Point center, float radius, Ink fill, Stroke stroke = {});
  void line(Point from, Point to, Stroke stroke, float arrow = 0);
  void path(std::vector<Point> points, Stroke stroke, float radius, float arrow = 0);
  /// Diagonal stripes within `rect`, `gap` apart.
  void hatch(Rect rect, float gap, Stroke stroke);
  /// An × as high and wide as `size`.
  void cross(Point center, float size, Stroke stroke);

  /// One line of text, fitted to `rect`'s width; nothing if the text is empty or does not fit at all.
  /// Returns the width that was taken.
  float text(Rect rect, std::string_view text, const TextStyle& style);

  void resize(Size size) { scene_.size = size; }
  Scene take() { return std::move(scene_); }

 private:
  void begin(std::string id, Rect rect, std::string tooltip, bool floats);

  Scene scene_;
  const TextMeasure* measure_;
  int32_t region_ = -1;
};

}  // namespace lockstep::scene
