#include "scene/timeline_content.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "scene/spans.h"
#include "scene/stage_bands.h"
#include "scene/strings.h"

namespace lockstep::scene {
namespace {

size_t row_index(const Plot& plot, uint32_t lane) {
  return static_cast<size_t>(plot.rows.row_of_lane[lane]);
}
bool is_shown(const Plot& plot, uint32_t lane) {
  return lane < plot.rows.row_of_lane.size() && plot.rows.row_of_lane[lane] >= 0;
}
const TimelineRow& row_at(const Plot& plot, uint32_t lane) {
  return plot.rows.rows[row_index(plot, lane)];
}

float clamped_x(const Plot& plot, TimeUs time_us) {
  return std::clamp(plot.axis.x_of(time_us), plot.rows.plot.x, plot.rows.plot.right());
}

TimeUs end_of(const Plot& plot, TimeUs to_us) {
  return to_us >= 0 ? to_us : std::max(plot.input.index.end_us(), plot.input.at_us);
}

// ---- Spans -------------------------------------------------------------------------------------

std::string span_label(const Plot& plot, const Span& span, TimeUs end_us) {
  const trace::Language language = plot.input.language;
  const std::string lasted = span_text(between(span.from_us, end_us), language);
  switch (span.kind) {
    case SpanKind::kPaused: return say(Word::kPaused, language, {lasted});
    case SpanKind::kHung: return say(Word::kHung, language, {lasted});
    case SpanKind::kCrashed: return std::string(word(Word::kSpanCrashed, language));
    case SpanKind::kHolding: return std::string(word(Word::kSpanHolding, language));
    case SpanKind::kDangerous: return std::string(word(Word::kSpanDangerous, language));
    case SpanKind::kOwned:
      return say(Word::kSpanOwned, language, {plot.input.index.lanes()[span.owner]});
    case SpanKind::kLeading: return "LEADING";
    case SpanKind::kLooking: return "LOOKING";
  }
  return {};
}

bool is_stop(SpanKind kind) {
  return kind == SpanKind::kPaused || kind == SpanKind::kHung || kind == SpanKind::kCrashed;
}

void draw_stop(Canvas& canvas, const Plot& plot, const Span& span, Rect bar, LabelRoom& room) {
  const Sizes& s = plot.rows.sizes;
  canvas.box(bar, 0.25f * s.u, ink(Role::kWarnWash), {ink(Role::kWarn, 0.7f), 0.07f * s.u});
  const std::string label = span_label(plot, span, end_of(plot, span.to_us));
  const float width = canvas.width(label, s.small);
  const bool free = room.take(row_index(plot, span.lane), false, bar);
  if (!free || width + 0.6f * s.u > bar.w || bar.h < 0.8f * s.small_h) return;
  const Rect rect = {bar.center().x - width / 2, bar.center().y - s.small_h / 2, width, s.small_h};
  canvas.text(rect, label, {.size = s.small, .ink = ink(Role::kWarn)});
}

/// A server's time as a leader, or without one.
void draw_role(Canvas& canvas, const Plot& plot, const Span& span, Rect bar, LabelRoom& room) {
  const Sizes& s = plot.rows.sizes;
  const bool leads = span.kind == SpanKind::kLeading;
  const Role role = leads ? Role::kOk : Role::kWarn;
  if (leads) {
    canvas.box(bar, 0.15f * s.u, ink(role, 0.7f));
  } else {
    canvas.box(bar, 0.15f * s.u, ink(Role::kWarnWash), {ink(role, 0.7f), 0.07f * s.u, LineStyle::kDashed});
  }
  const std::string label = span_label(plot, span, 0);
  const float width = canvas.width(label, s.small_bold) + 1.0f * s.u;
  const float height = std::min(s.small_h, 0.74f * plot.rows.row_h);
  if (width + 1.2f * s.u > bar.w || height < s.small_h) return;
  const Rect chip = {bar.center().x - width / 2, bar.center().y - height / 2, width, height};
  if (!room.take(row_index(plot, span.lane), true, chip)) return;
  canvas.box(chip, 0.3f * s.u, ink(leads ? Role::kOkWash : Role::kWarnWash), {ink(role), 0.07f * s.u});
  canvas.text({chip.x + 0.5f * s.u, chip.y, width - 1.0f * s.u, height}, label,
              {.size = s.small_bold, .ink = ink(role)});
}

void draw_ownership(Canvas& canvas, const Plot& plot, const Span& span, Rect bar, LabelRoom& room) {
  const Sizes& s = plot.rows.sizes;
  const bool danger = span.kind == SpanKind::kDangerous;
  const int32_t number =
      plot.input.index.number_of(span.kind == SpanKind::kOwned ? span.owner : span.lane);
  if (danger) {
    canvas.box(bar.inset(-0.08f * s.u), 0.15f * s.u, ink(Role::kDangerFill));
    canvas.hatch(bar, 0.7f * s.u, {ink(Role::kOnDangerFill, 0.55f), 0.14f * s.u});
  } else {
    canvas.box(bar, 0.15f * s.u, hue(number));
  }
  const std::string label = span_label(plot, span, 0);
  const FontSize font = danger ? s.small_bold : s.small;
  const float width = canvas.width(label, font) + 1.0f * s.u;
  const float height = std::min(s.small_h, 0.74f * plot.rows.row_h);
  if (width + 2.4f * s.u > bar.w || height < s.small_h) return;
  const Rect chip = {bar.center().x - width / 2, bar.center().y - height / 2, width, height};
  if (!room.take(row_index(plot, span.lane), true, chip)) return;
  canvas.box(chip, 0.3f * s.u, danger ? ink(Role::kDangerFill) : hue(number));
  const Ink text =
      danger ? ink(Role::kOnDangerFill) : Ink{.role = Role::kOnIdentity, .identity = number};
  canvas.text({chip.x + 0.5f * s.u, chip.y, width - 1.0f * s.u, height}, label,
              {.size = font, .ink = text});
}

}  // namespace

bool LabelRoom::take(size_t row, bool below, Rect rect) {
  std::vector<Interval>& taken = taken_[2 * row + (below ? 1 : 0)];
  for (const Interval& other : taken) {
    if (rect.x < other.right && other.left < rect.right()) return false;
  }
  taken.push_back({rect.x, rect.right()});
  return true;
}

void draw_spans(Canvas& canvas, const Plot& plot, LabelRoom& room) {
  const Sizes& s = plot.rows.sizes;
  const std::vector<Span>& spans = plot.input.index.spans();
  // Spans of less than a pixel next to each other are drawn once.
  std::map<std::pair<uint32_t, SpanKind>, float> drawn_to;
  for (size_t i = plot.input.index.first_span(plot.input.from_us); i < spans.size(); ++i) {
    const Span& span = spans[i];
    if (span.from_us > plot.input.to_us) break;
    if (!is_shown(plot, span.lane) || end_of(plot, span.to_us) < plot.input.from_us) continue;
    const TimelineRow& row = row_at(plot, span.lane);
    if (row.kind == TimelineRow::Kind::kFolded) continue;
    const float left = clamped_x(plot, span.from_us);
    const float right = std::max(clamped_x(plot, end_of(plot, span.to_us)), left + 1);
    const auto [last, first] = drawn_to.try_emplace({span.lane, span.kind}, right);
    if (!first && right <= last->second + 0.5f) continue;
    last->second = right;
    if (is_stop(span.kind)) {
      const float height = std::min(s.small_h + 0.1f * s.u, row.y - row.top - 0.56f * s.u);
      if (height <= 0) continue;
      draw_stop(canvas, plot, span, {left, row.y - 0.54f * s.u - height, right - left, height},
                room);
    } else {
      const float height = std::min(0.42f * s.u, 0.3f * plot.rows.row_h);
      const Rect bar = {left, row.y - height / 2, right - left, height};
      const bool of_server = span.kind == SpanKind::kLeading || span.kind == SpanKind::kLooking;
      of_server ? draw_role(canvas, plot, span, bar, room) : draw_ownership(canvas, plot, span, bar, room);
    }
  }
}

// ---- Messages ----------------------------------------------------------------------------------

namespace {

uint32_t client_of(const Plot& plot, const Flight& flight) {
  return plot.input.index.is_client(flight.from) ? flight.from : flight.to;
}

void draw_flight(Canvas& canvas, const Plot& plot, const Flight& flight) {
  const Sizes& s = plot.rows.sizes;
  const bool chosen = plot.input.chosen.empty() ||
                      plot.input.index.lanes()[client_of(plot, flight)] == plot.input.chosen;
  const float opacity = (flight.ping ? 0.3f : 0.85f) * (chosen ? 1.0f : 0.6f);
  const uint32_t client = client_of(plot, flight);
  const bool of_client = plot.input.index.is_client(client);
  const Ink color = of_client ? hue(plot.input.index.number_of(client), opacity) : ink(Role::kTextDim, 0.7f * opacity);
  Stroke stroke = {color, (flight.ping ? 0.06f : 0.1f) * s.u};
  const Point from = {plot.axis.x_of(flight.sent_us), row_at(plot, flight.from).y};
  Point to = {plot.axis.x_of(end_of(plot, flight.arrived_us)), row_at(plot, flight.to).y};
  const bool under_way = flight.arrived_us < 0;
  if (under_way) {
    stroke.style = LineStyle::kDotted;
    to.y = (from.y + to.y) / 2;  // who knows when it arrives
  }
  const Rect& area = plot.rows.plot;
  // Cut off at the sides, where its line leaves the plot.
  const auto at_x = [&](float x) {
    return Point{x, from.y + (to.y - from.y) * (x - from.x) / (to.x - from.x)};
  };
  Point a = from;
  Point b = to;
  if (a.x < area.x) a = at_x(area.x);
  if (b.x > area.right()) b = at_x(area.right());
  const float length = std::hypot(b.x - a.x, b.y - a.y);
  const bool whole = b.x == to.x && !under_way;
  canvas.line(a, b, stroke, whole && !flight.ping ? std::min(0.55f * s.u, length / 2) : 0);
  if (flight.dropped && whole) canvas.cross(b, 0.5f * s.u, {ink(Role::kWarn), 0.1f * s.u});
}

void draw_counts(Canvas& canvas, const Plot& plot, size_t first) {
  const Sizes& s = plot.rows.sizes;
  const float column = std::max(2.0f, 0.28f * s.u);
  const auto columns = static_cast<size_t>(plot.rows.plot.w / column) + 1;
  std::vector<std::vector<uint32_t>> counts(plot.rows.rows.size(), std::vector<uint32_t>(columns));
  uint32_t most = 1;
  const std::vector<Flight>& flights = plot.input.index.flights();
  const double scale = static_cast<double>(plot.rows.plot.w) /
                       static_cast<double>(between(plot.input.from_us, plot.input.to_us)) /
                       static_cast<double>(column);
  for (size_t i = first; i < flights.size() && flights[i].sent_us <= plot.input.to_us; ++i) {
    const Flight& flight = flights[i];
    if (flight.sent_us < plot.input.from_us || !is_shown(plot, flight.from)) continue;
    const auto at = static_cast<size_t>(
        static_cast<double>(between(plot.input.from_us, flight.sent_us)) * scale);
    most = std::max(most, ++counts[row_index(plot, flight.from)][std::min(at, columns - 1)]);
  }
  const float per = 1 / std::log2(static_cast<float>(most) + 1);
  for (size_t row = 0; row < counts.size(); ++row) {
    const TimelineRow& lane = plot.rows.rows[row];
    const bool client = lane.kind == TimelineRow::Kind::kClient;
    const Ink color =
        client ? hue(plot.input.index.number_of(lane.lane), 0.55f) : ink(Role::kTextDim, 0.45f);
    for (size_t i = 0; i < columns; ++i) {
      if (counts[row][i] == 0) continue;
      const float part = std::log2(static_cast<float>(counts[row][i]) + 1) * per;
      const float height = std::max(1.0f, part * 0.42f * plot.rows.row_h);
      const float x = plot.rows.plot.x + static_cast<float>(i) * column;
      const float w = std::min(column, plot.rows.plot.right() - x);
      if (w > 0) canvas.box({x, lane.y - height, w, height}, 0, color);
    }
  }
}

}  // namespace

void draw_flights(Canvas& canvas, const Plot& plot) {
  const std::vector<Flight>& flights = plot.input.index.flights();
  const size_t first = plot.input.index.first_flight(plot.input.from_us);
  const auto last = std::upper_bound(flights.begin() + static_cast<std::ptrdiff_t>(first),
                                     flights.end(), plot.input.to_us,
                                     [](TimeUs time, const Flight& f) { return time < f.sent_us; });
  const float ems = plot.rows.plot.w / plot.rows.sizes.u;
  if (static_cast<float>(last - flights.begin()) - static_cast<float>(first) > kFlightsPerEm * ems)
    return draw_counts(canvas, plot, first);
  for (size_t i = first; i < static_cast<size_t>(last - flights.begin()); ++i) {
    const Flight& flight = flights[i];
    if (end_of(plot, flight.arrived_us) < plot.input.from_us) continue;
    if (!is_shown(plot, flight.from) || !is_shown(plot, flight.to)) continue;
    if (row_at(plot, flight.from).kind == TimelineRow::Kind::kFolded) continue;
    if (row_at(plot, flight.to).kind == TimelineRow::Kind::kFolded) continue;
    draw_flight(canvas, plot, flight);
  }
}

}  // namespace lockstep::scene
