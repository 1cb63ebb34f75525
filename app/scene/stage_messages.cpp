#include "scene/stage_messages.h"

#include <algorithm>
#include <cmath>

#include "scene/strings.h"

namespace lockstep::scene {

std::vector<Placed> place(const std::vector<const MessageView*>& messages, const Track& track) {
  const float step = track.capsule_h * 1.12f;
  const float sign = track.to > track.from ? 1.0f : -1.0f;
  const float length = std::max(0.0f, std::abs(track.to - track.from) - track.capsule_h);
  const size_t room = static_cast<size_t>(length / step) + 1;
  std::vector<Placed> placed;
  for (size_t i = 0; i < messages.size() && i < room; ++i) placed.push_back({messages[i], 0, 0});
  if (messages.size() > room) {
    placed.back().more = messages.size() - room + 1;
  }
  float before = length + step;  // along the track, of the one ahead
  for (Placed& p : placed) {
    const float wanted =
        (p.message->blocked ? std::min(p.message->progress, 0.2f) : p.message->progress) * length;
    before = p.y = std::min(wanted, before - step);
  }
  float behind = -step;
  for (size_t i = placed.size(); i-- > 0;) {
    behind = placed[i].y = std::max(placed[i].y, behind + step);
  }
  for (Placed& p : placed) p.y = track.from + sign * (p.y + track.capsule_h / 2);
  return placed;
}

void draw_capsule(Canvas& canvas, const Band& band, const Placed& placed, const Track& track) {
  const Sizes& s = band.layout.sizes;
  const MessageView& message = *placed.message;
  const std::string label =
      placed.more > 0 ? say(Word::kMoreMessages, band.language, {std::to_string(placed.more)})
                      : message.label;
  const bool two_lines = message.with_resource && !message.second.empty() && placed.more == 0;
  const float text =
      std::max(canvas.width(label, s.small), two_lines ? canvas.width(message.second, s.small) : 0);
  const float width = std::min(text + 1.2f * s.u, track.right - track.left);
  const float height =
      two_lines ? track.capsule_h : std::min(track.capsule_h, s.small_h + 0.35f * s.u);
  const float x = std::max(track.left, std::min(track.x - width / 2, track.right - width));
  const Rect rect = {x, placed.y - height / 2, width, height};
  canvas.open_floating("message/" + message.id, rect, message.tooltip);
  const bool quiet = message.ping && placed.more == 0;
  canvas.box(
      rect, std::min(height / 2, 0.8f * s.u), ink(Role::kCard),
      {message.blocked ? ink(Role::kWarn) : hue(message.number, quiet ? 0.45f : 1.0f),
       (quiet ? 0.06f : 0.1f) * s.u, message.blocked ? LineStyle::kDashed : LineStyle::kSolid});
  const float inner = width - 0.8f * s.u;
  float y = rect.center().y - (two_lines ? s.small_h : s.small_h / 2);
  canvas.text(
      {rect.x + 0.4f * s.u, y, inner, s.small_h}, label,
      {.size = s.small, .ink = ink(quiet ? Role::kTextDim : Role::kText), .align = Align::kCenter});
  if (two_lines) {
    y += s.small_h;
    canvas.text({rect.x + 0.4f * s.u, y, inner, s.small_h}, message.second,
                {.size = s.small,
                 .ink = ink(message.blocked ? Role::kWarn : Role::kTextDim),
                 .align = Align::kCenter});
  }
  canvas.close();
}

}  // namespace lockstep::scene
