// Marks: where something was decided, with a sign on the lane and, where there is room, a word above it.
#include <algorithm>
#include <map>

#include "scene/stage_bands.h"
#include "scene/strings.h"
#include "scene/timeline_content.h"

namespace lockstep::scene {
namespace {

using trace::EventKind;

struct MarkLook {
  Word label = Word::kMarkAcquired;
  Role role = Role::kTextDim;
  enum class Sign : uint8_t { kDot, kRing, kCross, kAlarm } sign = Sign::kDot;
};

MarkLook look_of(const Mark& mark) {
  using Sign = MarkLook::Sign;
  switch (mark.kind) {
    case EventKind::kAcquired: return {Word::kMarkAcquired, Role::kIdentity, Sign::kDot};
    case EventKind::kSuspended: return {Word::kMarkSuspended, Role::kWarn, Sign::kRing};
    case EventKind::kLost: return {Word::kMarkLost, Role::kWarn, Sign::kCross};
    case EventKind::kReleased: return {Word::kMarkReleased, Role::kIdentity, Sign::kRing};
    case EventKind::kTimedOut: return {Word::kMarkTimedOut, Role::kTextDim, Sign::kCross};
    case EventKind::kCancelled: return {Word::kMarkCancelled, Role::kTextDim, Sign::kCross};
    case EventKind::kFailed: return {Word::kMarkFailed, Role::kWarn, Sign::kCross};
    case EventKind::kExpired: return {Word::kMarkTold, Role::kWarn, Sign::kCross};
    case EventKind::kSessionExpired: return {Word::kMarkExpired, Role::kWarn, Sign::kCross};
    case EventKind::kWriteRefused: return {Word::kMarkRefused, Role::kWarn, Sign::kCross};
    case EventKind::kWriteAccepted:
      if (mark.stale) return {Word::kMarkAcceptedStale, Role::kDanger, Sign::kAlarm};
      return {Word::kMarkAccepted, Role::kOk, Sign::kDot};
    default: return {};
  }
}

void draw_sign(Canvas& canvas, const Sizes& s, Point at, const MarkLook& look, Ink color) {
  const Ink ground = ink(Role::kBackground);
  switch (look.sign) {
    case MarkLook::Sign::kDot: canvas.circle(at, 0.36f * s.u, color, {ground, 0.1f * s.u}); break;
    case MarkLook::Sign::kRing: canvas.circle(at, 0.32f * s.u, ground, {color, 0.14f * s.u}); break;
    case MarkLook::Sign::kCross:
      canvas.circle(at, 0.5f * s.u, ground);
      canvas.cross(at, 0.72f * s.u, {color, 0.18f * s.u});
      break;
    case MarkLook::Sign::kAlarm:
      canvas.circle(at, 0.55f * s.u, ink(Role::kDangerFill), {ground, 0.1f * s.u});
      canvas.line({at.x, at.y - 0.32f * s.u}, {at.x, at.y + 0.08f * s.u},
                  {ink(Role::kOnDangerFill), 0.16f * s.u});
      canvas.circle({at.x, at.y + 0.26f * s.u}, 0.09f * s.u, ink(Role::kOnDangerFill));
      break;
  }
}

bool is_loud(const MarkLook& look) {
  return look.role == Role::kDanger || look.role == Role::kWarn;
}

/// A mark that is drawn. What has not happened yet at the position is faint.
struct Shown {
  const Mark* mark = nullptr;
  MarkLook look;
  Point at;
  std::string label;
  float opacity = 1;
};

/// The marks in view; of several of a kind within a sign's width, one.
std::vector<Shown> shown_marks(const Plot& plot) {
  const std::vector<Mark>& marks = plot.input.index.marks();
  const auto first =
      std::lower_bound(marks.begin(), marks.end(), plot.input.from_us,
                       [](const Mark& mark, TimeUs time) { return mark.time_us < time; });
  const float least = 0.5f * plot.rows.sizes.u;
  std::map<std::pair<uint32_t, Word>, float> drawn_at;
  std::vector<Shown> shown;
  for (auto mark = first; mark != marks.end() && mark->time_us <= plot.input.to_us; ++mark) {
    const TimelineRow* row = row_of_lane(plot.rows, mark->lane);
    if (!row || row->kind == TimelineRow::Kind::kFolded) continue;
    const MarkLook look = look_of(*mark);
    const float x = plot.axis.x_of(mark->time_us);
    const auto [last, added] = drawn_at.try_emplace({mark->lane, look.label}, x);
    if (!added && x - last->second < least) continue;
    last->second = x;
    shown.push_back({&*mark,
                     look,
                     {x, row->y},
                     say(look.label, plot.input.language, {plot.input.index.lanes()[mark->peer]}),
                     mark->event > plot.input.position ? 0.45f : 1.0f});
  }
  return shown;
}

void draw_mark(Canvas& canvas, const Plot& plot, const Shown& shown) {
  const Sizes& s = plot.rows.sizes;
  const Rect& area = plot.rows.plot;
  const float half = std::min(0.6f * s.u, 0.38f * plot.rows.row_h);
  const float left = std::max(area.x, shown.at.x - half);
  const float right = std::min(area.right(), shown.at.x + half);
  canvas.open_floating("mark/" + std::to_string(shown.mark->event),
                       {left, shown.at.y - half, right - left, 2 * half},
                       shown.label + "\n" + trace::time_text(shown.mark->time_us));
  const Ink color = {.role = shown.look.role,
                     .identity = plot.input.index.number_of(shown.mark->lane),
                     .opacity = shown.opacity};
  draw_sign(canvas, s, shown.at, shown.look, color);
  canvas.close();
}

/// The label above its sign: in the middle, or to one side, where there is room.
void draw_mark_label(Canvas& canvas, const Plot& plot, const Shown& shown, LabelRoom& room) {
  const Sizes& s = plot.rows.sizes;
  const TimelineRow& row = *row_of_lane(plot.rows, shown.mark->lane);
  const Rect& area = plot.rows.plot;
  const FontSize size = shown.look.role == Role::kDanger ? s.small_bold : s.small;
  const float width = canvas.width(shown.label, size);
  const float bottom = shown.at.y - 0.5f * s.u;
  if (bottom - row.top < 0.85f * s.small_h) return;
  const float y = std::max(row.top, bottom - s.small_h);
  for (const float x :
       {shown.at.x - width / 2, shown.at.x + 0.2f * s.u, shown.at.x - width - 0.2f * s.u}) {
    const float left = std::clamp(x, area.x, std::max(area.x, area.right() - width));
    const Rect rect = {left, y, width, s.small_h};
    const Rect padded = {rect.x - 0.15f * s.u, rect.y, rect.w + 0.3f * s.u, rect.h};
    if (!room.take(static_cast<size_t>(&row - plot.rows.rows.data()), false, padded)) continue;
    // Lines of messages end behind it.
    canvas.box({rect.x - 0.15f * s.u, y, width + 0.3f * s.u, bottom - y}, 0,
               ink(Role::kBackground, 0.8f));
    const Role role = is_loud(shown.look) ? shown.look.role : Role::kTextDim;
    canvas.text(rect, shown.label, {.size = size, .ink = ink(role, shown.opacity)});
    return;
  }
}

}  // namespace

void draw_marks(Canvas& canvas, const Plot& plot, LabelRoom& room) {
  std::vector<Shown> shown = shown_marks(plot);
  // The loud ones take the room for labels first, and lie on top.
  std::stable_partition(shown.begin(), shown.end(), [](const Shown& s) { return is_loud(s.look); });
  for (const Shown& mark : shown) draw_mark_label(canvas, plot, mark, room);
  for (auto mark = shown.rbegin(); mark != shown.rend(); ++mark) draw_mark(canvas, plot, *mark);
}

}  // namespace lockstep::scene
