// What is on its way. Between belief and truth each client has two wires: requests go down the left one,
// replies and watch events come up the right one. Links to the resource share one trunk in the gutter.
#include <algorithm>
#include <functional>

#include "scene/stage_bands.h"
#include "scene/strings.h"

namespace lockstep::scene {
namespace {

/// A vertical stretch along which messages travel, `to` being where they arrive.
struct Track {
  float x = 0;
  float from = 0;
  float to = 0;
  float width = 0;     // of a capsule, at most
  float capsule_h = 0;
};

struct Placed {
  const MessageView* message = nullptr;
  size_t more = 0;  // 0: the message; else a count of messages behind it that have no room
  float y = 0;      // of the middle
};

/// Puts messages, the first sent first, at their places without overlap, as many as have room.
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
    const float wanted = (p.message->blocked ? std::min(p.message->progress, 0.2f) : p.message->progress) * length;
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
  const std::string label = placed.more > 0
                                ? say(Word::kMoreMessages, band.language, {std::to_string(placed.more)})
                                : message.label;
  const bool two_lines = message.with_resource && !message.second.empty() && placed.more == 0;
  const float text = std::max(canvas.width(label, s.small), two_lines ? canvas.width(message.second, s.small) : 0);
  const float width = std::min(text + 1.2f * s.u, track.width);
  const float height = two_lines ? track.capsule_h : std::min(track.capsule_h, s.small_h + 0.35f * s.u);
  const Rect rect = {track.x - width / 2, placed.y - height / 2, width, height};
  canvas.open_floating("message/" + message.id, rect, message.tooltip);
  const bool quiet = message.ping && placed.more == 0;
  canvas.box(rect, std::min(height / 2, 0.8f * s.u), ink(Role::kCard),
             {message.blocked ? ink(Role::kWarn) : hue(message.number, quiet ? 0.45f : 1.0f),
              (quiet ? 0.06f : 0.1f) * s.u, message.blocked ? LineStyle::kDashed : LineStyle::kSolid});
  const float inner = width - 0.8f * s.u;
  float y = rect.center().y - (two_lines ? s.small_h : s.small_h / 2);
  canvas.text({rect.x + 0.4f * s.u, y, inner, s.small_h}, label,
              {.size = s.small, .ink = ink(quiet ? Role::kTextDim : Role::kText), .align = Align::kCenter});
  if (two_lines) {
    y += s.small_h;
    canvas.text({rect.x + 0.4f * s.u, y, inner, s.small_h}, message.second,
                {.size = s.small, .ink = ink(message.blocked ? Role::kWarn : Role::kTextDim), .align = Align::kCenter});
  }
  canvas.close();
}

// ---- Between belief and truth ------------------------------------------------------------------

Stroke wire_of(const ClientView& client, const Sizes& s) {
  switch (client.tie) {
    case Tie::kUp: return {hue(client.number, 0.55f), 0.08f * s.u};
    case Tie::kUnsure: return {hue(client.number, 0.55f), 0.08f * s.u, LineStyle::kDashed};
    case Tie::kOver: return {ink(Role::kLine), 0.08f * s.u};
    case Tie::kNone: return {ink(Role::kLine, 0.6f), 0.08f * s.u, LineStyle::kDotted};
  }
  return {};
}

const BlockView* block_on(const StageModel& model, size_t column, bool to_client) {
  for (const BlockView& block : model.blocks) {
    if (block.column == column && block.to_client == to_client && !block.with_resource) return &block;
  }
  return nullptr;
}

/// The sign on a cut or held wire: past its middle, where no message gets.
void draw_block(Canvas& canvas, const Sizes& s, const BlockView& block, const Track& track) {
  const float y = track.from + (track.to - track.from) * 0.74f;
  const float width = std::min(canvas.width(block.text, s.small_bold) + 2 * s.u, track.width);
  const float height = s.small_h + 0.2f * s.u;
  const Rect rect = {track.x - width / 2, y - height / 2, width, height};
  canvas.box(rect, 0.3f * s.u, ink(Role::kWarnWash), {ink(Role::kWarn), 0.08f * s.u});
  canvas.cross({rect.x + 0.7f * s.u, y}, 0.6f * s.u, {ink(Role::kWarn), 0.14f * s.u});
  canvas.text({rect.x + 1.2f * s.u, rect.y + 0.1f * s.u, rect.w - 1.5f * s.u, s.small_h}, block.text,
              {.size = s.small_bold, .ink = ink(Role::kWarn)});
}

void draw_wire(Canvas& canvas, const Band& band, size_t column, bool to_client) {
  const Sizes& s = band.layout.sizes;
  const ClientView& client = band.model.columns[column].client;
  const ColumnPlace& place_of_column = band.layout.columns[column];
  const Rect wires = band.layout.wires;
  const float half = place_of_column.card_w / 2;
  Track track;
  track.x = place_of_column.card_x + half * (to_client ? 1.5f : 0.5f);
  track.from = to_client ? wires.bottom() - 0.15f * s.u : wires.y;
  track.to = to_client ? wires.y : wires.bottom() - 0.15f * s.u;
  track.width = half - 0.3f * s.u;
  track.capsule_h = std::min(s.small_h + 0.35f * s.u, wires.h);
  std::string id = to_client ? client.server + ">" + client.id : client.id + ">" + client.server;
  const Rect region = {track.x - half / 2, wires.y, half, wires.h};
  canvas.open("link/" + id, region, std::move(id));
  const Stroke stroke = wire_of(client, s);
  canvas.line({track.x, track.from}, {track.x, track.to}, stroke, client.tie == Tie::kNone ? 0 : 0.6f * s.u);
  const BlockView* block = block_on(band.model, column, to_client);
  if (client.tie == Tie::kOver && !block) {
    canvas.cross({track.x, wires.center().y}, 0.8f * s.u, {ink(Role::kTextDim), 0.12f * s.u});
  }
  if (block) draw_block(canvas, s, *block, track);
  canvas.close();
  std::vector<const MessageView*> messages;
  for (const MessageView& message : band.model.messages) {
    if (message.column == column && message.to_client == to_client && !message.with_resource) {
      messages.push_back(&message);
    }
  }
  if (block) track.to = track.from + (track.to - track.from) * 0.52f;
  for (const Placed& placed : place(messages, track)) draw_capsule(canvas, band, placed, track);
}

}  // namespace

