// A scene that can be pointed at: painted, and its regions registered as items.
#pragma once

#include "gui/ui.h"
#include "scene/scene.h"

namespace lockstep::gui {

struct SceneTouch {
  const scene::Region* region = nullptr;  ///< under the mouse; nullptr: none
  scene::Point at = {};                   ///< the mouse in the scene
  bool hovered = false;                   ///< the mouse is over the scene
  bool pressed = false;                   ///< the left button went down in this frame
  bool held = false;                      ///< and was not let go since
  bool clicked = false;                   ///< let go without having moved
  bool menu = false;                      ///< the right button, likewise
};

/// Shows the scene with its top left corner at `at`.
SceneTouch show_scene(const Ui& ui, const char* id, const scene::Scene& scene, scene::Point at);

}  // namespace lockstep::gui
