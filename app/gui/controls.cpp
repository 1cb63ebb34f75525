#include "gui/controls.h"

#include <algorithm>

namespace lockstep::gui {
namespace {

using scene::Ink;
using scene::Rect;
using scene::Role;

ImVec4 to_vec4(ImU32 color) { return ImGui::ColorConvertU32ToFloat4(color); }

struct Looks {
  Ink fill = {.role = Role::kCard, .opacity = 0};
  Ink line = {.role = Role::kLine};
  Ink text = {.role = Role::kText};
};

Looks looks_of(const ButtonSpec& spec, const Touched& touched) {
  Looks looks;
  if (spec.on)
    looks = {
        {.role = Role::kAccent, .opacity = 0.16f}, {.role = Role::kAccent}, {.role = Role::kText}};
  if (spec.primary) {
    looks = {{.role = Role::kAccent}, {.role = Role::kAccent}, {.role = Role::kBackground}};
  }
  if (spec.identity >= 0) looks.line = {.role = Role::kIdentity, .identity = spec.identity};
  if (!spec.enabled) {
    looks.text = {.role = Role::kTextDim, .opacity = 0.55f};
    looks.line.opacity = 0.5f;
    looks.fill.opacity *= 0.3f;
    return looks;
  }
  if (touched.hovered && !spec.primary) {
    looks.fill = {.role = Role::kAccent, .opacity = touched.held ? 0.32f : 0.2f};
  }
  if (touched.hovered && spec.primary) looks.fill.opacity = touched.held ? 0.8f : 0.9f;
  return looks;
}

Style label_style(const ButtonSpec& spec) {
  return {.level = spec.tight ? Level::kSmall : Level::kBody};
}

float key_width(const Ui& ui, const std::string& key) {
  return key.empty() ? 0 : ui.width(key, kSmallDim) + ui.em(0.45f);
}

void triangle(ImDrawList& list, scene::Point tip, ImVec2 by, ImU32 color) {
  const ImVec2 a(tip.x - by.x, tip.y - by.y);
  const ImVec2 b(tip.x - by.x, tip.y + by.y);
  list.AddTriangleFilled(vec(tip), by.x > 0 ? b : a, by.x > 0 ? a : b, color);
}

void bar(ImDrawList& list, scene::Point center, ImVec2 half, ImU32 color) {
  list.AddRectFilled({center.x - half.x, center.y - half.y}, {center.x + half.x, center.y + half.y},
                     color, half.x / 2);
}

constexpr float kQuarter = 1.5707963f;  // of a full turn

void draw_contrast(ImDrawList& list, scene::Point c, float r, ImU32 color) {
  list.AddCircle(vec(c), r, color, 24, std::max(1.0f, r / 5));
  list.PathArcTo(vec(c), r, -kQuarter, kQuarter, 16);
  list.PathFillConvex(color);
}

}  // namespace

void apply_theme(const Ui& ui) {
  ImGuiStyle& style = ImGui::GetStyle();
  style = ImGuiStyle();
  style.WindowPadding = {0, 0};
  style.WindowBorderSize = 0;
  style.WindowMinSize = {1, 1};
  style.PopupBorderSize = 1;
  style.PopupRounding = style.WindowRounding = ui.em(0.4f);
  style.ItemSpacing = {0, 0};
  style.ScrollbarSize = ui.em(0.6f);
  style.ScrollbarRounding = ui.em(0.3f);
  const auto set = [&](ImGuiCol slot, Ink ink) { style.Colors[slot] = to_vec4(ui.color(ink)); };
  set(ImGuiCol_Text, {.role = Role::kText});
  set(ImGuiCol_WindowBg, {.role = Role::kPanel});
  set(ImGuiCol_ChildBg, {.role = Role::kPanel, .opacity = 0});
  set(ImGuiCol_PopupBg, {.role = Role::kCard});
  set(ImGuiCol_Border, {.role = Role::kLine});
  set(ImGuiCol_ScrollbarBg, {.role = Role::kPanel, .opacity = 0});
  set(ImGuiCol_ScrollbarGrab, {.role = Role::kTextDim, .opacity = 0.3f});
  set(ImGuiCol_ScrollbarGrabHovered, {.role = Role::kTextDim, .opacity = 0.5f});
  set(ImGuiCol_ScrollbarGrabActive, {.role = Role::kTextDim, .opacity = 0.7f});
  set(ImGuiCol_ModalWindowDimBg, {.role = Role::kBackground, .opacity = 0.6f});
}

Touched touch(const Ui& ui, const TouchSpec& spec) {
  Touched result;
  if (spec.rect.w < 1 || spec.rect.h < 1) return result;
  ImGui::SetCursorScreenPos(top_left(spec.rect));
  ImGui::InvisibleButton(spec.id.c_str(), {spec.rect.w, spec.rect.h},
                         ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
  result.hovered = ImGui::IsItemHovered();
  result.held = ImGui::IsItemActive();
  const bool over = spec.enabled && result.hovered;
  result.clicked = over && ImGui::IsMouseReleased(0) && ImGui::IsItemDeactivated();
  result.menu = over && ImGui::IsMouseReleased(1) && ImGui::IsItemDeactivated();
  if (ui.items.listening()) {
    ui.items.add({.id = spec.id,
                  .rect = visible_part(spec.rect),
                  .enabled = spec.enabled,
                  .text = spec.text});
    if (result.hovered) ui.items.hover(spec.id);
  }
  return result;
}

scene::Size button_size(const Ui& ui, const ButtonSpec& spec) {
  float w = ui.em(spec.tight ? 0.9f : spec.frame ? 1.3f : 1.0f);
  if (spec.icon != Icon::kNone) w += ui.em(1.0f);
  if (spec.icon != Icon::kNone && !spec.text.empty()) w += ui.em(0.4f);
  w += ui.width(spec.text, label_style(spec)) + key_width(ui, spec.key);
  return {std::ceil(w), ui.row_height()};
}

bool button(const Ui& ui, const ButtonSpec& spec, Rect rect) {
  const Touched touched =
      touch(ui, {.id = spec.id, .rect = rect, .text = spec.text, .enabled = spec.enabled});
  const Looks looks = looks_of(spec, touched);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float radius = std::min(rect.h / 2, ui.em(0.4f));
  if (looks.fill.opacity > 0) {
    list.AddRectFilled(top_left(rect), bottom_right(rect), ui.color(looks.fill), radius);
  }
  if (spec.frame) list.AddRect(top_left(rect), bottom_right(rect), ui.color(looks.line), radius);

  Style label = label_style(spec);
  label.ink = looks.text;
  const float text_width = ui.width(spec.text, label);
  const float icon = spec.icon == Icon::kNone ? 0 : ui.em(1.0f);
  const float between = icon > 0 && !spec.text.empty() ? ui.em(0.4f) : 0;
  const float key = key_width(ui, spec.key);
  const float content = icon + between + text_width + key;
  float x = rect.x + std::max(ui.em(0.3f), (rect.w - content) / 2);
  if (icon > 0) {
    draw_icon(list, spec.icon, {x, rect.center().y - icon / 2, icon, icon}, ui.color(looks.text));
  }
  x += icon + between;
  const float room = std::max(0.0f, rect.right() - x - key - ui.em(0.3f));
  ui.text(spec.text, {x, rect.y, std::max(room, std::min(text_width, rect.right() - x)), rect.h},
          label);
  if (key > 0) {
    Style dim = kSmallDim;
    dim.ink = {.role = spec.primary ? Role::kBackground : Role::kTextDim,
               .opacity = spec.enabled ? 1 : 0.5f};
    ui.text(spec.key, {x + text_width + ui.em(0.45f), rect.y, key, rect.h}, dim);
  }
  if (touched.hovered) tooltip(ui, spec.tooltip);
  return touched.clicked;
}

bool row(const Ui& ui, const RowSpec& spec) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Rect rect = {at.x, at.y, ImGui::GetContentRegionAvail().x, ui.row_height()};
  const Touched touched =
      touch(ui, {.id = spec.id, .rect = rect, .text = spec.text, .enabled = spec.enabled});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (spec.on || (touched.hovered && spec.enabled)) {
    const Ink wash = {.role = Role::kAccent, .opacity = spec.on ? 0.16f : 0.08f};
    list.AddRectFilled(top_left(rect), bottom_right(rect), ui.color(wash));
  }
  if (spec.on) {
    list.AddRectFilled(top_left(rect), {rect.x + ui.em(0.2f), rect.bottom()},
                       ui.color(Role::kAccent));
  }
  Style style = spec.style;
  if (!spec.enabled) style.ink = {.role = Role::kTextDim, .opacity = 0.6f};
  const float left = rect.x + ui.em(1.0f) + spec.indent;
  const float note = spec.note.empty() ? 0 : ui.width(spec.note, kSmallDim);
  const float right = rect.right() - ui.em(0.8f);
  const float room = right - left - (note > 0 ? note + ui.em(0.6f) : 0);
  ui.text(spec.text, {left, rect.y, room, rect.h}, style);
  if (note > 0) ui.text(spec.note, {right - note, rect.y, note + 1, rect.h}, kSmallDim);
  if (touched.hovered) tooltip(ui, spec.tooltip);
  return touched.clicked;
}

void tooltip(const Ui& ui, const std::string& text) {
  if (text.empty() || !ui.rested || ImGui::IsMouseDown(0)) return;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.em(0.6f), ui.em(0.4f)});
  ImGui::BeginTooltip();
  size_t from = 0;
  while (from <= text.size()) {
    const size_t to = std::min(text.find('\n', from), text.size());
    const std::string_view line = std::string_view(text).substr(from, to - from);
    const float wide = std::ceil(ui.width(line, kBodyText)) + 1;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::Dummy({wide, ui.line_height()});
    ui.text(line, {at.x, at.y, wide, ui.line_height()}, kBodyText);
    from = to + 1;
  }
  ImGui::EndTooltip();
  ImGui::PopStyleVar();
}

