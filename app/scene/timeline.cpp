#include "scene/timeline.h"

#include <algorithm>

#include "scene/spans.h"
#include "scene/stage_bands.h"
#include "scene/timeline_content.h"

namespace lockstep::scene {
namespace {

TimeAxis axis_of(const TimelineInput& input, const TimelineRows& rows) {
  return {rows.plot.x, rows.plot.right(), input.from_us, input.to_us};
}

void draw_lanes(Canvas& canvas, const Plot& plot) {
  const TimelineRows& rows = plot.rows;
  const Sizes& s = rows.sizes;
  for (size_t i = 0; i < rows.rows.size(); ++i) {
    const TimelineRow& row = rows.rows[i];
    const bool client = row.kind == TimelineRow::Kind::kClient;
    const bool folded = row.kind == TimelineRow::Kind::kFolded;
    const Rect label = {rows.label_x, row.top, rows.label_w, rows.row_h};
    canvas.open((folded ? "folded/" : "lane/") + (folded ? std::to_string(i) : row.name), label);
    if (client) {
      const float height = std::min(1.5f * s.u, 0.9f * rows.row_h);
      draw_badge(canvas, s, row.name,
                 {.at = {label.x, row.y},
                  .height = height,
                  .width_max = label.w,
                  .number = plot.input.index.number_of(row.lane)});
    } else {
      canvas.text({label.x, row.y - s.small_h / 2, label.w, s.small_h}, row.name,
                  {.size = s.small, .ink = ink(folded ? Role::kTextDim : Role::kText)});
    }
    canvas.close();
    const bool chosen = client && row.name == plot.input.chosen;
    canvas.line({rows.plot.x, row.y}, {rows.plot.right(), row.y},
                {ink(chosen ? Role::kAccent : Role::kLine, chosen ? 0.8f : 1.0f), 0.07f * s.u,
                 folded ? LineStyle::kDotted : LineStyle::kSolid});
  }
}

/// Where the scrubber says its time; empty if it is out of view.
Rect bubble_of(Canvas& canvas, const Plot& plot) {
  if (plot.input.at_us < plot.input.from_us || plot.input.at_us > plot.input.to_us) return {};
  const Sizes& s = plot.rows.sizes;
  const Rect& axis = plot.rows.axis;
  const float width = canvas.width(trace::time_text(plot.input.at_us), s.small_bold) + 1.2f * s.u;
  const float least = axis.x - 1.8f * s.u;
  const float most = std::max(least, axis.right() + 1.8f * s.u - width);
  const float left = std::clamp(plot.axis.x_of(plot.input.at_us) - width / 2, least, most);
  return {left, axis.y + 0.35f * s.u, width, s.small_h + 0.4f * s.u};
}

void draw_axis(Canvas& canvas, const Plot& plot) {
  const TimelineRows& rows = plot.rows;
  const Sizes& s = rows.sizes;
  canvas.open("timeline/axis", rows.axis);
  const float y = rows.axis.y + 0.35f * s.u;
  canvas.line({rows.axis.x, y}, {rows.axis.right(), y}, {ink(Role::kLine), 0.16f * s.u});
  const TimeUs step =
      tick_step(between(plot.input.from_us, plot.input.to_us), rows.axis.w, 6.5f * s.u);
  const TimeUs first = (plot.input.from_us + step - 1) / step * step;
  const Rect bubble = bubble_of(canvas, plot);
  for (TimeUs time = first; time <= plot.input.to_us; time += step) {
    const float x = plot.axis.x_of(time);
    canvas.line({x, y}, {x, y + 0.35f * s.u}, {ink(Role::kLine), 0.08f * s.u});
    const std::string text = tick_text(time, step);
    const float width = canvas.width(text, s.small);
    const float left =
        std::clamp(x - width / 2, rows.axis.x, std::max(rows.axis.x, rows.axis.right() - width));
    if (left < bubble.right() && bubble.x < left + width) continue;
    canvas.text({left, y + 0.4f * s.u, width, s.small_h}, text,
                {.size = s.small, .ink = ink(Role::kTextDim)});
  }
  canvas.close();
}

/// What has not happened yet at the position is veiled.
void draw_veil(Canvas& canvas, const Plot& plot) {
  const Rect& area = plot.rows.plot;
  const float x = std::max(area.x, plot.axis.x_of(plot.input.at_us));
  if (x >= area.right()) return;
  canvas.box({x, area.y, area.right() - x, area.h}, 0, ink(Role::kBackground, 0.6f));
}

void draw_scrubber(Canvas& canvas, const Plot& plot) {
  const TimelineRows& rows = plot.rows;
  const Sizes& s = rows.sizes;
  const Rect bubble = bubble_of(canvas, plot);
  if (bubble.w <= 0) return;
  const float x = plot.axis.x_of(plot.input.at_us);
  canvas.line({x, rows.plot.y}, {x, rows.axis.y + 0.35f * s.u}, {ink(Role::kAccent), 0.12f * s.u});
  canvas.open_floating("timeline/scrubber", bubble);
  canvas.box(bubble, bubble.h / 2, ink(Role::kAccent));
  canvas.text({bubble.x + 0.6f * s.u, bubble.y + 0.2f * s.u, bubble.w - 1.2f * s.u, s.small_h},
              trace::time_text(plot.input.at_us),
              {.size = s.small_bold, .ink = ink(Role::kBackground), .align = Align::kCenter});
  canvas.close();
}

}  // namespace

float TimeAxis::x_of(TimeUs time_us) const {
  const auto range = static_cast<double>(std::max<TimeUs>(between(from_us, to_us), 1));
  const double part = static_cast<double>(between(from_us, time_us)) / range;
  return static_cast<float>(static_cast<double>(left) + part * static_cast<double>(right - left));
}

TimeUs TimeAxis::time_of(float x) const {
  if (x <= left || right <= left) return from_us;
  if (x >= right) return to_us;
  const double part = static_cast<double>(x - left) / static_cast<double>(right - left);
  return from_us + static_cast<TimeUs>(part * static_cast<double>(between(from_us, to_us)));
}

TimeAxis time_axis(const TimelineInput& input) { return axis_of(input, rows_of(input)); }

Scene compose_timeline(const TimelineInput& input) {
  const TimelineRows rows = rows_of(input);
  const Plot plot{input, rows, axis_of(input, rows)};
  Canvas canvas(input.size, input.measure);
  draw_lanes(canvas, plot);
  canvas.open("band/plot", rows.plot);
  LabelRoom room(rows.rows.size());
  draw_flights(canvas, plot);
  draw_spans(canvas, plot, room);
  draw_veil(canvas, plot);
  draw_marks(canvas, plot, room);
  canvas.close();
  draw_axis(canvas, plot);
  draw_scrubber(canvas, plot);
  return canvas.take();
}

}  // namespace lockstep::scene
