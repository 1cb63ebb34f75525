// A script for the window: what `lockstep drive` reads. JSON: {"steps": [...]}; each step is an object with one
// member, which names what to do: {"click": "transport/play"}. drive_script.cpp lists them all, and
// `lockstep drive --help` prints that list. Ids are those of items (item.h), keys those of key_named() (input.h).
//
// The same script gives the same frames every time.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "gui/input.h"
#include "scenario/condition.h"
#include "scenario/problem.h"
#include "scene/palette.h"

namespace lockstep::gui {

struct OpenStep {
  std::string file;
};
struct KeyStep {
  KeyPress press;
};
enum class MouseAct : uint8_t { kClick, kContext, kHover };
struct MouseStep {
  MouseAct act = MouseAct::kClick;
  std::string id;
};
struct DragStep {
  std::string id;
  scene::Point by;
};
struct ScrollStep {
  std::string id;
  float steps = 0;
};
struct FramesStep {
  int32_t frames = 0;
};
struct WaitStep {
  scenario::Condition condition;
  std::string on_screen = {};  ///< empty: the condition
  int32_t frames_max = 3000;
};
struct ExpectStep {
  scenario::Condition condition;
};
struct ScreenStep {
  std::string text;
  bool there = true;
};
struct EnabledStep {
  std::string id;
  bool enabled = true;
};
struct PixelStep {
  scene::Point at = {};
  std::string item = {};  ///< empty: `at`
  std::string color = {};
  int32_t tolerance = 12;
};
struct DesktopStep {
  float seconds = 0;
};
struct WhereStep {
  std::string id;
};
struct PictureStep {
  std::string file;
};
struct SizeStep {
  scene::Size size;
};
/// Language, theme or font size, whichever is set.
struct LookStep {
  std::string language = {};
  std::string theme = {};
  float font_px = 0;
};

using Step = std::variant<OpenStep, KeyStep, MouseStep, DragStep, ScrollStep, FramesStep, WaitStep,
                          ExpectStep, ScreenStep, EnabledStep, PixelStep, DesktopStep, WhereStep,
                          PictureStep, SizeStep, LookStep>;

struct Script {
  std::string file;
  std::vector<Step> steps;
};

scenario::Result<Script> read_script(const std::string& file);

/// A colour by its role's name or as "#rrggbb"; false if it is neither.
[[nodiscard]] bool color_named(const std::string& name, const scene::Palette& palette,
                               scene::Rgb& color);

}  // namespace lockstep::gui
