// A window with OpenGL 3.3 in it and Dear ImGui on top: opening, input, frames, pixels. Knows nothing of what is
// shown.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gui/fonts.h"
#include "gui/input.h"
#include "scenario/problem.h"
#include "scene/palette.h"
#include "scene/scene.h"

struct GLFWwindow;

namespace lockstep::gui {

struct WindowOptions {
  std::string title = "Lockstep";
  scene::Size size = {1440, 900};
  bool scripted =
      false;  ///< input comes from a script: the mouse and keyboard of the desktop are not heard
};

class Window {
 public:
  /// A problem of kind environment if there is no display or no OpenGL 3.3; it says how to get one.
  static scenario::Result<std::unique_ptr<Window>> open(const WindowOptions& options);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  Input& input() { return input_; }
  bool closing() const;
  void set_title(const std::string& title);
  void resize(scene::Size size);
  scene::Size size() const;
  /// Where the window's content begins on the screen.
  scene::Point place() const;
  /// Hears the desktop's mouse and keyboard, from now on.
  void hear_desktop();
  /// How much larger than usual things are on this screen.
  float scale() const;
  /// Seconds, from some fixed moment on.
  double now() const;

  /// Takes in what mouse and keyboard did, waiting up to `seconds` for something (0: not at all;
  /// negative: as long as it takes).
  void listen(double seconds);

  void begin_frame(const Fonts& fonts, bool fonts_changed, double seconds);
  void end_frame();
  /// Draws the frame, on what is shown next.
  void paint(scene::Rgb background);
  /// Shows the frame.
  void swap();

  struct Pixels {
    int32_t width = 0;
    int32_t height = 0;
    std::vector<uint8_t> rgb = {};  ///< rows from the top
  };
  /// What the last frame has drawn; before swap().
  Pixels pixels() const;

 private:
  explicit Window(GLFWwindow* window);

  GLFWwindow* window_ = nullptr;
  Input input_;
};

}  // namespace lockstep::gui
