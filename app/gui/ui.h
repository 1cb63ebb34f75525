// What every panel draws with, for one frame: colours, fonts, the one scale of sizes, and the register of
// what is on the screen. Positions are the window's pixels.
#pragma once

#include <imgui.h>

#include <cmath>
#include <string>
#include <string_view>

#include "gui/fonts.h"
#include "gui/item.h"
#include "scene/palette.h"
#include "scene/scene.h"
#include "trace/text.h"

namespace lockstep::gui {

/// The type scale; everything that is written has one of these sizes.
enum class Level : uint8_t { kSmall, kBody, kTitle };

struct Style {
  scene::Font font = scene::Font::kSans;
  Level level = Level::kBody;
  scene::Ink ink = {};
};

class Ui {
 public:
  Items& items;
  const Fonts& fonts;
  const scene::Palette& palette;
  trace::Language language;
  float px;            ///< size of body text
  bool rested = true;  ///< the mouse has stood still for a while: tooltips may show

  bool chinese() const { return language == trace::Language::kZh; }
  /// Sizes and gaps come as multiples of the font's size, in whole pixels.
  float em(float n) const { return std::round(n * px); }
  float line_height() const { return em(1.6f); }  ///< of running text
  float row_height() const { return em(1.9f); }   ///< of a row that can be clicked
  scene::FontSize font(Style style) const;
  ImU32 color(scene::Ink ink) const;
  ImU32 color(scene::Role role) const { return color(scene::Ink{.role = role}); }
  float width(std::string_view text, Style style) const { return fonts.width(text, font(style)); }

  /// One line of text in `box`, centred vertically, cut with "…" if it must be; on `list`, else the
  /// current window's.
  void text(std::string_view text, scene::Rect box, Style style,
            scene::Align align = scene::Align::kLeft, ImDrawList* list = nullptr) const;
};

constexpr Style kBodyText = {};
constexpr Style kDimText = {.ink = {.role = scene::Role::kTextDim}};
constexpr Style kSmallDim = {.level = Level::kSmall, .ink = {.role = scene::Role::kTextDim}};
constexpr Style kStrongText = {.font = scene::Font::kBold};
constexpr Style kHeadingText = {
    .font = scene::Font::kBold, .level = Level::kSmall, .ink = {.role = scene::Role::kTextDim}};
constexpr Style kTitleText = {.font = scene::Font::kBold, .level = Level::kTitle};
constexpr Style kCodeText = {.font = scene::Font::kMono, .level = Level::kSmall};

inline ImVec2 vec(scene::Point p) { return {p.x, p.y}; }
inline ImVec2 top_left(const scene::Rect& r) { return {r.x, r.y}; }
inline ImVec2 bottom_right(const scene::Rect& r) { return {r.right(), r.bottom()}; }
/// The part of `rect` that the current window shows.
scene::Rect visible_part(const scene::Rect& rect);

}  // namespace lockstep::gui
