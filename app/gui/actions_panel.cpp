#include <algorithm>

#include "gui/actions.h"
#include "gui/pane.h"
#include "gui/panel.h"

namespace lockstep::gui {
namespace {

using scene::Rect;

Word tip_of(const Offer& offer) {
  if (offer.key == "P") return Word::kPauseTip;
  if (offer.key == "H") return Word::kHangTip;
  if (offer.key == "K") return Word::kCrashTip;
  if (offer.key == "X") return Word::kExpireTip;
  if (offer.key == "C") return Word::kCutTip;
  if (offer.key == "R") return Word::kReleaseTip;
  if (offer.key == "D") return Word::kCancelTip;
  if (offer.key == "B") return Word::kHoldTip;
  return Word::kDeliverTip;
}

/// What stands before the buttons: the disc of whom they are about.
constexpr float kDiscRadius = 0.75f;  // ems
float before_buttons(const Ui& ui, const std::string& client) {
  return disc_width(ui, ui.em(kDiscRadius), client) + ui.em(1.4f);
}

class ActionsPanel final : public Panel {
 public:
  const char* id() const override { return "actions"; }
  Place place() const override { return Place::kActions; }

  void draw(const Frame& frame, Rect rect) override {
    const Pane pane(frame.ui, {.id = "actions", .rect = rect});
    draw_edge(frame.ui, rect, Edge::kTop);
    const std::string& chosen = frame.view.chosen;
    if (chosen.empty()) {
      const float left = rect.x + frame.ui.em(0.9f);
      return frame.ui.text(frame.word(Word::kChooseFirst),
                           {left, rect.y, rect.right() - left, rect.h}, kDimText);
    }
    draw_who(frame, rect);
    draw_buttons(frame, rect);
  }

 private:
  /// Whom the buttons are about; a click goes on to the next client.
  static void draw_who(const Frame& frame, const Rect& rect) {
    const Ui& ui = frame.ui;
    const std::string& chosen = frame.view.chosen;
    const float r = ui.em(kDiscRadius);
    const Rect box = {rect.x + ui.em(0.9f), rect.y + ui.em(1.2f) - r, disc_width(ui, r, chosen),
                      2 * r};
    const Touched touched = touch(ui, {.id = "chosen/" + chosen, .rect = box, .text = chosen});
    if (touched.clicked) frame.ask(CommandId::kNextClient);
    if (touched.hovered) tooltip(ui, frame.words(Word::kNextClient) + "  Tab");
    draw_disc(ui, box.center(), r, frame.document.number_of(chosen), chosen, true);
  }

  static void draw_buttons(const Frame& frame, const Rect& rect) {
    const Ui& ui = frame.ui;
    const OfferInput input = {frame.document.snapshot(), frame.document.scenario(), frame.possible};
    const std::vector<Action> actions = actions_for(ui, input, frame.view.chosen);
    const std::vector<int32_t> rows =
        rows_of(ui, actions, room_for_actions(ui, rect.w, frame.view.chosen));
    float x = 0;
    for (size_t i = 0; i < actions.size(); ++i) {
      if (i == 0 || rows[i] != rows[i - 1]) x = rect.x + before_buttons(ui, frame.view.chosen);
      const scene::Size size = button_size(ui, actions[i].spec);
      const float y = rect.y + ui.em(0.25f) + static_cast<float>(rows[i]) * ui.em(2.1f);
      if (button(ui, actions[i].spec, {x, y, size.w, size.h}))
        frame.commands.push_back(actions[i].command);
      x += size.w + ui.em(0.3f);
    }
  }
};

}  // namespace

std::vector<Action> actions_for(const Ui& ui, const OfferInput& input, const std::string& client) {
  std::vector<Action> actions;
  if (client.empty()) return actions;
  for (const Offer& offer : offers_for_client(input, client)) {
    actions.push_back({{.id = "action/" + offer.id,
                        .text = std::string(word(offer.what, ui.language)),
                        .key = offer.key,
                        .tooltip = std::string(word(tip_of(offer), ui.language)),
                        .enabled = offer.possible,
                        .tight = true},
                       {CommandId::kIntervene, offer.name, 0}});
  }
  return actions;
}

std::vector<int32_t> rows_of(const Ui& ui, const std::vector<Action>& actions, float width) {
  std::vector<int32_t> rows;
  float x = 0;
  int32_t row = 0;
  for (const Action& action : actions) {
    const float wide = button_size(ui, action.spec).w;
    if (x > 0 && x + wide > width) {
      ++row;
      x = 0;
    }
    rows.push_back(row);
    x += wide + ui.em(0.3f);
  }
  return rows;
}

float room_for_actions(const Ui& ui, float pane_width, const std::string& client) {
  return pane_width - before_buttons(ui, client) - ui.em(0.5f);
}

std::unique_ptr<Panel> actions_panel() { return std::make_unique<ActionsPanel>(); }

}  // namespace lockstep::gui
