#include "gui/scene_view.h"

#include <algorithm>

#include "gui/painter.h"

namespace lockstep::gui {
namespace {

void register_regions(const Ui& ui, const scene::Scene& scene, scene::Point at) {
  for (const scene::Region& region : scene.regions) {
    if (region.id.empty()) continue;
    const scene::Rect rect = {at.x + region.rect.x, at.y + region.rect.y, region.rect.w,
                              region.rect.h};
    ui.items.add(
        {.id = region.id, .rect = visible_part(rect), .text = scene::text_in(scene, region.id)});
  }
}

bool has_moved(int button) {
  const ImVec2 by = ImGui::GetMouseDragDelta(button, 3);
  return by.x != 0 || by.y != 0;
}

}  // namespace

SceneTouch show_scene(const Ui& ui, const char* id, const scene::Scene& scene, scene::Point at) {
  paint(ui, scene, at);
  ImGui::SetCursorScreenPos(vec(at));
  ImGui::InvisibleButton(id, {std::max(1.0f, scene.size.w), std::max(1.0f, scene.size.h)},
                         ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
  SceneTouch touch;
  touch.hovered = ImGui::IsItemHovered();
  const ImVec2 mouse = ImGui::GetMousePos();
  touch.at = {mouse.x - at.x, mouse.y - at.y};
  if (touch.hovered || ImGui::IsItemActive()) touch.region = scene::region_at(scene, touch.at);
  const bool released = ImGui::IsItemDeactivated() && touch.hovered;
  touch.pressed = ImGui::IsItemActivated() && ImGui::IsMouseDown(0);
  touch.held = ImGui::IsItemActive() && ImGui::IsMouseDown(0);
  touch.clicked = released && ImGui::IsMouseReleased(0) && !has_moved(0);
  touch.menu = released && ImGui::IsMouseReleased(1);
  if (ui.items.listening()) {
    register_regions(ui, scene, at);
    if (touch.hovered && touch.region != nullptr) ui.items.hover(touch.region->id);
  }
  return touch;
}

}  // namespace lockstep::gui
