// The tabs at the right.
#include <array>

#include "gui/controls.h"
#include "gui/pane.h"
#include "gui/panel.h"

namespace lockstep::gui {
namespace {

using scene::Rect;

struct TabName {
  Tab tab = Tab::kLesson;
  Word name = Word::kLesson;
  const char* id = "";
};
constexpr std::array kTabs = {
    TabName{Tab::kLesson, Word::kLesson, "tab/lesson"},
    TabName{Tab::kCode, Word::kCode, "tab/code"},
    TabName{Tab::kInspect, Word::kInspect, "tab/inspect"},
    TabName{Tab::kWhy, Word::kWhy, "tab/why"},
    TabName{Tab::kTranscript, Word::kTranscript, "tab/text"},
    TabName{Tab::kHistory, Word::kHistory, "tab/history"},
};

class SidePanel final : public Panel {
 public:
  SidePanel() {
    contents_[0] = lesson_tab();
    contents_[1] = code_tab();
    contents_[2] = inspect_tab();
    contents_[3] = why_tab();
    contents_[4] = transcript_tab();
    contents_[5] = history_tab();
  }

  const char* id() const override { return "side"; }
  Place place() const override { return Place::kSide; }

  void draw(const Frame& frame, Rect rect) override {
    const Pane pane(frame.ui, {.id = "side", .rect = rect});
    draw_edge(frame.ui, rect, Edge::kLeft);
    const float high = frame.ui.em(2.5f);
    draw_strip(frame, {rect.x + 1, rect.y, rect.w - 1, high});
    const Tab tab = frame.view.tab;
    const std::string id = "tab content " + std::to_string(static_cast<int>(tab));
    const Scroll scroll(id.c_str(), {rect.x + 1, rect.y + high, rect.w - 1, rect.h - high},
                        frame.ui.em(1.1f));
    contents_[static_cast<size_t>(tab)]->draw(frame);
    gap(frame.ui, 1);
  }

 private:
  /// What all names leave of the strip, for each side of each.
  static float spare_of(const Frame& frame, float wide, Style style) {
    for (const TabName& tab : kTabs) wide -= frame.ui.width(frame.word(tab.name), style);
    return wide / (2 * static_cast<float>(kTabs.size()));
  }

  static void draw_strip(const Frame& frame, const Rect& strip) {
    const Ui& ui = frame.ui;
    Style style = kBodyText;
    if (spare_of(frame, strip.w, style) < ui.em(0.2f)) style.level = Level::kSmall;
    const float spare = spare_of(frame, strip.w, style);
    // Too narrow for all names even so: each gets an equal share, and is cut.
    const bool narrow = spare < ui.em(0.1f);
    float x = strip.x;
    for (const TabName& tab : kTabs) {
      const float own = ui.width(frame.word(tab.name), style) + 2 * std::min(spare, ui.em(0.95f));
      const float wide = narrow ? strip.w / static_cast<float>(kTabs.size()) : own;
      draw_tab(frame, tab, {x, strip.y, wide, strip.h}, style.level);
      x += wide;
    }
    draw_edge(ui, strip, Edge::kBottom);
  }

  static void draw_tab(const Frame& frame, const TabName& tab, Rect rect, Level level) {
    const Ui& ui = frame.ui;
    const bool on = frame.view.tab == tab.tab;
    const std::string name = frame.words(tab.name);
    const Touched touched = touch(ui, {.id = tab.id, .rect = rect, .text = name});
    if (touched.clicked) frame.ask(CommandId::kTab, {}, static_cast<int64_t>(tab.tab));
    const scene::Role role = on || touched.hovered ? scene::Role::kText : scene::Role::kTextDim;
    ui.text(name, {rect.x + 1, rect.y, rect.w - 2, rect.h}, {.level = level, .ink = {.role = role}},
            scene::Align::kCenter);
    if (!on) return;
    ImGui::GetWindowDrawList()->AddRectFilled({rect.x, rect.bottom() - ui.em(0.16f)},
                                              bottom_right(rect), ui.color(scene::Role::kAccent));
  }

  std::array<std::unique_ptr<TabContent>, static_cast<size_t>(Tab::kTabs_)> contents_;
};

}  // namespace

std::unique_ptr<Panel> side_panel() { return std::make_unique<SidePanel>(); }

}  // namespace lockstep::gui
