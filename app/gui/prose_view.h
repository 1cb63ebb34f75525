// A lesson's prose as running text.
#pragma once

#include <string>

#include "gui/flow.h"

namespace lockstep::gui {

/// Draws the markup that course/prose.h understands; `role` is the colour of plain text.
void draw_prose(const Ui& ui, const std::string& markdown, scene::Role role = scene::Role::kText);

}  // namespace lockstep::gui
