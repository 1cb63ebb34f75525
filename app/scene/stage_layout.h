// Where the parts of the stage lie. Heights come first: the roomiest of three densities that fits; then
// what is left over goes to the ledger's rows, the wires and the gaps. Widths follow from how many
// columns there are. Nothing here looks at what the snapshot says.
#pragma once

#include <vector>

#include "scene/canvas.h"
#include "scene/stage_model.h"

namespace lockstep::scene {

enum class Density : uint8_t { kRoomy, kCompact, kTight };

/// Font sizes and line heights; u, the font's size, is the unit of all distances.
struct Sizes {
  float u = 14;
  FontSize body;
  FontSize bold;
  FontSize small;
  FontSize small_bold;
  FontSize quote;
  FontSize quote_bold;
  FontSize mono;
  float body_h = 0;
  float small_h = 0;
  float quote_h = 0;
};
Sizes sizes_of(const TextMeasure& measure, float font_px);

/// A column's cell, its card, and its node, as x and width.
struct ColumnPlace {
  float x = 0;
  float w = 0;
  float card_x = 0;
  float card_w = 0;
  float node_x = 0;
  float node_w = 0;
};

struct StageLayout {
  Density density = Density::kRoomy;
  Sizes sizes;
  Size size;
  float pad = 0;  ///< left and right
  std::vector<ColumnPlace> columns;
  Rect belief;  ///< the band: title and cards
  Rect belief_title;
  float corridor_y = 0;  ///< where links to the resource leave for the gutter
  float card_y = 0;
  float card_h = 0;
  float card_pad = 0;
  Rect wires;
  Rect truth;
  Rect truth_head;
  Rect servers;  ///< of an ensemble: their cards, and below them what they send each other
  int server_lines = 0;  ///< of text in a card
  float server_card_h = 0;
  int server_tracks = 0;  ///< for messages: to the right above, to the left below; or one for both
  float server_track_h = 0;
  float lanes_y = 0;  ///< watch arrows over other nodes' heads
  float lanes_h = 0;
  float node_y = 0;
  float node_h = 0;
  float session_y = 0;
  float session_h = 0;
  Rect gutter;  ///< from the corridor down to the ledger
  Rect ledger;
  size_t ledger_rows = 0;  ///< how many have room
  float ledger_row_h = 0;
};

/// Density, sizes and heights for a stage of this size; `columns` is empty yet. Of the snapshot it only asks
/// how many clients and servers there are.
StageLayout heights_of(const StageInput& input);

/// How much room the columns have.
ColumnRoom room_of(const StageInput& input, const StageLayout& layout);

/// Places the columns; an unfolded stage may grow in width.
void place_columns(const StageInput& input, const StageModel& model, StageLayout& layout);

}  // namespace lockstep::scene
