#include "gui/flow.h"

#include <algorithm>

#include "gui/controls.h"

namespace lockstep::gui {
namespace {

constexpr std::string_view kClosing = "，。、；：！？）》」』】”’…—,.;:!?)]}%";
constexpr std::string_view kOpening = "（《「『【“‘([{";

size_t character_length(std::string_view text, size_t at) {
  size_t end = at + 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80) ++end;
  return end - at;
}

/// True for characters of the East Asian scripts, between which a line may break.
bool is_wide(std::string_view character) {
  return character.size() >= 3 && static_cast<unsigned char>(character[0]) >= 0xE3;
}

bool is_among(std::string_view character, std::string_view set) {
  for (size_t at = 0; at < set.size(); at += character_length(set, at)) {
    if (set.substr(at, character_length(set, at)) == character) return true;
  }
  return false;
}

bool may_break(std::string_view before, std::string_view after) {
  if (is_among(before, kOpening) || is_among(after, kClosing)) return false;
  if (before == " ") return after != " ";
  return after != " " && (is_wide(before) || is_wide(after));
}

struct Piece {
  std::string text;
  size_t run = 0;
  float x = 0;
  float width = 0;
  int32_t line = 0;
  bool glued = false;  ///< belongs to the piece before: a line may not break here
};

bool ends_open(const std::vector<FlowRun>& runs, size_t run) {
  const std::string& before = runs[run - 1].text;
  if (before.empty() || runs[run].text.empty()) return false;
  size_t at = before.size() - 1;
  while (at > 0 && (static_cast<unsigned char>(before[at]) & 0xC0u) == 0x80) --at;
  const std::string_view next(runs[run].text);
  return !may_break(std::string_view(before).substr(at), next.substr(0, character_length(next, 0)));
}

std::vector<Piece> pieces_of(const Ui& ui, const std::vector<FlowRun>& runs) {
  std::vector<Piece> pieces;
  for (size_t run = 0; run < runs.size(); ++run) {
    bool glued = run > 0 && ends_open(runs, run);
    for (std::string& text : breakable_pieces(runs[run].text)) {
      Piece piece = {.text = std::move(text), .run = run, .glued = glued};
      piece.width = ui.width(piece.text, runs[run].style);
      pieces.push_back(std::move(piece));
      glued = false;
    }
  }
  return pieces;
}

float width_without_space(const Ui& ui, const Piece& piece, const Style& style) {
  if (piece.text.empty() || piece.text.back() != ' ') return piece.width;
  return piece.width - ui.width(" ", style);
}

/// Places the pieces; returns the number of lines.
int32_t break_lines(const Ui& ui, const std::vector<FlowRun>& runs, std::vector<Piece>& pieces,
                    float width) {
  int32_t line = 0;
  float x = 0;
  for (size_t from = 0; from < pieces.size();) {
    size_t to = from + 1;  // pieces that stay together
    while (to < pieces.size() && pieces[to].glued) ++to;
    float wide = 0;
    for (size_t i = from; i < to; ++i) {
      wide += i + 1 < to ? pieces[i].width
                         : width_without_space(ui, pieces[i], runs[pieces[i].run].style);
    }
    if (x > 0 && x + wide > width) {
      ++line;
      x = 0;
    }
    for (; from < to; ++from) {
      pieces[from].line = line;
      pieces[from].x = x;
      x += pieces[from].width;
    }
  }
  return pieces.empty() ? 0 : line + 1;
}

/// Pieces of one run on one line are drawn at once.
struct Stretch {
  std::string text;
  size_t run = 0;
  float x = 0;
  float width = 0;
  int32_t line = 0;
};

std::vector<Stretch> stretches_of(const std::vector<Piece>& pieces) {
  std::vector<Stretch> stretches;
  for (const Piece& piece : pieces) {
    if (stretches.empty() || stretches.back().run != piece.run ||
        stretches.back().line != piece.line) {
      stretches.push_back({.run = piece.run, .x = piece.x, .line = piece.line});
    }
    stretches.back().text += piece.text;
    stretches.back().width += piece.width;
  }
  return stretches;
}

}  // namespace

std::vector<std::string> breakable_pieces(std::string_view text) {
  std::vector<std::string> pieces;
  std::string_view before;
  for (size_t at = 0; at < text.size();) {
    const std::string_view character = text.substr(at, character_length(text, at));
    if (pieces.empty() || may_break(before, character)) pieces.emplace_back();
    pieces.back() += character;
    before = character;
    at += character.size();
  }
  return pieces;
}

std::string flow(const Ui& ui, const std::vector<FlowRun>& runs, const FlowOptions& options) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = (options.width > 0 ? options.width : ImGui::GetContentRegionAvail().x);
  std::vector<Piece> pieces = pieces_of(ui, runs);
  const int32_t lines = break_lines(ui, runs, pieces, std::max(ui.em(2), room - options.indent));
  const float high = ui.line_height();
  std::string clicked;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (!options.marker.empty()) {
    ui.text(options.marker, {at.x + options.indent - ui.em(1.1f), at.y, ui.em(1.1f), high},
            options.marker_style);
  }
  for (const Stretch& stretch : stretches_of(pieces)) {
    const FlowRun& run = runs[stretch.run];
    const scene::Rect rect = {at.x + options.indent + stretch.x,
                              at.y + static_cast<float>(stretch.line) * high, stretch.width, high};
    if (visible_part(rect).w <= 0) continue;
    if (!run.link.empty()) {
      const Touched touched = touch(ui, {.id = run.link, .rect = rect, .text = run.text});
      if (touched.clicked) clicked = run.link;
      const float y = std::round(rect.y + high * 0.82f);
      list.AddLine({rect.x, y}, {rect.right(), y}, ui.color(run.style.ink),
                   touched.hovered ? 2.0f : 1.0f);
    }
    ui.text(stretch.text, {rect.x, rect.y, rect.w + 1, rect.h}, run.style);
  }
  if (ui.items.listening() &&
      visible_part({at.x, at.y, room, high * static_cast<float>(lines)}).h > 0) {
    std::string whole;
    for (const FlowRun& run : runs) whole += run.text;
    ui.items.say(whole);
  }
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({1, high * static_cast<float>(lines)});
  return clicked;
}

void paragraph(const Ui& ui, std::string_view text, Style style, const FlowOptions& options) {
  flow(ui, {{.text = std::string(text), .style = style}}, options);
}

}  // namespace lockstep::gui
