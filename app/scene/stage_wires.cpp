// Between belief and truth each client has two wires: requests go down the left one, replies and watch
// events come up the right one.
#include <algorithm>

#include "scene/stage_messages.h"
#include "scene/strings.h"

namespace lockstep::scene {
namespace {

Stroke wire_of(const ClientView& client, const Sizes& s) {
  switch (client.tie) {
    case Tie::kUp: return {hue(client.number, 0.55f), 0.08f * s.u};
    case Tie::kUnsure: return {hue(client.number, 0.55f), 0.08f * s.u, LineStyle::kDashed};
    case Tie::kOver: return {ink(Role::kLine), 0.08f * s.u};
    case Tie::kNone: return {ink(Role::kLine, 0.6f), 0.08f * s.u, LineStyle::kDotted};
  }
  return {};
}

/// The rows of a column, in a list that is sorted by column.
template <class View, class Visit>
void each_of_column(const std::vector<View>& views, size_t column, Visit&& visit) {
  auto view = std::lower_bound(views.begin(), views.end(), column,
                               [](const View& v, size_t wanted) { return v.column < wanted; });
  for (; view != views.end() && view->column == column; ++view) visit(*view);
}

const BlockView* block_on(const StageModel& model, size_t column, bool to_client) {
  const BlockView* found = nullptr;
  each_of_column(model.blocks, column, [&](const BlockView& block) {
    if (block.to_client == to_client && !block.with_resource) found = &block;
  });
  return found;
}

std::vector<const MessageView*> messages_on(const StageModel& model, size_t column,
                                            bool to_client) {
  std::vector<const MessageView*> messages;
  each_of_column(model.messages, column, [&](const MessageView& message) {
    if (message.to_client == to_client && !message.with_resource) messages.push_back(&message);
  });
  return messages;
}

/// How wide capsules may be: half of the column, or all of it where nothing is on the other wire.
Track track_room(const Band& band, size_t column, bool to_client) {
  const ColumnPlace& cell = band.layout.columns[column];
  const float margin = 0.15f * band.layout.sizes.u;
  Track track = {.left = cell.x + margin, .right = cell.x + cell.w - margin};
  const bool alone = messages_on(band.model, column, !to_client).empty() &&
                     !block_on(band.model, column, false) && !block_on(band.model, column, true);
  const float middle = cell.x + cell.w / 2;
  if (!alone && to_client) track.left = middle + margin;
  if (!alone && !to_client) track.right = middle - margin;
  return track;
}

/// The sign on a cut or held wire: past its middle, where no message gets.
void draw_block(Canvas& canvas, const Sizes& s, const BlockView& block, const Track& track) {
  const float y = track.from + (track.to - track.from) * 0.74f;
  const float room = 2 * std::min(track.x - track.left, track.right - track.x);
  const float width = std::min(canvas.width(block.text, s.small_bold) + 2 * s.u, room);
  const float height = s.small_h + 0.2f * s.u;
  const Rect rect = {track.x - width / 2, y - height / 2, width, height};
  canvas.box(rect, 0.3f * s.u, ink(Role::kWarnWash), {ink(Role::kWarn), 0.08f * s.u});
  canvas.cross({rect.x + 0.7f * s.u, y}, 0.6f * s.u, {ink(Role::kWarn), 0.14f * s.u});
  canvas.text({rect.x + 1.2f * s.u, rect.y + 0.1f * s.u, rect.w - 1.5f * s.u, s.small_h},
              block.text, {.size = s.small_bold, .ink = ink(Role::kWarn)});
}

void draw_wire(Canvas& canvas, const Band& band, size_t column, bool to_client) {
  const Sizes& s = band.layout.sizes;
  const ClientView& client = band.model.columns[column].client;
  const ColumnPlace& place_of_column = band.layout.columns[column];
  const Rect wires = band.layout.wires;
  const float half = place_of_column.card_w / 2;
  Track track = track_room(band, column, to_client);
  track.x = place_of_column.card_x + half * (to_client ? 1.5f : 0.5f);
  track.from = to_client ? wires.bottom() - 0.15f * s.u : wires.y;
  track.to = to_client ? wires.y : wires.bottom() - 0.15f * s.u;
  track.capsule_h = std::min(s.small_h + 0.35f * s.u, wires.h);
  const std::string id =
      to_client ? client.server + ">" + client.id : client.id + ">" + client.server;
  const Rect region = {track.x - half / 2, wires.y, half, wires.h};
  canvas.open("link/" + id, region, id);
  const Stroke stroke = wire_of(client, s);
  canvas.line({track.x, track.from}, {track.x, track.to}, stroke,
              client.tie == Tie::kNone ? 0 : 0.6f * s.u);
  const BlockView* block = block_on(band.model, column, to_client);
  if (client.tie == Tie::kOver && !block) {
    canvas.cross({track.x, wires.center().y}, 0.8f * s.u, {ink(Role::kTextDim), 0.12f * s.u});
  }
  if (block) draw_block(canvas, s, *block, track);
  canvas.close();
  const std::vector<const MessageView*> messages = messages_on(band.model, column, to_client);
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

}  // namespace lockstep::scene