void draw_icon(ImDrawList& list, Icon icon, Rect box, ImU32 color) {
  const scene::Point c = box.center();
  const float r = box.w * 0.36f;
  const float thin = box.w * 0.09f;
  switch (icon) {
    case Icon::kNone: return;
    case Icon::kPlay: return triangle(list, {c.x + r, c.y}, {1.7f * r, 1.05f * r}, color);
    case Icon::kPause:
      bar(list, {c.x - 0.5f * r, c.y}, {1.7f * thin, r}, color);
      return bar(list, {c.x + 0.5f * r, c.y}, {1.7f * thin, r}, color);
    case Icon::kForward:
      bar(list, {c.x - r, c.y}, {thin, r}, color);
      return triangle(list, {c.x + r, c.y}, {1.4f * r, r}, color);
    case Icon::kBack:
      bar(list, {c.x + r, c.y}, {thin, r}, color);
      return triangle(list, {c.x - r, c.y}, {-1.4f * r, r}, color);
    case Icon::kNextMark:
      triangle(list, {c.x, c.y}, {r, r}, color);
      triangle(list, {c.x + r, c.y}, {r, r}, color);
      return bar(list, {c.x + 1.1f * r, c.y}, {thin, r}, color);
    case Icon::kLastMark:
      triangle(list, {c.x, c.y}, {-r, r}, color);
      triangle(list, {c.x - r, c.y}, {-r, r}, color);
      return bar(list, {c.x - 1.1f * r, c.y}, {thin, r}, color);
    case Icon::kFold: return triangle(list, {c.x - 0.6f * r, c.y}, {-1.2f * r, r}, color);
    case Icon::kUnfold: return triangle(list, {c.x + 0.6f * r, c.y}, {1.2f * r, r}, color);
    case Icon::kTheme: return draw_contrast(list, c, r, color);
    case Icon::kPlus: bar(list, c, {thin, r}, color); [[fallthrough]];
    case Icon::kMinus: return bar(list, c, {r, thin}, color);
    case Icon::kMenu:
      for (const float y : {-0.8f, 0.0f, 0.8f})
        bar(list, {c.x, c.y + y * r}, {1.1f * r, thin}, color);
      return;
  }
}

