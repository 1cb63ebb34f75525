// The bar at the top: what is open, how it is played, where we are; the switches for language, theme, text size
// and fencing.
#include <algorithm>

#include "gui/controls.h"
#include "gui/interventions.h"
#include "gui/pane.h"
#include "gui/panel.h"

namespace lockstep::gui {
namespace {

using scene::Rect;

std::string step_text(const Frame& frame) {
  const int64_t position = frame.document.tape().position();
  if (position == trace::kNoEvent) return frame.words(Word::kStart);
  return frame.say(Word::kStep,
                   {std::to_string(position + 1), std::to_string(frame.document.trace().size())});
}

Word world_word(World world) {
  switch (world) {
    case World::kSimulated: return Word::kSimulated;
    case World::kExplored: return Word::kExplored;
    case World::kLive: return Word::kLiveWorld;
    case World::kRecorded: return Word::kRecorded;
  }
  return Word::kSimulated;
}

/// A button and what it asks for.
struct BarButton {
  ButtonSpec spec;
  CommandId command = CommandId::kHelp;
};

std::vector<BarButton> left_buttons(const Frame& frame) {
  std::vector<BarButton> buttons;
  const World world = frame.document.world();
  buttons.push_back({{.id = "top/world",
                      .text = frame.words(world_word(world)),
                      .tooltip = frame.words(Word::kWorldTip),
                      .enabled = world == World::kSimulated || world == World::kLive,
                      .on = world == World::kLive},
                     CommandId::kLive});
  return buttons;
}

std::vector<BarButton> right_buttons(const Frame& frame) {
  const bool checks =
      other_rule({frame.document.snapshot(), frame.document.scenario(), frame.possible}) == "none";
  return {
      {{.id = "top/fencing",
        .text = frame.words(checks ? Word::kFencingOn : Word::kFencingOff),
        .key = "F",
        .tooltip = frame.words(Word::kFencingTip),
        .on = checks},
       CommandId::kFencing},
      {{.id = "top/language",
        .text = "中 / EN",
        .key = "L",
        .tooltip = frame.words(Word::kLanguageTip)},
       CommandId::kLanguage},
      {{.id = "top/theme", .tooltip = frame.words(Word::kThemeTip), .icon = Icon::kTheme},
       CommandId::kTheme},
      {{.id = "top/smaller", .tooltip = frame.words(Word::kSmaller), .icon = Icon::kMinus},
       CommandId::kFontSmaller},
      {{.id = "top/larger", .tooltip = frame.words(Word::kLarger), .icon = Icon::kPlus},
       CommandId::kFontLarger},
      {{.id = "top/keys", .text = "?", .tooltip = frame.words(Word::kKeysTip)}, CommandId::kHelp},
  };
}

class TopBar final : public Panel {
 public:
  const char* id() const override { return "top"; }
  Place place() const override { return Place::kTop; }

  void draw(const Frame& frame, Rect rect) override {
    const Pane pane(frame.ui, {.id = "top", .rect = rect});
    draw_edge(frame.ui, rect, Edge::kBottom);
    const float right = draw_right(frame, rect);
    draw_left(frame, {rect.x, rect.y, right - rect.x, rect.h});
  }

 private:
  static Rect placed(const Frame& frame, const Rect& bar, float x, scene::Size size) {
    static_cast<void>(frame);
    return {x, std::round(bar.y + (bar.h - size.h) / 2), size.w, size.h};
  }

  /// Returns where the free room to the left of the buttons ends.
  static float draw_right(const Frame& frame, const Rect& bar) {
    const Ui& ui = frame.ui;
    std::vector<BarButton> buttons = right_buttons(frame);
    float x = bar.right() - ui.em(0.8f);
    for (auto it = buttons.rbegin(); it != buttons.rend(); ++it) {
      const scene::Size size = button_size(ui, it->spec);
      x -= size.w;
      if (button(ui, it->spec, placed(frame, bar, x, size))) frame.ask(it->command);
      x -= ui.em(0.4f);
    }
    return x;
  }

  static void draw_left(const Frame& frame, const Rect& bar) {
    const Ui& ui = frame.ui;
    float x = bar.x + ui.em(0.6f);
    const ButtonSpec fold = {.id = "top/course",
                             .tooltip = frame.words(Word::kCourseTip),
                             .icon = Icon::kMenu,
                             .frame = false};
    const scene::Size fold_size = button_size(ui, fold);
    if (button(ui, fold, placed(frame, bar, x, fold_size))) frame.ask(CommandId::kCourse);
    x += fold_size.w + ui.em(0.4f);
    const auto write = [&](const std::string& text, Style style, float after) {
      const float room = bar.right() - x;
      const float wide = std::min(ui.width(text, style) + 1, room);
      if (wide < ui.em(1.5f)) return;
      ui.text(text, {x, bar.y, wide, bar.h}, style);
      x += wide + ui.em(after);
    };
    write("Lockstep", kTitleText, 1.1f);
    if (!frame.document.id().empty()) write(frame.document.id(), kDimText, 0.6f);
    write(frame.document.title(ui.chinese()), {}, 1.1f);
    for (const BarButton& one : left_buttons(frame)) {
      const scene::Size size = button_size(ui, one.spec);
      if (x + size.w > bar.right()) return;
      if (button(ui, one.spec, placed(frame, bar, x, size))) frame.ask(one.command);
      x += size.w + ui.em(0.8f);
    }
    write(step_text(frame), kDimText, 0);
  }
};

}  // namespace

std::unique_ptr<Panel> top_bar() { return std::make_unique<TopBar>(); }

}  // namespace lockstep::gui
