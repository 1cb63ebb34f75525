// Ledger: what the resource accepted and refused, and what it knows: value, highest token, rule.
#include <algorithm>

#include "scene/stage_bands.h"
#include "scene/strings.h"

namespace lockstep::scene {
namespace {

/// Left edges of the table's columns and its right edge.
struct Table {
  float number = 0;
  float who = 0;
  float token = 0;
  float write = 0;
  float verdict = 0;
  float right = 0;
};

Table table_in(const Sizes& s, Rect rect) {
  const float unit = std::min(s.u, rect.w / 30);  // narrower where there is no room for full widths
  const float spread = std::clamp(rect.w / (44 * s.u), 1.0f, 1.35f);
  Table table{.number = rect.x + 0.6f * s.u};
  table.who = table.number + 2.6f * unit * spread;
  table.token = table.who + 4.4f * unit * spread;
  table.write = table.token + 6.5f * unit * spread;
  table.verdict = table.write + 8.5f * unit * spread;
  table.right = rect.right() - 0.6f * s.u;
  return table;
}

struct Cell {
  float x = 0;
  float next = 0;
};

void put(Canvas& canvas, const Sizes& s, Rect row, Cell cell, std::string_view text,
         TextStyle style) {
  const float height = canvas.height(style.size);
  canvas.text({cell.x, row.center().y - height / 2, cell.next - cell.x - 0.5f * s.u, height}, text,
              style);
}

void draw_names(Canvas& canvas, const Band& band, const Table& t, Rect row) {
  const Sizes& s = band.layout.sizes;
  const TextStyle dim = {.size = s.small, .ink = ink(Role::kTextDim)};
  put(canvas, s, row, {t.number, t.who}, word(Word::kNumber, band.language), dim);
  put(canvas, s, row, {t.who, t.token}, word(Word::kWho, band.language), dim);
  put(canvas, s, row, {t.token, t.write}, word(Word::kTokenHead, band.language), dim);
  put(canvas, s, row, {t.write, t.verdict}, word(Word::kWrite, band.language), dim);
  put(canvas, s, row, {t.verdict, t.right}, word(Word::kVerdict, band.language), dim);
}

Role verdict_role(const LedgerLine& line) {
  if (line.accepted) return line.stale ? Role::kDanger : Role::kOk;
  return Role::kWarn;
}

void draw_row_ground(Canvas& canvas, const Sizes& s, const LedgerLine& line, Rect row) {
  const Rect ground = row.inset(0.06f * s.u);
  const float radius = 0.35f * s.u;
  if (line.accepted && line.stale) {
    canvas.box(ground, radius, ink(Role::kDangerWash));
    canvas.hatch(ground, 0.95f * s.u, {ink(Role::kDanger, 0.14f), 0.28f * s.u});
    canvas.box(ground, radius, ink(Role::kBackground, 0),
               {ink(Role::kDanger), 0.14f * s.u, LineStyle::kDashed});
  } else if (!line.accepted) {
    canvas.box(ground, radius, ink(Role::kWarnWash), {ink(Role::kWarn, 0.7f), 0.08f * s.u});
  } else if (line.emphasised) {
    canvas.box(ground, radius, ink(Role::kOkWash));
  }
}

void draw_verdict(Canvas& canvas, const Sizes& s, const LedgerLine& line, const Table& t,
                  Rect row) {
  const Ink color = ink(verdict_role(line));
  const Point mark = {t.verdict + 0.5f * s.u, row.center().y};
  const Stroke stroke = {color, 0.16f * s.u};
  if (line.accepted && !line.stale) {
    draw_check(canvas, mark, 0.75f * s.u, stroke);
  } else if (line.accepted) {  // a warning sign: accepted, and wrong
    canvas.line({mark.x, mark.y - 0.45f * s.u}, {mark.x, mark.y + 0.1f * s.u}, {color, 0.2f * s.u});
    canvas.circle({mark.x, mark.y + 0.42f * s.u}, 0.12f * s.u, color);
  } else {
    canvas.cross(mark, 0.65f * s.u, stroke);
  }
  const bool plain = line.accepted && !line.stale;
  put(canvas, s, row, {t.verdict + 1.4f * s.u, t.right}, line.verdict,
      {.size = plain ? s.body : s.bold, .ink = color});
}

void draw_row(Canvas& canvas, const Sizes& s, const LedgerLine& line, const Table& t, Rect row) {
  canvas.open("ledger/" + line.id, row);
  draw_row_ground(canvas, s, line, row);
  const TextStyle plain = {.size = s.body, .ink = ink(Role::kText)};
  put(canvas, s, row, {t.number, t.who}, line.id, {.size = s.small, .ink = ink(Role::kTextDim)});
  const float height = std::min(1.5f * s.u, row.h - 0.2f * s.u);
  if (!line.who.empty()) {
    draw_badge(canvas, s, line.who,
               {.at = {t.who, row.center().y},
                .height = height,
                .width_max = t.token - t.who - 0.4f * s.u,
                .number = line.number});
  }
  put(canvas, s, row, {t.token, t.write}, line.token, plain);
  put(canvas, s, row, {t.write, t.verdict}, line.write, plain);
  draw_verdict(canvas, s, line, t, row);
  canvas.close();
}

float names_height(const Band& band) {
  const Sizes& s = band.layout.sizes;
  return band.layout.density == Density::kTight ? 0 : s.small_h + 0.3f * s.u;
}

/// How many rows have room in a table of this height.
size_t rows_in(const Band& band, float height) {
  const float room = (height - names_height(band)) / band.layout.ledger_row_h + 0.01f;
  return std::min(band.model.ledger.lines.size(), static_cast<size_t>(std::max(room, 1.0f)));
}

/// The table; the last rows, if not all have room.
void draw_table(Canvas& canvas, const Band& band, Rect rect) {
  const Sizes& s = band.layout.sizes;
  const LedgerView& ledger = band.model.ledger;
  const Table table = table_in(s, rect);
  float y = rect.y;
  if (names_height(band) > 0) draw_names(canvas, band, table, {rect.x, y, rect.w, s.small_h});
  y += names_height(band);
  if (ledger.lines.empty()) {
    put(canvas, s, {rect.x, y, rect.w, band.layout.ledger_row_h}, {table.number, table.right},
        word(Word::kNothingYet, band.language), {.size = s.body, .ink = ink(Role::kTextDim)});
    return;
  }
  const size_t shown = rows_in(band, rect.h);
  for (size_t i = ledger.lines.size() - shown; i < ledger.lines.size(); ++i) {
    draw_row(canvas, s, ledger.lines[i], table, {rect.x, y, rect.w, band.layout.ledger_row_h});
    y += band.layout.ledger_row_h;
  }
}

/// What the resource knows, as lines in a box of its own.
void draw_state_beside(Canvas& canvas, const Band& band, Rect rect) {
  const Sizes& s = band.layout.sizes;
  const LedgerView& ledger = band.model.ledger;
  canvas.open("resource/" + ledger.resource, rect);
  canvas.box(rect, 0.5f * s.u, ink(Role::kCard), {ink(Role::kLine), 0.08f * s.u});
  const float inner = rect.w - 1.6f * s.u;
  const float lines = s.quote_h + 2 * s.small_h + 0.6f * s.u;
  float y = rect.y + std::max(0.0f, std::min(0.7f * s.u, (rect.h - lines) / 2));
  canvas.text({rect.x + 0.8f * s.u, y, inner, s.quote_h}, ledger.value,
              {.size = s.quote_bold, .ink = ink(Role::kText)});
  y += s.quote_h + 0.3f * s.u;
  for (const std::string* line : {&ledger.token_max, &ledger.rule}) {
    if (y + s.small_h > rect.bottom()) break;
    canvas.text({rect.x + 0.8f * s.u, y, inner, s.small_h}, *line,
                {.size = s.small, .ink = ink(Role::kTextDim)});
    y += s.small_h + 0.3f * s.u;
  }
  canvas.close();
}

/// The same in one line.
void draw_state_below(Canvas& canvas, const Band& band, Rect rect) {
  const Sizes& s = band.layout.sizes;
  const LedgerView& ledger = band.model.ledger;
  canvas.open("resource/" + ledger.resource, rect);
  float x = rect.x + 0.6f * s.u;
  x += canvas.text({x, rect.y, rect.w - 1.2f * s.u, rect.h}, ledger.value,
                   {.size = s.small_bold, .ink = ink(Role::kText)}) +
       0.9f * s.u;
  for (const std::string* line : {&ledger.token_max, &ledger.rule}) {
    const float left = rect.right() - 0.6f * s.u - x;
    if (left < 3 * s.u) break;
    x += canvas.text({x, rect.y, left, rect.h}, *line,
                     {.size = s.small, .ink = ink(Role::kTextDim)}) +
         0.9f * s.u;
  }
  canvas.close();
}

}  // namespace

void draw_ledger(Canvas& canvas, const Band& band) {
  const Sizes& s = band.layout.sizes;
  const Rect panel = band.layout.ledger;
  const LedgerView& ledger = band.model.ledger;
  canvas.open("band/ledger", panel);
  canvas.box(panel, 0.6f * s.u, ink(Role::kPanel), {ink(Role::kLine), 0.08f * s.u});
  const Rect inner = {panel.x + 0.8f * s.u, panel.y + 0.3f * s.u, panel.w - 1.6f * s.u,
                      panel.h - 0.6f * s.u};
  const Rect title = {inner.x, inner.y, inner.w, s.body_h};
  const float taken = draw_title(canvas, s, title, word(Word::kLedger, band.language),
                                 word(Word::kLedgerNote, band.language));
  const float y = title.bottom() + 0.3f * s.u;
  const bool beside =
      inner.w > 50 * s.u && inner.bottom() - y > s.quote_h + 2 * s.small_h + 0.6f * s.u;
  const float table_h = inner.bottom() - y - (beside ? 0 : s.small_h);
  const size_t shown = rows_in(band, table_h);
  const int64_t earlier = ledger.earlier + static_cast<int64_t>(ledger.lines.size() - shown);
  if (earlier > 0) {
    const float x = inner.x + taken + 1.2f * s.u;
    canvas.text({x, title.center().y - s.small_h / 2, inner.right() - x, s.small_h},
                say(Word::kEarlierRows, band.language, {std::to_string(earlier)}),
                {.size = s.small, .ink = ink(Role::kTextDim)});
  }
  if (beside) {
    const float side = std::max(band.layout.gutter.w, 17 * s.u);
    const float wanted = s.quote_h + 2 * s.small_h + 2.2f * s.u;
    const float height = std::min(inner.bottom() - y - 0.2f * s.u, wanted);
    draw_state_beside(canvas, band, {inner.right() - side, y, side, height});
    draw_table(canvas, band, {inner.x, y, inner.w - side - 1.2f * s.u, table_h});
  } else {
    draw_state_below(canvas, band, {inner.x, inner.bottom() - s.small_h, inner.w, s.small_h});
    draw_table(canvas, band, {inner.x, y, inner.w, table_h});
  }
  canvas.close();
}

}  // namespace lockstep::scene
