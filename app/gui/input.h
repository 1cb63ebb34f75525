// What mouse and keyboard do, on its way to the window. Fed by GLFW's callbacks or by a script, handed on
// once a frame: so a script's click takes the very way of a person's.
//
// A frame takes what has come up to and including the next change of a mouse button, never two: a press
// and release that come together (slow frames, xdotool) would cancel each other out.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "scene/scene.h"

struct ImGuiIO;

namespace lockstep::gui {

/// A key as it was pressed, by GLFW's number of it (letters by their place on the keyboard); or a character
/// that was typed, for keys that every layout has elsewhere ('?').
struct KeyPress {
  int32_t key = 0;         ///< 0: a character
  uint32_t character = 0;  ///< 0: a key
  bool ctrl = false;
  bool shift = false;
  bool alt = false;

  bool operator==(const KeyPress&) const = default;
};

/// "space", "shift+right", "ctrl+z", "f5", "p", "?": as scripts write them, in capitals or not, or as the
/// list of keys shows them ("PgUp"). False if there is no such key.
[[nodiscard]] bool key_named(std::string_view written, KeyPress& press);
/// The reverse, for people: "Shift+→", "Ctrl+Z".
std::string shown_name(const KeyPress& press);

enum class MouseButton : uint8_t { kLeft, kRight, kMiddle };

class Input {
 public:
  void mouse_at(scene::Point at);
  void mouse_left();  ///< the mouse has left the window
  void mouse_button(MouseButton button, bool down);
  void wheel(scene::Point by);
  void key(const KeyPress& press, bool down);
  void character(uint32_t character);

  /// True if frames are needed to hand on what has come.
  bool pending() const { return !events_.empty(); }
  /// Hands on what belongs to the next frame.
  void next_frame(ImGuiIO& io);
  /// Keys pressed in this frame, in order, repeats included.
  const std::vector<KeyPress>& presses() const { return presses_; }
  /// Where the mouse is in this frame.
  scene::Point mouse() const { return mouse_; }

 private:
  enum class Kind : uint8_t { kMove, kButton, kWheel, kKey, kCharacter };
  struct Event {
    Kind kind = Kind::kMove;
    scene::Point point = {};
    MouseButton button = MouseButton::kLeft;
    KeyPress press = {};
    bool down = false;
  };

  void take(const Event& event, ImGuiIO& io);

  std::deque<Event> events_;
  std::vector<KeyPress> presses_;
  scene::Point mouse_ = {-1, -1};
};

}  // namespace lockstep::gui
