// How somebody looks at a document: language, theme, what is chosen, folded, and played how. Nothing here
// changes what happened.
#pragma once

#include <cstdint>
#include <string>

#include "gui/playback.h"
#include "scene/palette.h"
#include "scene/scene.h"
#include "trace/text.h"

namespace lockstep::gui {

enum class Tab : uint8_t { kLesson, kCode, kInspect, kWhy, kTranscript, kHistory, kTabs_ };

/// The stretch of time that the timeline shows.
struct TimeRange {
  bool all = true;  ///< everything so far; `from_us` and `to_us` follow
  TimeUs from_us = 0;
  TimeUs to_us = kSecond;
};

/// A menu that is open for something on the stage.
struct OpenMenu {
  std::string region = {};  ///< id, as in scene.h; empty: none
  scene::Point at = {};
  bool fresh = false;    ///< it is to be opened in this frame
  bool closing = false;  ///< it is to be closed in this frame
};

struct View {
  trace::Language language = trace::Language::kZh;
  scene::Theme theme = scene::Theme::kDark;
  float font_px = 16;
  bool course_open = true;
  Tab tab = Tab::kLesson;
  std::string chosen = {};  ///< id of the chosen client; empty: none
  bool java = false;        ///< the listing in Java instead of pseudo-code
  bool unfolded = false;
  bool help = false;
  Playback playback = {};
  TimeRange range = {};
  OpenMenu menu = {};
  std::string notice = {};  ///< a message that goes away by itself
  double notice_s = 0;      ///< for how long still

  bool chinese() const { return language == trace::Language::kZh; }
};

}  // namespace lockstep::gui
