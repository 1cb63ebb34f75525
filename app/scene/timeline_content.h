// What lies on the lanes of a timeline.
#pragma once

#include "scene/canvas.h"
#include "scene/timeline_rows.h"

namespace lockstep::scene {

/// What the contents are drawn from.
struct Plot {
  const TimelineInput& input;
  const TimelineRows& rows;
  TimeAxis axis;
};

/// Room for labels along the rows: a label is placed only where no other is.
class LabelRoom {
 public:
  explicit LabelRoom(size_t rows) : taken_(2 * rows) {}
  /// True, and taken from then on, if x to x + w is free above (or below) the row's line.
  bool take(size_t row, bool below, Rect rect);

 private:
  struct Interval {
    float left = 0;
    float right = 0;
  };
  std::vector<std::vector<Interval>> taken_;
};

void draw_spans(Canvas& canvas, const Plot& plot, LabelRoom& room);
/// As arrows, or, where there are too many, as counts a column of pixels.
void draw_flights(Canvas& canvas, const Plot& plot);
void draw_marks(Canvas& canvas, const Plot& plot, LabelRoom& room);

/// More messages than this to an em of width are shown as counts: their arrows would be one thicket.
constexpr float kFlightsPerEm = 8;

}  // namespace lockstep::scene