void draw_wires(Canvas& canvas, const Band& band) {
  canvas.open("band/wires", band.layout.wires);
  for (size_t i = 0; i < band.model.columns.size(); ++i) {
    if (band.model.columns[i].folded) continue;
    draw_wire(canvas, band, i, false);
    draw_wire(canvas, band, i, true);
  }
  canvas.close();
}

// ---- To the resource ---------------------------------------------------------------------------

namespace {

/// The way from the top of a client's card through the corridor to the trunk.
void draw_branch(Canvas& canvas, const Band& band, size_t column, float trunk) {
  const Sizes& s = band.layout.sizes;
  const ColumnPlace& place_of_column = band.layout.columns[column];
  const float x = place_of_column.card_x + place_of_column.card_w - 1.5f * s.u;
  const float y = band.layout.corridor_y;
  canvas.path({{x, band.layout.card_y}, {x, y}, {trunk, y}, {trunk, y + 1.5f * s.u}},
              {hue(band.model.columns[column].client.number, 0.8f), 0.12f * s.u}, 0.4f * s.u);
}

/// What blocks links to the resource, in words, at the top of the gutter; returns the bottom.
float draw_blocks(Canvas& canvas, const Band& band, float y) {
  const Sizes& s = band.layout.sizes;
  const Rect gutter = band.layout.gutter;
  int rows = 0;
  for (const BlockView& block : band.model.blocks) {
    if (!block.with_resource || rows == 2) continue;
    ++rows;
    const std::string text = block.link + "  " + block.text;
    const Rect row = {gutter.x, y, gutter.w, s.small_h + 0.2f * s.u};
    canvas.open("link/" + block.link, row, text);
    canvas.box(row, 0.3f * s.u, ink(Role::kWarnWash), {ink(Role::kWarn), 0.08f * s.u});
    canvas.text({row.x + 0.4f * s.u, y + 0.1f * s.u, row.w - 0.8f * s.u, s.small_h}, text,
                {.size = s.small_bold, .ink = ink(Role::kWarn), .align = Align::kCenter});
    canvas.close();
    y = row.bottom() + 0.3f * s.u;
  }
  return y;
}

}  // namespace

void draw_gutter(Canvas& canvas, const Band& band) {
  const Sizes& s = band.layout.sizes;
  const Rect gutter = band.layout.gutter;
  const float trunk = gutter.center().x;
  const float bottom = gutter.bottom() - 0.1f * s.u;
  canvas.open("band/gutter", gutter);
  canvas.line({trunk, gutter.y}, {trunk, bottom}, {ink(Role::kLine), 0.12f * s.u}, 0.7f * s.u);
  std::vector<const MessageView*> down;
  std::vector<const MessageView*> up;
  std::vector<size_t> branches;
  for (const MessageView& message : band.model.messages) {
    if (!message.with_resource) continue;
    (message.to_client ? up : down).push_back(&message);
    branches.push_back(message.column);
  }
  std::sort(branches.begin(), branches.end());
  branches.erase(std::unique(branches.begin(), branches.end()), branches.end());
  for (const size_t column : branches) draw_branch(canvas, band, column, trunk);
  const float label_y = gutter.y + 0.5f * s.u;
  const std::string label = say(Word::kToResource, band.language, {band.model.ledger.resource});
  const float label_w = std::min(canvas.width(label, s.small), gutter.w - 0.6f * s.u) + 0.6f * s.u;
  const Rect label_box = {trunk - label_w / 2, label_y, label_w, s.small_h};
  canvas.box(label_box, 0, ink(Role::kBackground));
  canvas.text({label_box.x + 0.3f * s.u, label_y, label_w - 0.6f * s.u, s.small_h}, label,
              {.size = s.small, .ink = ink(Role::kTextDim), .align = Align::kCenter});
  const float top = draw_blocks(canvas, band, label_y + s.small_h + 0.4f * s.u);
  Track track = {trunk, top, bottom - 0.7f * s.u, gutter.w, 2 * s.small_h + 0.4f * s.u};
  const auto earlier = [](const MessageView* a, const MessageView* b) { return a->progress > b->progress; };
  std::stable_sort(down.begin(), down.end(), earlier);
  std::stable_sort(up.begin(), up.end(), earlier);
  if (!up.empty() && !down.empty()) {  // both ways at once: half of the trunk each
    const float middle = (track.from + track.to) / 2;
    Track lower = track;
    lower.from = middle;
    track.to = middle;
    for (const Placed& placed : place(down, track)) draw_capsule(canvas, band, placed, track);
    std::swap(lower.from, lower.to);
    for (const Placed& placed : place(up, lower)) draw_capsule(canvas, band, placed, lower);
  } else if (!up.empty()) {
    std::swap(track.from, track.to);
    for (const Placed& placed : place(up, track)) draw_capsule(canvas, band, placed, track);
  } else {
    for (const Placed& placed : place(down, track)) draw_capsule(canvas, band, placed, track);
  }
  canvas.close();
}

}  // namespace lockstep::scene
