// The window, as the command line sees it.
#pragma once

#include <string>

#include "scene/palette.h"
#include "scene/scene.h"
#include "trace/text.h"

namespace lockstep::gui {

/// Font sizes that can be chosen, in pixels of the em.
constexpr float kFontPxMin = 12;
constexpr float kFontPxMax = 40;

struct GuiOptions {
  std::string file = {};  ///< a lesson, scenario or trace; empty: the course's first lesson
  trace::Language language = trace::Language::kZh;
  scene::Theme theme = scene::Theme::kDark;
  float font_px = 0;               ///< 0: fitting the window
  scene::Size size = {1440, 900};  ///< of the window, in screen coordinates
  bool safe = false;               ///< without remembered settings (none are kept so far)
  bool live = false;               ///< play the file on real servers at once
};

/// The font size that suits a window of this size.
float font_for(scene::Size size);

/// `lockstep open`: until the window is closed. Returns the exit code: 0; 2: the file cannot be opened; 3: no
/// display, no OpenGL 3.3. What is wrong is said on stderr.
int window_main(const GuiOptions& options);

struct DriveOptions {
  std::string script = {};  ///< a JSON file, see drive_script.h
};

/// Every step that a script may hold, one line each, for the help.
std::string drive_steps();

/// `lockstep drive`: works a real window from a script. 0: every step did what it says; 1: an expectation
/// does not hold; 2: the script, or a file that it opens, cannot be read; 3: no display, too small a screen, a
/// picture that cannot be written.
int drive_main(const DriveOptions& options);

}  // namespace lockstep::gui
