#include "scene/stage_layout.h"

#include <algorithm>

#include "scene/strings.h"

namespace lockstep::scene {
namespace {

/// Distances of a density, in units of the font's size (or of lines, where it says so).
struct Spacing {
  float pad = 0;       // left and right
  float top = 0;       // above the first band and below the last
  float corridor = 0;  // between title and cards
  float card_pad = 0;
  float card_gap = 0;        // between a card's rows
  bool card_detail = false;  // a line of its own for connection and inbox
  float wires = 0;           // least
  float head = 0;            // around the truth's heading
  float lanes = 0;
  float node_pad = 0;
  float session_gap = 0;
  bool session_label = false;  // a line of its own for the session's name
  float truth_pad = 0;
  float band_gap = 0;
  size_t rows = 0;  // of the ledger, least
  float row_pad = 0;
  bool ledger_head = false;
  float server_pad = 0;       // in a server's card
  int server_lines = 1;       // of text in it
  int server_tracks = 0;      // for messages between servers
};

constexpr Spacing kRoomy = {1.2f, 0.7f, 1.0f, 0.85f, 0.55f, true, 4.6f, 0.7f, 1.7f,
                            0.8f, 0.8f, true, 0.8f,  0.9f,  3,    0.5f, true, 0.45f, 2, 2};
constexpr Spacing kCompact = {0.9f, 0.4f, 0.7f, 0.6f, 0.35f, true, 3.4f,  0.5f, 1.3f,
                              0.5f, 0.5f, true, 0.5f, 0.6f,  2,    0.35f, true, 0.3f, 2, 1};
constexpr Spacing kTight = {0.6f,  0.2f, 0.5f,  0.4f, 0.2f, false, 2.5f, 0.3f, 0.8f,
                            0.25f, 0.3f, false, 0.3f, 0.3f, 1,     0.2f, false, 0.2f, 1, 1};

/// Between two densities: what can be is in between, the rest is as in the tighter one.
Spacing between(const Spacing& tight, const Spacing& wide, float part) {
  Spacing d = tight;
  const auto mix = [&](float Spacing::*member) {
    d.*member += (wide.*member - tight.*member) * part;
  };
  for (float Spacing::*member :
       {&Spacing::pad, &Spacing::top, &Spacing::corridor, &Spacing::card_pad, &Spacing::card_gap,
        &Spacing::wires, &Spacing::head, &Spacing::lanes, &Spacing::node_pad, &Spacing::session_gap,
        &Spacing::truth_pad, &Spacing::band_gap, &Spacing::row_pad, &Spacing::server_pad}) {
    mix(member);
  }
  return d;
}

constexpr int kSteps = 8;  // from one density to the next

struct Choice {
  Density density = Density::kTight;
  Spacing spacing;
};

/// Choices from the roomiest (0) to the tightest (2 * kSteps).
Choice choice(int step) {
  if (step == 0) return {Density::kRoomy, kRoomy};
  if (step <= kSteps) {
    return {Density::kCompact, between(kCompact, kRoomy, 1 - static_cast<float>(step) / kSteps)};
  }
  return {Density::kTight, between(kTight, kCompact, 2 - static_cast<float>(step) / kSteps)};
}

float card_height(const Sizes& s, const Spacing& d) {
  const float head = std::max(2.1f * s.u, d.card_detail ? s.body_h + s.small_h : s.body_h);
  return 2 * d.card_pad * s.u + head + s.quote_h + s.small_h + 0.5f * s.u + 2 * d.card_gap * s.u;
}

float session_height(const Sizes& s, const Spacing& d) {
  return d.session_label ? 2 * s.small_h + 0.2f * s.u : s.small_h + 0.5f * s.u;
}

float row_height(const Sizes& s, const Spacing& d) { return s.body_h + d.row_pad * s.u; }

/// What the ledger takes besides its rows: title, column names, values, padding.
float ledger_frame(const Sizes& s, const Spacing& d) {
  const float head = d.ledger_head ? s.small_h + 0.3f * s.u : 0;
  return s.body_h + 0.5f * s.u + head + s.small_h + 0.4f * s.u + d.truth_pad * s.u;
}

/// Of an ensemble: a row of servers under the truth's heading, and below it what they send each other.
float lay_out_servers(const StageInput& input, const Spacing& d, float y, StageLayout& layout) {
  const Sizes& s = layout.sizes;
  layout.servers = {layout.pad, y, layout.truth.w, 0};
  if (input.snapshot.servers.size() < 2) return 0;
  layout.server_lines = d.server_lines;
  layout.server_card_h = 2 * d.server_pad * s.u + static_cast<float>(d.server_lines) * s.small_h;
  layout.server_tracks = d.server_tracks;
  layout.server_track_h = s.small_h + 0.35f * s.u;
  layout.servers.h =
      layout.server_card_h + 0.3f * s.u + static_cast<float>(d.server_tracks) * layout.server_track_h;
  return layout.servers.h;
}

/// Lays the heights out from the top; returns the bottom.
float lay_out(const StageInput& input, const Spacing& d, StageLayout& layout) {
  const Sizes& s = layout.sizes;
  const float width = input.size.w;
  layout.pad = d.pad * s.u;
  float y = d.top * s.u;
  layout.belief = {0, y, width, 0};
  layout.belief_title = {layout.pad, y, width - 2 * layout.pad, s.body_h};
  y += s.body_h + d.corridor * s.u;
  layout.corridor_y = y - 0.45f * d.corridor * s.u;
  layout.card_y = y;
  layout.card_h = card_height(s, d);
  y += layout.card_h + 0.3f * s.u;
  layout.belief.h = y - layout.belief.y;
  layout.wires = {0, y, width, d.wires * s.u};
  y += layout.wires.h;
  layout.truth = {layout.pad, y, width - 2 * layout.pad, 0};
  layout.truth_head = {layout.pad, y, layout.truth.w, s.body_h + d.head * s.u};
  y += layout.truth_head.h;
  y += lay_out_servers(input, d, y, layout);
  layout.lanes_y = y;
  layout.lanes_h = d.lanes * s.u;
  y += layout.lanes_h;
  layout.node_y = y;
  layout.node_h = s.small_h * 2 + 2 * d.node_pad * s.u;
  y += layout.node_h + d.session_gap * s.u;
  layout.session_y = y;
  layout.session_h = session_height(s, d);
  y += layout.session_h + d.truth_pad * s.u;
  layout.truth.h = y - layout.truth.y;
  y += d.band_gap * s.u;
  layout.ledger_rows = d.rows;
  layout.ledger_row_h = row_height(s, d);
  layout.ledger = {layout.pad, y, width - 2 * layout.pad,
                   ledger_frame(s, d) + static_cast<float>(d.rows) * layout.ledger_row_h};
  return layout.ledger.bottom() + d.top * s.u;
}

/// Moves everything from the truth band on down, and the wires' end with it.
void lengthen_wires(StageLayout& layout, float by) {
  layout.wires.h += by;
  for (float* y : {&layout.truth.y, &layout.truth_head.y, &layout.servers.y, &layout.lanes_y, &layout.node_y,
                   &layout.session_y, &layout.ledger.y}) {
    *y += by;
  }
}

void lengthen_lanes(StageLayout& layout, float by) {
  layout.lanes_h += by;
  layout.truth.h += by;
  for (float* y : {&layout.node_y, &layout.session_y, &layout.ledger.y}) *y += by;
}

/// Hands out what the layout has left over: two rows more, then wires and lanes, then rows.
void spread(StageLayout& layout, float spare) {
  const float u = layout.sizes.u;
  const auto add_rows = [&](size_t rows_max) {
    while (layout.ledger_rows < rows_max && spare >= layout.ledger_row_h) {
      ++layout.ledger_rows;
      layout.ledger.h += layout.ledger_row_h;
      spare -= layout.ledger_row_h;
    }
  };
  add_rows(4);
  const float wires = std::clamp(0.6f * spare, 0.0f, 5.5f * u);
  const float lanes = std::clamp(0.2f * spare, 0.0f, 1.8f * u);
  lengthen_wires(layout, wires);
  lengthen_lanes(layout, lanes);
  spare -= wires + lanes;
  add_rows(kLedgerLinesMax);
  layout.ledger.h += spare;
}

float least_column(const Sizes& s) { return 11 * s.u; }
float calm_column(const Sizes& s) { return 13 * s.u; }  // most texts fit
float fold_width(const Sizes& s) { return 7 * s.u; }

float gutter_width(const StageInput& input, const StageLayout& layout) {
  const Sizes& s = layout.sizes;
  const std::string& label =
      input.scenario.resource.label.in(input.language == trace::Language::kZh);
  const std::string longest =
      "write " + (label.empty() ? input.scenario.resource.id : label) + " = 000";
  const float wanted = input.measure.width(longest, s.small) + 1.8f * s.u;
  return std::clamp(wanted, 7 * s.u, (layout.density == Density::kTight ? 8.5f : 13.0f) * s.u);
}

/// Three columns, or one and two counts, must fit.
bool is_wide_enough(const StageInput& input, const StageLayout& layout) {
  const Sizes& s = layout.sizes;
  const float columns = input.size.w - 3 * layout.pad - gutter_width(input, layout);
  const auto clients = static_cast<float>(std::min<size_t>(input.snapshot.clients.size(), 3));
  const float folded = clients < 3 ? 0 : least_column(s) + 2 * fold_width(s);
  return columns >= std::max(clients * least_column(s), folded);
}

}  // namespace

Sizes sizes_of(const TextMeasure& measure, float font_px) {
  Sizes s;
  s.u = font_px;
  s.body = {Font::kSans, font_px};
  s.bold = {Font::kBold, font_px};
  s.small = {Font::kSans, 0.86f * font_px};
  s.small_bold = {Font::kBold, 0.86f * font_px};
  s.quote = {Font::kSans, 1.12f * font_px};
  s.quote_bold = {Font::kBold, 1.12f * font_px};
  s.mono = {Font::kMono, 0.86f * font_px};
  s.body_h = std::max(measure.height(s.body), measure.height(s.bold));
  s.small_h =
      std::max({measure.height(s.small), measure.height(s.small_bold), measure.height(s.mono)});
  s.quote_h = std::max(measure.height(s.quote), measure.height(s.quote_bold));
  return s;
}

StageLayout heights_of(const StageInput& input) {
  constexpr float kSmallest = 4;  // below this nothing can be read anyway
  float font = std::clamp(input.font_px, kSmallest, 64.0f);
  StageLayout layout;
  for (;; font *= 0.96f) {
    for (int step = 0; step <= 2 * kSteps; ++step) {
      const Choice tried = choice(step);
      layout = {};
      layout.density = tried.density;
      layout.size = input.size;
      layout.sizes = sizes_of(input.measure, font);
      const float bottom = lay_out(input, tried.spacing, layout);
      const bool fits = bottom <= input.size.h && is_wide_enough(input, layout);
      if (!fits && (step < 2 * kSteps || font > kSmallest)) continue;
      layout.card_pad = tried.spacing.card_pad * font;
      spread(layout, std::max(0.0f, input.size.h - bottom));
      const float gutter = gutter_width(input, layout);
      layout.gutter = {input.size.w - layout.pad - gutter, layout.corridor_y, gutter,
                       layout.ledger.y - layout.corridor_y};
      for (Rect* band : {&layout.belief, &layout.wires}) band->w = layout.gutter.x;
      return layout;
    }
  }
}

ColumnRoom room_of(const StageInput& input, const StageLayout& layout) {
  const Sizes& s = layout.sizes;
  ColumnRoom room{
      .all = layout.gutter.x - 2 * layout.pad, .client = 15.5f * s.u, .folded = fold_width(s)};
  // Better squeezed than folded, and than fewer than four where some must be.
  const auto clients = static_cast<float>(input.snapshot.clients.size());
  const bool squeezed = clients * least_column(s) <= room.all;
  const bool few = room.all < 4 * room.client + room.folded;
  if (few) room.client = calm_column(s);
  if (squeezed || room.all < room.client + 2 * room.folded) room.client = least_column(s);
  return room;
}

void place_columns(const StageInput& input, const StageModel& model, StageLayout& layout) {
  const Sizes& s = layout.sizes;
  const ColumnRoom room = room_of(input, layout);
  size_t folds = 0;
  for (const ColumnView& column : model.columns) folds += column.folded ? 1 : 0;
  const auto clients = static_cast<float>(model.columns.size() - folds);
  const float left_for_clients = room.all - static_cast<float>(folds) * room.folded;
  float pitch = clients > 0 ? std::clamp(left_for_clients / clients, room.client, 30 * s.u) : 0;
  if (clients * pitch > left_for_clients && !input.unfolded && clients > 0)
    pitch = left_for_clients / clients;
  const float used = clients * pitch + static_cast<float>(folds) * room.folded;
  if (input.unfolded && used > room.all) {  // the stage grows
    const float by = used - room.all;
    layout.size.w += by;
    layout.gutter.x += by;
    for (Rect* rect :
         {&layout.belief, &layout.wires, &layout.truth, &layout.truth_head, &layout.servers, &layout.ledger}) {
      rect->w += by;
    }
  }
  float x = 1.5f * layout.pad + std::max(0.0f, (room.all - used) / 2);
  for (const ColumnView& column : model.columns) {
    const float w = column.folded ? room.folded : pitch;
    const float gap = column.folded ? 1.2f * s.u : std::clamp(0.14f * w, 1.4f * s.u, 6 * s.u);
    const float card_w = w - gap;
    const float node_w =
        column.folded ? card_w : std::min(card_w, std::max(10.5f * s.u, 0.62f * card_w));
    layout.columns.push_back({x, w, x + gap / 2, card_w, x + (w - node_w) / 2, node_w});
    x += w;
  }
}

}  // namespace lockstep::scene
