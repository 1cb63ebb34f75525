// Running text: words in several styles, broken into lines. Chinese breaks between any two characters, but
// no line begins with a closing mark or ends with an opening one (Dear ImGui's own wrapping knows spaces
// only).
#pragma once

#include <string>
#include <vector>

#include "gui/ui.h"

namespace lockstep::gui {

struct FlowRun {
  std::string text;  ///< no line breaks
  Style style = {};
  std::string link = {};  ///< an item's id: this run can be clicked
};

struct FlowOptions {
  float indent = 0;         ///< of all lines, in pixels
  std::string marker = {};  ///< before the first line, in the indent
  Style marker_style = kDimText;
  float width = 0;  ///< 0: as wide as the window
};

/// Draws one paragraph at Dear ImGui's cursor and moves that below it. Returns the id of the link that was
/// clicked, else nothing.
std::string flow(const Ui& ui, const std::vector<FlowRun>& runs, const FlowOptions& options = {});

/// The same for one style.
void paragraph(const Ui& ui, std::string_view text, Style style = {},
               const FlowOptions& options = {});

/// The pieces between which a line may break, in order.
std::vector<std::string> breakable_pieces(std::string_view text);

}  // namespace lockstep::gui
