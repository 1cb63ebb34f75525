// The list of all keys, over the window.
#include <algorithm>

#include "gui/controls.h"
#include "gui/pane.h"
#include "gui/panel.h"

namespace lockstep::gui {
namespace {

using scene::Rect;

class KeysPanel final : public Panel {
 public:
  const char* id() const override { return "keys"; }
  Place place() const override { return Place::kOver; }

  void draw(const Frame& frame, Rect rect) override {
    if (!frame.view.help) return;
    const Ui& ui = frame.ui;
    const float wide = std::min(rect.w - ui.em(2), ui.em(54));
    const float high = std::min(rect.h - ui.em(2), ui.em(4.2f) + column_height(frame));
    const Rect box = {std::round(rect.x + (rect.w - wide) / 2),
                      std::round(rect.y + (rect.h - high) / 2), wide, high};
    const Pane pane(ui, {.id = "keys", .rect = box, .role = scene::Role::kCard, .over = true});
    ui.text(frame.word(Word::kKeys), {box.x + ui.em(1.4f), box.y + ui.em(0.5f), wide / 2, ui.em(2)},
            kTitleText);
    draw_close(frame, box);
    const float top = ui.em(2.8f);
    const Scroll scroll("keys list", {box.x, box.y + top, box.w, box.h - top - ui.em(0.6f)}, 0);
    draw_columns(frame, box);
  }

 private:
  static float group_height(const Ui& ui, const BindingGroup& group) {
    return ui.em(2.2f) + static_cast<float>(group.bindings.size()) * ui.line_height();
  }

  /// The first half of the groups stands in the left column.
  static size_t column_of(const Frame& frame, size_t group) {
    return 2 * group < frame.keys.size() ? 0 : 1;
  }

  static float column_height(const Frame& frame) {
    float high[2] = {0, 0};
    for (size_t i = 0; i < frame.keys.size(); ++i)
      high[column_of(frame, i)] += group_height(frame.ui, frame.keys[i]);
    return std::max(high[0], high[1]);
  }

  static void draw_close(const Frame& frame, const Rect& box) {
    const ButtonSpec spec = {.id = "keys/close", .text = "×", .tooltip = "Esc", .frame = false};
    const scene::Size size = button_size(frame.ui, spec);
    if (button(frame.ui, spec,
               {box.right() - size.w - frame.ui.em(0.6f), box.y + frame.ui.em(0.5f), size.w,
                size.h})) {
      frame.ask(CommandId::kClose);
    }
  }

  static void draw_columns(const Frame& frame, const Rect& box) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float column = (box.w - frame.ui.em(2.8f)) / 2;
    float y[2] = {start.y, start.y};
    for (size_t i = 0; i < frame.keys.size(); ++i) {
      const size_t at = column_of(frame, i);
      const float x = box.x + frame.ui.em(1.4f) + static_cast<float>(at) * column;
      y[at] = draw_group(frame, frame.keys[i], {x, y[at], column - frame.ui.em(1), 0});
    }
    ImGui::SetCursorScreenPos({start.x, std::max(y[0], y[1])});
    ImGui::Dummy({1, 1});
  }

  static float draw_group(const Frame& frame, const BindingGroup& group, Rect at) {
    const Ui& ui = frame.ui;
    ui.text(frame.word(group.title), {at.x, at.y + ui.em(0.6f), at.w, ui.line_height()},
            kHeadingText);
    float y = at.y + ui.em(2.2f);
    const float key = ui.em(7);
    for (const Binding& binding : group.bindings) {
      // The answers' keys share one row.
      const bool answer = binding.command.id == CommandId::kAnswer;
      if (answer && binding.command.number > 0) continue;
      ui.text(shown_name(binding.press) + (answer ? " … 5" : ""), {at.x, y, key, ui.line_height()},
              kCodeText);
      std::string what = frame.words(binding.what);
      if (binding.command.id == CommandId::kTab) what = frame.words(Word::kShowTab) + ": " + what;
      ui.text(what, {at.x + key, y, at.w - key, ui.line_height()}, kBodyText);
      y += ui.line_height();
    }
    return y;
  }
};

/// A message above the clients, where nothing happens, that goes away by itself.
class NoticePanel final : public Panel {
 public:
  const char* id() const override { return "notice"; }
  Place place() const override { return Place::kStage; }

  void draw(const Frame& frame, Rect rect) override {
    if (frame.view.notice.empty()) return;
    const Ui& ui = frame.ui;
    const float wide =
        std::min(rect.w - ui.em(1), ui.width(frame.view.notice, kBodyText) + ui.em(2.4f));
    const Rect box = {std::round(rect.center().x - wide / 2), rect.y + ui.em(0.15f), wide,
                      ui.em(1.9f)};
    const Pane pane(ui,
                    {.id = "notice", .rect = box, .role = scene::Role::kWarnWash, .over = true});
    ui.text(frame.view.notice, box.inset(ui.em(0.2f)), kBodyText, scene::Align::kCenter);
    if (ImGui::IsWindowHovered()) tooltip(ui, frame.view.notice);
  }
};

}  // namespace

std::unique_ptr<Panel> keys_panel() { return std::make_unique<KeysPanel>(); }
std::unique_ptr<Panel> notice_panel() { return std::make_unique<NoticePanel>(); }

}  // namespace lockstep::gui
