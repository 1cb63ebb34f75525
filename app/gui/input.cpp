#include "gui/input.h"

#include <GLFW/glfw3.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cfloat>

namespace lockstep::gui {
namespace {

struct KeyName {
  std::string_view name;
  int32_t key = 0;
  std::string_view shown;
};

constexpr std::array kNames = {
    KeyName{"space", GLFW_KEY_SPACE, "Space"},
    KeyName{"left", GLFW_KEY_LEFT, "←"},
    KeyName{"right", GLFW_KEY_RIGHT, "→"},
    KeyName{"up", GLFW_KEY_UP, "↑"},
    KeyName{"down", GLFW_KEY_DOWN, "↓"},
    KeyName{"home", GLFW_KEY_HOME, "Home"},
    KeyName{"end", GLFW_KEY_END, "End"},
    KeyName{"pageup", GLFW_KEY_PAGE_UP, "PgUp"},
    KeyName{"pagedown", GLFW_KEY_PAGE_DOWN, "PgDn"},
    KeyName{"enter", GLFW_KEY_ENTER, "Enter"},
    KeyName{"escape", GLFW_KEY_ESCAPE, "Esc"},
    KeyName{"tab", GLFW_KEY_TAB, "Tab"},
    KeyName{"backspace", GLFW_KEY_BACKSPACE, "Backspace"},
    KeyName{"delete", GLFW_KEY_DELETE, "Del"},
    KeyName{"[", GLFW_KEY_LEFT_BRACKET, "["},
    KeyName{"]", GLFW_KEY_RIGHT_BRACKET, "]"},
    KeyName{"minus", GLFW_KEY_MINUS, "-"},
    KeyName{"equal", GLFW_KEY_EQUAL, "="},
    KeyName{"comma", GLFW_KEY_COMMA, ","},
    KeyName{"period", GLFW_KEY_PERIOD, "."},
};

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower;
}

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (text.substr(0, prefix.size()) != prefix) return false;
  text.remove_prefix(prefix.size());
  return true;
}

/// "f1" to "f12"; 0: none of these.
int32_t function_key(std::string_view name) {
  if (name.size() < 2 || name.size() > 3 || name[0] != 'f') return 0;
  int32_t number = 0;
  for (const char c : name.substr(1)) {
    if (c < '0' || c > '9') return 0;
    number = number * 10 + (c - '0');
  }
  return number >= 1 && number <= 12 ? GLFW_KEY_F1 + number - 1 : 0;
}

int32_t single_key(char c) {
  if (c >= 'a' && c <= 'z') return GLFW_KEY_A + (c - 'a');
  if (c >= '0' && c <= '9') return GLFW_KEY_0 + (c - '0');
  return 0;
}

std::string utf8(uint32_t character) {
  if (character < 0x80) return {static_cast<char>(character)};
  return "?";
}

std::string shown_key(int32_t key) {
  for (const KeyName& name : kNames) {
    if (name.key == key) return std::string(name.shown);
  }
  if (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F12) return "F" + std::to_string(key - GLFW_KEY_F1 + 1);
  return std::string(1, static_cast<char>(key));  // GLFW numbers letters and digits as ASCII does
}

void set_key(ImGuiIO& io, const KeyPress& press, bool down) {
#if IMGUI_VERSION_NUM < 18700
  if (press.key > 0 && press.key < IM_ARRAYSIZE(io.KeysDown)) io.KeysDown[press.key] = down;
  io.KeyCtrl = press.ctrl;
  io.KeyShift = press.shift;
  io.KeyAlt = press.alt;
#else
  // No panel of ours asks Dear ImGui for keys: they are commands (keys.h). It only needs the modifiers.
  static_cast<void>(down);
  io.AddKeyEvent(ImGuiMod_Ctrl, press.ctrl);
  io.AddKeyEvent(ImGuiMod_Shift, press.shift);
  io.AddKeyEvent(ImGuiMod_Alt, press.alt);
#endif
}

}  // namespace

bool key_named(std::string_view written, KeyPress& press) {
  const std::string lower = lower_case(written);
  std::string_view name = lower;
  KeyPress result;
  for (bool more = true; more;) {
    more = false;
    if (take_prefix(name, "ctrl+")) more = result.ctrl = true;
    if (take_prefix(name, "shift+")) more = result.shift = true;
    if (take_prefix(name, "alt+")) more = result.alt = true;
  }
  result.key = function_key(name);
  if (name.size() == 1) result.key = single_key(name[0]);
  for (const KeyName& known : kNames) {
    if (known.name == name || lower_case(known.shown) == name) result.key = known.key;
  }
  if (result.key == 0) {
    if (name.size() != 1 || std::ispunct(static_cast<unsigned char>(name[0])) == 0) return false;
    result.character = static_cast<uint32_t>(name[0]);
  }
  press = result;
  return true;
}

std::string shown_name(const KeyPress& press) {
  std::string name;
  if (press.ctrl) name += "Ctrl+";
  if (press.shift) name += "Shift+";
  if (press.alt) name += "Alt+";
  return name + (press.key != 0 ? shown_key(press.key) : utf8(press.character));
}

void Input::mouse_at(scene::Point at) { events_.push_back({.kind = Kind::kMove, .point = at}); }
void Input::mouse_left() { mouse_at({-FLT_MAX, -FLT_MAX}); }
void Input::mouse_button(MouseButton button, bool down) {
  events_.push_back({.kind = Kind::kButton, .button = button, .down = down});
}
void Input::wheel(scene::Point by) { events_.push_back({.kind = Kind::kWheel, .point = by}); }
void Input::key(const KeyPress& press, bool down) {
  events_.push_back({.kind = Kind::kKey, .press = press, .down = down});
}
void Input::character(uint32_t character) {
  events_.push_back({.kind = Kind::kCharacter, .press = {.character = character}, .down = true});
}

void Input::next_frame(ImGuiIO& io) {
  presses_.clear();
  io.MouseWheel = io.MouseWheelH = 0;
  bool button_changed = false;
  while (!events_.empty()) {
    const Event event = events_.front();
    // A move after a button's change belongs to the next frame: else a press would happen elsewhere.
    const bool mouse = event.kind == Kind::kMove || event.kind == Kind::kButton;
    if (mouse && button_changed) return;
    events_.pop_front();
    take(event, io);
    button_changed = button_changed || event.kind == Kind::kButton;
  }
}

void Input::take(const Event& event, ImGuiIO& io) {
  switch (event.kind) {
    case Kind::kMove:
      mouse_ = event.point;
      io.MousePos = ImVec2(event.point.x, event.point.y);
      break;
    case Kind::kButton: io.MouseDown[static_cast<size_t>(event.button)] = event.down; break;
    case Kind::kWheel:
      io.MouseWheelH += event.point.x;
      io.MouseWheel += event.point.y;
      break;
    case Kind::kKey:
      set_key(io, event.press, event.down);
      if (event.down) presses_.push_back(event.press);
      break;
    case Kind::kCharacter: presses_.push_back(event.press); break;
  }
}

}  // namespace lockstep::gui
