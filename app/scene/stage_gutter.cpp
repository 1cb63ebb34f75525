// The gutter at the side: links to the resource share one trunk, which crosses neither the truth nor
// anybody's wires.
#include <algorithm>

#include "scene/stage_messages.h"
#include "scene/strings.h"

namespace lockstep::scene {
namespace {

constexpr size_t kBlocksMax = 2;

float block_height(const Sizes& s) { return s.small_h + 0.2f * s.u; }
float blocks_height(const Sizes& s, size_t blocks) {
  return static_cast<float>(std::min(blocks, kBlocksMax)) * (block_height(s) + 0.3f * s.u);
}

/// What blocks links to the resource, in words, from the first that there is.
void draw_blocks(Canvas& canvas, const Band& band, const std::vector<const BlockView*>& blocks,
                 float y) {
  const Sizes& s = band.layout.sizes;
  const Rect gutter = band.layout.gutter;
  for (size_t i = 0; i < std::min(blocks.size(), kBlocksMax); ++i) {
    const bool more = i + 1 == kBlocksMax && blocks.size() > kBlocksMax;
    const std::string text = more ? say(Word::kMoreBlocked, band.language,
                                        {std::to_string(blocks.size() - kBlocksMax + 1)})
                                  : blocks[i]->link + "  " + blocks[i]->text;
    const Rect row = {gutter.x, y, gutter.w, block_height(s)};
    canvas.open("link/" + blocks[i]->link, row, text);
    canvas.box(row, 0.3f * s.u, ink(Role::kWarnWash), {ink(Role::kWarn), 0.08f * s.u});
    canvas.text({row.x + 0.4f * s.u, y + 0.1f * s.u, row.w - 0.8f * s.u, s.small_h}, text,
                {.size = s.small_bold, .ink = ink(Role::kWarn), .align = Align::kCenter});
    canvas.close();
    y = row.bottom() + 0.3f * s.u;
  }
}

/// The gutter's name, on the trunk.
void draw_label(Canvas& canvas, const Band& band) {
  const Sizes& s = band.layout.sizes;
  const Rect gutter = band.layout.gutter;
  const std::string label = say(Word::kToResource, band.language, {band.model.ledger.resource});
  const float width = std::min(canvas.width(label, s.small), gutter.w - 0.6f * s.u) + 0.6f * s.u;
  const Rect rect = {gutter.center().x - width / 2, gutter.y + 0.5f * s.u, width, s.small_h};
  canvas.box(rect, 0, ink(Role::kBackground));
  canvas.text({rect.x + 0.3f * s.u, rect.y, width - 0.6f * s.u, s.small_h}, label,
              {.size = s.small, .ink = ink(Role::kTextDim), .align = Align::kCenter});
}

/// Both ways at once: half of the trunk each.
std::vector<Placed> place_both(std::vector<const MessageView*> down,
                               std::vector<const MessageView*> up, Track track) {
  const auto farther = [](const MessageView* a, const MessageView* b) {
    return a->progress > b->progress;
  };
  std::stable_sort(down.begin(), down.end(), farther);
  std::stable_sort(up.begin(), up.end(), farther);
  Track back = track;
  std::swap(back.from, back.to);
  if (!up.empty() && !down.empty()) track.to = back.to = (track.from + track.to) / 2;
  back.from = std::max(back.from, back.to);
  if (!up.empty() && !down.empty()) back.to += 0.1f * track.capsule_h;
  std::vector<Placed> placed = place(down, track);
  for (const Placed& p : place(up, back)) placed.push_back(p);
  return placed;
}

/// The way from the top of a client's card through the corridor, and down the trunk to its message.
void draw_branch(Canvas& canvas, const Band& band, const Placed& placed) {
  const Sizes& s = band.layout.sizes;
  const ColumnPlace& column = band.layout.columns[placed.message->column];
  const float x = column.card_x + column.card_w - 1.5f * s.u;
  const float y = band.layout.corridor_y;
  const float trunk = band.layout.gutter.center().x;
  canvas.path({{x, band.layout.card_y}, {x, y}, {trunk, y}, {trunk, placed.y}},
              {hue(placed.message->number, 0.85f), 0.12f * s.u}, 0.4f * s.u);
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
  for (const MessageView& message : band.model.messages) {
    if (message.with_resource) (message.to_client ? up : down).push_back(&message);
  }
  std::vector<const BlockView*> blocks;
  for (const BlockView& block : band.model.blocks) {
    if (block.with_resource) blocks.push_back(&block);
  }
  const float label = gutter.y + 0.5f * s.u + s.small_h;
  const float top = label + 0.4f * s.u + blocks_height(s, blocks.size());
  const Track track = {.x = trunk,
                       .from = top,
                       .to = bottom - 0.7f * s.u,
                       .left = gutter.x,
                       .right = gutter.right(),
                       .capsule_h = 2 * s.small_h + 0.4f * s.u};
  std::vector<Placed> placed = place_both(std::move(down), std::move(up), track);
  // The nearest last, so that its line lies over those that go on past it.
  std::stable_sort(placed.begin(), placed.end(),
                   [](const Placed& a, const Placed& b) { return a.y > b.y; });
  for (const Placed& p : placed) draw_branch(canvas, band, p);
  draw_label(canvas, band);
  draw_blocks(canvas, band, blocks, label + 0.4f * s.u);
  for (const Placed& p : placed) draw_capsule(canvas, band, p, track);
  canvas.close();
}

}  // namespace lockstep::scene
