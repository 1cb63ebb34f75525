// The application without its window: what is open, how it is looked at, and what becomes of commands. One frame at a
// time, with the time that has gone by as an argument, so that a script gets the same frames every time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gui/document.h"
#include "gui/fonts.h"
#include "gui/gui.h"
#include "gui/input.h"
#include "gui/item.h"
#include "gui/panel.h"
#include "gui/view.h"

namespace lockstep::gui {

class App {
 public:
  explicit App(const GuiOptions& options);

  /// Problems leave what was open before.
  [[nodiscard]] std::vector<scenario::Problem> open(const std::string& file);

  /// Before Dear ImGui's frame begins. True if the fonts have changed, and with them the atlas.
  bool prepare(ImFontAtlas& atlas);
  /// Within Dear ImGui's frame: draws all panels, then carries out what was asked for.
  void frame(const Input& input, scene::Size size, double seconds);

  /// True if the next frame would look different without any input.
  bool moving() const;
  /// For how long nothing changes by itself while it is not moving; negative: for ever.
  double rest_seconds() const;

  Items& items() { return items_; }
  const Fonts& fonts() const { return fonts_; }
  const scene::Palette& palette() const { return scene::palette_of(view_.theme); }
  View& view() { return view_; }
  /// Requires that a file was opened.
  Document& document() { return *document_; }
  bool has_document() const { return document_ != nullptr; }
  std::string title() const;

  void perform(const Command& command);

 private:
  void perform_time(const Command& command);
  void tell_ending();
  void perform_interference(const Command& command);
  void perform_look(const Command& command);
  void perform_lesson(const Command& command);
  void draw(const Input& input, scene::Size size);
  void pass_time(double seconds);
  void look_where_told();
  void intervene(const std::string& name);
  void toggle(const std::string& key);
  void choose_neighbour(int32_t by);
  void next_beat();
  void toggle_live();
  void after_seek();
  void want_texts();
  void notice(std::string text);
  std::string new_client_id() const;

  Fonts fonts_;
  Items items_;
  View view_;
  std::vector<CourseEntry> course_;
  std::vector<BindingGroup> keys_;
  std::vector<std::unique_ptr<Panel>> panels_;
  std::unique_ptr<Document> document_;
  Commands commands_;
  Layout layout_;
  float stage_px_ = 16;
  scene::Size size_;
  scene::Point mouse_;
  double still_s_ = 0;  ///< for how long the mouse has not moved
  bool course_fitted_ = true;
  bool telling_ =
      false;  ///< the story was asked to go on: what it speaks of becomes the chosen one
  std::vector<std::string> possible_;
};

/// The lessons in the course's folder that can be read.
std::vector<CourseEntry> read_course(std::vector<scenario::Problem>& problems);

}  // namespace lockstep::gui
