#include "gui/pane.h"

namespace lockstep::gui {

Pane::Pane(const Ui& ui, const PaneSpec& spec) {
  ImGui::SetNextWindowPos(top_left(spec.rect));
  ImGui::SetNextWindowSize({spec.rect.w, spec.rect.h});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ui.color(spec.role));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, spec.over ? ui.em(0.6f) : 0.0f);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, spec.over ? 1.0f : 0.0f);
  ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                           ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav;
  if (spec.scrolls) flags &= ~ImGuiWindowFlags_NoScrollbar;
  if (!spec.over) flags |= ImGuiWindowFlags_NoBringToFrontOnFocus;
  // The window is cleared to its background's colour already. Drawn in software, a rectangle of a pane's size
  // costs more than most of what lies on it.
  if (spec.role == scene::Role::kBackground) flags |= ImGuiWindowFlags_NoBackground;
  if (!spec.scrolls) flags |= ImGuiWindowFlags_NoScrollWithMouse;
  ImGui::Begin(spec.id, nullptr, flags);
  if (spec.over && ImGui::IsWindowAppearing()) ImGui::SetWindowFocus();
}

Pane::~Pane() {
  ImGui::End();
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
}

Scroll::Scroll(const char* id, scene::Rect rect, float padding) {
  ImGui::SetCursorScreenPos(top_left(rect));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {padding, padding});
  ImGui::BeginChild(id, {rect.w, rect.h}, false,
                    ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoNav);
  ImGui::PopStyleVar();
}

Scroll::~Scroll() { ImGui::EndChild(); }

void draw_edge(const Ui& ui, const scene::Rect& rect, Edge edge) {
  const float x = edge == Edge::kRight ? rect.right() - 1 : rect.x;
  const float y = edge == Edge::kBottom ? rect.bottom() - 1 : rect.y;
  const bool across = edge == Edge::kTop || edge == Edge::kBottom;
  ImGui::GetWindowDrawList()->AddRectFilled(
      {x, y}, {across ? rect.right() : x + 1, across ? y + 1 : rect.bottom()},
      ui.color(scene::Role::kLine));
}

}  // namespace lockstep::gui