float disc_width(const Ui& ui, float radius, std::string_view letter) {
  const float text = ui.width(letter, {.font = scene::Font::kBold, .level = Level::kSmall});
  return text + ui.em(0.2f) <= 2 * radius ? 2 * radius : text + radius;
}

void draw_disc(const Ui& ui, scene::Point center, float radius, int32_t identity,
               std::string_view letter, bool filled) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 hue = ui.color({.role = Role::kIdentity, .identity = identity});
  const float half = disc_width(ui, radius, letter) / 2;
  const ImVec2 from = {center.x - half, center.y - radius};
  const ImVec2 to = {center.x + half, center.y + radius};
  if (filled) list.AddRectFilled(from, to, hue, radius);
  if (!filled) list.AddRect(from, to, hue, radius, 0, std::max(1.5f, radius / 6));
  const Style style = {
      .font = scene::Font::kBold,
      .level = Level::kSmall,
      .ink = {.role = filled ? Role::kOnIdentity : Role::kIdentity, .identity = identity}};
  ui.text(letter, {from.x, from.y, 2 * half, 2 * radius}, style, scene::Align::kCenter);
}

void heading(const Ui& ui, std::string_view text) {
  gap(ui, 0.9f);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float wide = ImGui::GetContentRegionAvail().x;
  ImGui::Dummy({wide, ui.line_height()});
  ui.text(text, {at.x, at.y, wide, ui.line_height()}, kHeadingText);
}

void gap(const Ui& ui, float ems) { ImGui::Dummy({1, ui.em(ems)}); }

}  // namespace lockstep::gui
