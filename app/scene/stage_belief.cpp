// Belief: one card a client, saying what it thinks in its own words, and whether that is so.
#include <algorithm>

#include "scene/stage_bands.h"
#include "scene/strings.h"

namespace lockstep::scene {
namespace {

bool in_danger(const ClientView& client) { return client.danger == trace::Danger::kDangerous; }

/// The frame says how the client is connected, unless it is in danger: nothing is more important.
Stroke frame_of(const ClientView& client, const Sizes& s) {
  if (in_danger(client)) return {ink(Role::kDanger), 0.24f * s.u, LineStyle::kDashed};
  const float width = (client.holds ? 0.16f : 0.1f) * s.u;
  switch (client.tie) {
    case Tie::kUp: return {hue(client.number), width, LineStyle::kSolid};
    case Tie::kUnsure: return {hue(client.number), width, LineStyle::kDashed};
    case Tie::kOver:
    case Tie::kNone: return {ink(Role::kLine), width, LineStyle::kSolid};
  }
  return {};
}

void draw_frame(Canvas& canvas, const Sizes& s, const ClientView& client, Rect card) {
  const float radius = 0.6f * s.u;
  if (client.chosen) {
    canvas.box(card.inset(-0.3f * s.u), radius + 0.3f * s.u, ink(Role::kBackground, 0),
               {ink(Role::kAccent), 0.1f * s.u, LineStyle::kSolid});
  }
  Ink fill = ink(Role::kCard);
  if (client.holds && client.danger == trace::Danger::kNone) {
    fill = {.role = Role::kIdentityWash, .identity = client.number};
  }
  if (in_danger(client)) fill = ink(Role::kDangerWash);
  canvas.box(card, radius, fill);
  if (in_danger(client)) {
    canvas.hatch(card.inset(0.25f * s.u), 0.95f * s.u, {ink(Role::kDanger, 0.16f), 0.3f * s.u});
  }
  canvas.box(card, radius, ink(Role::kBackground, 0), frame_of(client, s));
}

/// A little line: solid, dashed, or crossed, as the client knows its connection.
void draw_tie(Canvas& canvas, const Sizes& s, Tie tie, Point right) {
  const Point left = {right.x - 1.7f * s.u, right.y};
  const Stroke up = {ink(Role::kOk), 0.16f * s.u};
  const Stroke unsure = {ink(Role::kWarn), 0.16f * s.u, LineStyle::kDashed};
  const Stroke over = {ink(Role::kTextDim), 0.12f * s.u};
  switch (tie) {
    case Tie::kUp: canvas.line(left, right, up); break;
    case Tie::kUnsure: canvas.line(left, right, unsure); break;
    case Tie::kOver:
      canvas.line(left, right, over);
      canvas.cross({(left.x + right.x) / 2, right.y}, 0.75f * s.u, over);
      break;
    case Tie::kNone: break;
  }
}

struct Inner {
  float x = 0;
  float w = 0;
  float y = 0;
};

/// Disc, process, connection. Returns the height.
float draw_head(Canvas& canvas, const Sizes& s, const ClientView& client, Inner at,
                bool two_lines) {
  const float lines = two_lines ? s.body_h + s.small_h : s.body_h;
  const float height = std::max(2.1f * s.u, lines);
  const float badge = draw_badge(canvas, s, client.id,
                                 {.at = {at.x, at.y + height / 2},
                                  .height = 2.1f * s.u,
                                  .width_max = 0.4f * at.w,
                                  .number = client.number});
  const float x = at.x + badge + 0.6f * s.u;
  const float y = at.y + (height - lines) / 2;
  const float all = at.x + at.w - x;
  const float beside_tie = client.tie == Tie::kNone ? all : all - 2.2f * s.u;
  const float small = canvas.width(client.title, s.small_bold);
  const bool large = canvas.width(client.title, s.bold) <= beside_tie;
  // The frame says as much as the tie does.
  const bool tied = large || small <= beside_tie;
  canvas.text({x, y, tied ? beside_tie : all, s.body_h}, client.title,
              {.size = large ? s.bold : s.small_bold,
               .ink = ink(client.stopped ? Role::kWarn : Role::kText)});
  if (tied) draw_tie(canvas, s, client.tie, {at.x + at.w, y + s.body_h / 2});
  if (!two_lines && large && !client.server_note.empty()) {
    const float after = x + canvas.width(client.title, s.bold) + 0.5f * s.u;
    canvas.text({after, y + (s.body_h - s.small_h) / 2, x + beside_tie - after, s.small_h}, client.server_note,
                {.size = s.small, .ink = ink(Role::kTextDim)});
  }
  if (two_lines) {
    canvas.text({x, y + s.body_h, at.x + at.w - x, s.small_h}, client.detail,
                {.size = s.small, .ink = ink(Role::kTextDim)});
  }
  return height;
}

/// Whether it agrees with the truth, and where in its program it is.
void draw_foot(Canvas& canvas, const Sizes& s, const ClientView& client, Inner at) {
  const float height = s.small_h + 0.5f * s.u;
  float x = at.x;
  const float brief = canvas.width(client.brief_line, s.small);
  if (!client.chip.empty()) {
    const FontSize font = in_danger(client) ? s.small_bold : s.small;
    const auto width_of = [&](const std::string& chip) {
      return std::min(canvas.width(chip, font) + 1.2f * s.u, at.w);
    };
    const bool whole =
        client.brief_chip.empty() || width_of(client.chip) + 0.5f * s.u + brief <= at.w;
    const std::string& words = whole ? client.chip : client.brief_chip;
    const float width = width_of(words);
    const Rect chip = {x, at.y, width, height};
    canvas.open("client/" + client.id + "/chip", chip);
    Ink text = ink(Role::kOk);
    if (in_danger(client)) {
      text = ink(Role::kOnDangerFill);
      canvas.box(chip, height / 2, ink(Role::kDangerFill));
    } else {
      if (client.danger == trace::Danger::kBehind) text = ink(Role::kTextDim);
      canvas.box(chip.inset(0.04f * s.u), height / 2, ink(Role::kBackground, 0),
                 {{.role = text.role, .opacity = 0.75f}, 0.08f * s.u});
    }
    canvas.text({x + 0.5f * s.u, at.y + 0.25f * s.u, width - 1.0f * s.u, s.small_h}, words,
                {.size = font, .ink = text, .align = Align::kCenter});
    canvas.close();
    x += width + 0.5f * s.u;
  }
  const float left = at.x + at.w - x;
  const bool fits = canvas.width(client.line, s.small) <= left;
  if (!fits && brief > left) return;
  canvas.text({x, at.y + 0.25f * s.u, left, s.small_h}, fits ? client.line : client.brief_line,
              {.size = s.small, .ink = ink(Role::kTextDim)});
}

/// The quote in the largest of three sizes in which it fits, or in fewer words.
void draw_quote(Canvas& canvas, const Sizes& s, const ClientView& client, Inner at) {
  const bool loud = in_danger(client) || (client.holds && client.danger == trace::Danger::kNone);
  const FontSize largest = loud ? s.quote_bold : s.quote;
  FontSize font = largest;
  for (const float shrink : {0.93f, 0.93f}) {
    if (canvas.width(client.quote, font) <= at.w) break;
    font.px *= shrink;
  }
  const bool fits = client.brief_quote.empty() || canvas.width(client.quote, font) <= at.w;
  if (!fits && canvas.width(client.brief_quote, largest) <= at.w) font = largest;
  canvas.text({at.x, at.y, at.w, s.quote_h}, fits ? client.quote : client.brief_quote,
              {.size = font, .ink = ink(in_danger(client) ? Role::kDanger : Role::kText)});
}

void draw_card(Canvas& canvas, const Band& band, const ClientView& client, Rect card) {
  const Sizes& s = band.layout.sizes;
  const float pad = band.layout.card_pad;
  const float side = std::max(pad, 0.6f * s.u);
  canvas.open("client/" + client.id, card, client.tooltip);
  draw_frame(canvas, s, client, card);
  Inner at = {card.x + side, card.w - 2 * side, card.y + pad};
  const float head = draw_head(canvas, s, client, at, band.layout.density != Density::kTight);
  const float rest = card.h - 2 * pad - head - s.quote_h - s.small_h - 0.5f * s.u;
  at.y += head + rest / 2;
  draw_quote(canvas, s, client, at);
  at.y += s.quote_h + rest / 2;
  draw_foot(canvas, s, client, at);
  canvas.close();
}

void draw_fold(Canvas& canvas, const Band& band, const FoldView& fold, Rect card) {
  const Sizes& s = band.layout.sizes;
  for (const float back : {0.8f, 0.4f}) {  // a pile
    const Rect behind = {card.x + back * s.u, card.y + (0.8f - back) * s.u, card.w - 0.8f * s.u,
                         card.h - 0.8f * s.u};
    canvas.box(behind, 0.5f * s.u, ink(Role::kPanel), {ink(Role::kLine), 0.08f * s.u});
  }
  const Rect front = {card.x, card.y + 0.8f * s.u, card.w - 0.8f * s.u, card.h - 0.8f * s.u};
  canvas.box(front, 0.5f * s.u, ink(Role::kPanel), {ink(Role::kLine), 0.08f * s.u});
  struct Row {
    std::string text;
    Role role = Role::kTextDim;
  };
  // A number that was cut off would lie.
  std::string count = say(Word::kMoreClients, band.language, {std::to_string(fold.count)});
  if (canvas.width(count, s.small_bold) > front.w - 0.4f * s.u)
    count = "+" + std::to_string(fold.count);
  std::vector<Row> rows = {{count, Role::kText}};
  if (fold.waiting > 0) {
    rows.push_back({say(Word::kMoreWaiting, band.language, {std::to_string(fold.waiting)})});
  }
  if (fold.dangerous > 0) {
    rows.push_back({say(Word::kMoreDangerous, band.language, {std::to_string(fold.dangerous)}),
                    Role::kDanger});
  }
  const float height = s.small_h + 0.2f * s.u;
  float y = front.center().y - height * static_cast<float>(rows.size()) / 2;
  for (const Row& row : rows) {
    canvas.text({front.x + 0.2f * s.u, y, front.w - 0.4f * s.u, s.small_h}, row.text,
                {.size = row.role == Role::kTextDim ? s.small : s.small_bold,
                 .ink = ink(row.role),
                 .align = Align::kCenter});
    y += height;
  }
}

}  // namespace

void draw_belief(Canvas& canvas, const Band& band) {
  const StageLayout& layout = band.layout;
  canvas.open("band/belief", layout.belief);
  Rect title = layout.belief_title;
  title.w = layout.gutter.x - title.x;
  draw_title(canvas, layout.sizes, title, word(Word::kBelief, band.language),
             word(Word::kBeliefNote, band.language));
  for (size_t i = 0; i < band.model.columns.size(); ++i) {
    const ColumnView& column = band.model.columns[i];
    const ColumnPlace& place = layout.columns[i];
    const Rect card = {place.card_x, layout.card_y, place.card_w, layout.card_h};
    if (column.folded) {
      canvas.open("folded/" + std::to_string(i), card);
      draw_fold(canvas, band, column.fold, card);
      canvas.close();
    } else {
      draw_card(canvas, band, column.client, card);
    }
  }
  canvas.close();
}

}  // namespace lockstep::scene
