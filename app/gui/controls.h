// The things that one can click, and their looks. All go through touch(), the one thin wrapper round Dear
// ImGui's items: it makes them clickable and puts them into the register (item.h).
#pragma once

#include <string>
#include <vector>

#include "gui/ui.h"

namespace lockstep::gui {

/// Colours, roundings and spacings of what Dear ImGui draws itself (scrollbars, popups).
void apply_theme(const Ui& ui);

struct TouchSpec {
  std::string id;
  scene::Rect rect;
  std::string text = {};  ///< what it says, for the register
  bool enabled = true;
};

struct Touched {
  bool clicked = false;
  bool menu = false;  ///< the right button was clicked
  bool hovered = false;
  bool held = false;
};

Touched touch(const Ui& ui, const TouchSpec& spec);

/// Drawn as shapes: no font has them all.
enum class Icon : uint8_t {
  kNone,
  kPlay,
  kPause,
  kForward,
  kBack,
  kNextMark,
  kLastMark,
  kFold,
  kUnfold,
  kTheme,
  kPlus,
  kMinus,
  kMenu
};

struct ButtonSpec {
  std::string id;
  std::string text = {};
  std::string key = {};  ///< its key, shown dimly behind the text
  std::string tooltip = {};
  Icon icon = Icon::kNone;
  bool enabled = true;
  bool on = false;       ///< of a switch, or the chosen one of several
  bool primary = false;  ///< the one that most people will want next
  bool frame = true;
  bool tight = false;     ///< smaller text and less room: for one of many
  int32_t identity = -1;  ///< a client's number: drawn in its hue
};

scene::Size button_size(const Ui& ui, const ButtonSpec& spec);
/// At `rect`; true if clicked.
bool button(const Ui& ui, const ButtonSpec& spec, scene::Rect rect);

struct RowSpec {
  std::string id;
  std::string text;
  std::string note = {};  ///< at the right, dim
  std::string tooltip = {};
  bool enabled = true;
  bool on = false;  ///< it is the current one
  Style style = {};
  float indent = 0;
};
/// A line of a list, as wide as the window; true if clicked.
bool row(const Ui& ui, const RowSpec& spec);

/// Shows a tooltip for the last touch() that is hovered.
void tooltip(const Ui& ui, const std::string& text);

void draw_icon(ImDrawList& list, Icon icon, scene::Rect box, ImU32 color);
/// A client's disc with its letter, wider for a longer id; `filled` false: a ring.
float disc_width(const Ui& ui, float radius, std::string_view letter);
void draw_disc(const Ui& ui, scene::Point center, float radius, int32_t identity,
               std::string_view letter, bool filled);

/// A heading with room above; for the parts of a panel.
void heading(const Ui& ui, std::string_view text);
/// Room, in ems.
void gap(const Ui& ui, float ems);

}  // namespace lockstep::gui
