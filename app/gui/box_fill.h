// Filled boxes with round corners, that cost little where OpenGL draws in software.
#pragma once

#include <imgui.h>

namespace lockstep::gui {

/// As ImDrawList::AddRectFilled, antialiased at the edges, but in level strips instead of a fan from one corner:
/// drawn in software, every sliver of a fan costs as much as the box is large. `radius`: pixels, at most half of
/// the smaller side.
void fill_box(ImDrawList& list, ImVec2 from, ImVec2 to, float radius, ImU32 color);

}  // namespace lockstep::gui
