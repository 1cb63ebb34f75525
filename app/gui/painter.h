// Paints a scene with Dear ImGui: the screen's counterpart to export's Cairo.
#pragma once

#include "gui/ui.h"
#include "scene/scene.h"

namespace lockstep::gui {

/// On the current window, with the scene's top left corner at `at`. What the window does not show is
/// left out. Registers the scene's texts as being on the screen.
void paint(const Ui& ui, const scene::Scene& scene, scene::Point at);

}  // namespace lockstep::gui
