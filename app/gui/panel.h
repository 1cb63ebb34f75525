// A panel: one part of the window. Panels are listed in panels.cpp and know nothing of each other.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gui/command.h"
#include "gui/document.h"
#include "gui/input.h"
#include "gui/keys.h"
#include "gui/layout.h"
#include "gui/strings.h"
#include "gui/ui.h"
#include "gui/view.h"

namespace lockstep::gui {

/// A lesson of the course, as the list at the left shows it.
struct CourseEntry {
  std::string file;
  std::string id;
  std::string group;
  scenario::Text title;
  int32_t minutes = 0;
};

/// What a panel is given to draw one frame.
struct Frame {
  const Ui& ui;
  const Document& document;
  View& view;  ///< a panel may change how things are looked at, in what is its own only
  Commands& commands;
  const std::vector<std::string>& possible;  ///< interventions, by name
  const std::vector<CourseEntry>& course;
  const std::vector<BindingGroup>& keys;
  scene::Point mouse;
  float stage_px = 16;  ///< of the stage's text

  std::string_view word(Word what) const { return gui::word(what, ui.language); }
  std::string words(Word what) const { return std::string(word(what)); }
  std::string say(Word what, std::initializer_list<std::string_view> values) const {
    return gui::say(what, ui.language, values);
  }
  void ask(CommandId id, std::string text = {}, int64_t number = 0) const {
    commands.push_back({id, std::move(text), number});
  }
  /// The key of a command as people read it; empty if it has none.
  std::string key_of(CommandId id, std::string_view text = {}) const;
};

class Panel {
 public:
  virtual ~Panel() = default;
  virtual const char* id() const = 0;
  virtual Place place() const = 0;
  virtual void draw(const Frame& frame, scene::Rect rect) = 0;
};

/// Every panel, in the order in which they are drawn.
std::vector<std::unique_ptr<Panel>> all_panels();

/// The content of a tab at the right, drawn at Dear ImGui's cursor in a window that scrolls.
class TabContent {
 public:
  virtual ~TabContent() = default;
  virtual void draw(const Frame& frame) = 0;
};

// In the order of Tab.
std::unique_ptr<TabContent> lesson_tab();
std::unique_ptr<TabContent> code_tab();
std::unique_ptr<TabContent> inspect_tab();
std::unique_ptr<TabContent> why_tab();
std::unique_ptr<TabContent> transcript_tab();
std::unique_ptr<TabContent> history_tab();

std::unique_ptr<Panel> top_bar();
std::unique_ptr<Panel> course_panel();
std::unique_ptr<Panel> stage_panel();
std::unique_ptr<Panel> actions_panel();
std::unique_ptr<Panel> transport_panel();
std::unique_ptr<Panel> timeline_panel();
std::unique_ptr<Panel> side_panel();
std::unique_ptr<Panel> keys_panel();
std::unique_ptr<Panel> notice_panel();

}  // namespace lockstep::gui
