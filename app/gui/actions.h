// The row of buttons under the stage: what it offers, and how it breaks into rows.
#pragma once

#include <vector>

#include "gui/command.h"
#include "gui/controls.h"
#include "gui/interventions.h"

namespace lockstep::gui {

/// A button, and the command that it stands for.
struct Action {
  ButtonSpec spec;
  Command command;
};

/// What can be done to the client; one button each.
std::vector<Action> actions_for(const Ui& ui, const OfferInput& input, const std::string& client);

/// Which row each button falls into if the buttons have `width` to share.
std::vector<int32_t> rows_of(const Ui& ui, const std::vector<Action>& actions, float width);

/// Room for the buttons in a pane of this width: what the client's disc leaves.
float room_for_actions(const Ui& ui, float pane_width, const std::string& client);

}  // namespace lockstep::gui
