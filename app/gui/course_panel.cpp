// The course at the left: its lessons by chapter.
#include "gui/controls.h"
#include "gui/pane.h"
#include "gui/panel.h"

namespace lockstep::gui {
namespace {

class CoursePanel final : public Panel {
 public:
  const char* id() const override { return "course"; }
  Place place() const override { return Place::kCourse; }

  void draw(const Frame& frame, scene::Rect rect) override {
    if (rect.w <= 0) return;
    const Pane pane(frame.ui, {.id = "course", .rect = rect});
    draw_edge(frame.ui, rect, Edge::kRight);
    const Scroll scroll("course list", {rect.x, rect.y, rect.w - 1, rect.h}, 0);
    std::string group;
    for (const CourseEntry& entry : frame.course) {
      if (entry.group != group) draw_group(frame, entry.group);
      group = entry.group;
      draw_entry(frame, entry);
    }
    gap(frame.ui, 1);
  }

 private:
  static void draw_group(const Frame& frame, const std::string& group) {
    const Ui& ui = frame.ui;
    gap(ui, 0.7f);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float wide = ImGui::GetContentRegionAvail().x;
    ImGui::Dummy({wide, ui.row_height()});
    ui.text(course::group_title(group).in(ui.chinese()),
            {at.x + ui.em(1), at.y, wide - ui.em(1.4f), ui.row_height()}, kHeadingText);
  }

  static void draw_entry(const Frame& frame, const CourseEntry& entry) {
    const std::string title = entry.title.in(frame.ui.chinese());
    const std::string minutes = frame.say(Word::kMinutes, {std::to_string(entry.minutes)});
    const bool open = frame.document.id() == entry.id;
    if (row(frame.ui, {.id = "course/" + entry.id,
                       .text = entry.id + "  " + title,
                       .tooltip = entry.id + "  " + title + "\n" + minutes,
                       .on = open})) {
      frame.ask(CommandId::kOpen, entry.file);
    }
  }
};

}  // namespace

std::unique_ptr<Panel> course_panel() { return std::make_unique<CoursePanel>(); }

}  // namespace lockstep::gui
