#include "gui/ui.h"

#include <algorithm>

namespace lockstep::gui {

scene::FontSize Ui::font(Style style) const {
  switch (style.level) {
    case Level::kSmall: return {style.font, 0.86f * px};
    case Level::kBody: return {style.font, px};
    case Level::kTitle: return {style.font, 1.12f * px};
  }
  return {style.font, px};
}

ImU32 Ui::color(scene::Ink ink) const {
  const scene::Rgb rgb = palette.color(ink);
  return IM_COL32(rgb.r, rgb.g, rgb.b, static_cast<uint8_t>(std::lround(ink.opacity * 255)));
}

void Ui::text(std::string_view whole, scene::Rect box, Style style, scene::Align align,
              ImDrawList* list) const {
  if (whole.empty()) return;
  const scene::FontSize size = font(style);
  float wide = fonts.width(whole, size);
  std::string cut;
  std::string_view shown = whole;
  if (wide > box.w + 0.5f) {
    cut = scene::fitted(fonts, whole, size, box.w);
    shown = cut;
    wide = fonts.width(shown, size);
  }
  float x = box.x;
  if (align == scene::Align::kCenter) x += (box.w - wide) / 2;
  if (align == scene::Align::kRight) x += box.w - wide;
  const Fonts::Drawn drawn = fonts.at(size);
  const ImVec2 at(std::floor(x), std::floor(box.y + (box.h - drawn.size) / 2));
  if (list == nullptr) list = ImGui::GetWindowDrawList();
  list->AddText(drawn.font, drawn.size, at, color(style.ink), shown.data(),
                shown.data() + shown.size());
  if (items.listening() && visible_part(box).w > 0) items.say(whole);
}

scene::Rect visible_part(const scene::Rect& rect) {
  const ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 from = list->GetClipRectMin();
  const ImVec2 to = list->GetClipRectMax();
  const float x = std::max(rect.x, from.x);
  const float y = std::max(rect.y, from.y);
  const scene::Rect part = {x, y, std::min(rect.right(), to.x) - x,
                            std::min(rect.bottom(), to.y) - y};
  return part.w > 0 && part.h > 0 ? part : scene::Rect{};
}

}  // namespace lockstep::gui
