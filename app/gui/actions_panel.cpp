// The row of buttons under the stage: what can be done to the chosen client, and to the whole.
#include <algorithm>

#include "gui/controls.h"
#include "gui/interventions.h"
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

/// A button, and the command that it stands for.
struct Action {
  ButtonSpec spec;
  Command command;
};

std::vector<Action> actions_of(const Frame& frame) {
  std::vector<Action> actions;
  const OfferInput input = {frame.document.snapshot(), frame.document.scenario(), frame.possible};
  const std::string& chosen = frame.view.chosen;
  if (!chosen.empty()) {
    for (const Offer& offer : offers_for_client(input, chosen)) {
      actions.push_back({{.id = "action/" + offer.id, .text = frame.words(offer.what), .key = offer.key,
                          .tooltip = frame.words(tip_of(offer)), .enabled = offer.possible},
                         {CommandId::kIntervene, offer.name, 0}});
    }
  }
  actions.push_back({{.id = "action/add", .text = frame.words(Word::kAddClient), .key = "N",
                      .tooltip = frame.words(Word::kAddTip),
                      .enabled = frame.document.world() == World::kSimulated},
                     {CommandId::kAddClient, {}, 0}});
  actions.push_back({{.id = "action/undo", .text = frame.words(Word::kUndo), .key = "Ctrl+Z",
                      .tooltip = frame.words(Word::kUndoTip),
                      .enabled = frame.document.world() == World::kSimulated},
                     {CommandId::kUndo, {}, 0}});
  return actions;
}

class ActionsPanel final : public Panel {
 public:
  const char* id() const override { return "actions"; }
  Place place() const override { return Place::kActions; }

  void draw(const Frame& frame, Rect rect) override {
    const Pane pane(frame.ui, {.id = "actions", .rect = rect});
    draw_edge(frame.ui, rect, Edge::kTop);
    const Ui& ui = frame.ui;
    float x = rect.x + ui.em(0.8f) - offset(frame, rect);
    x = draw_who(frame, rect, x);
    wide_ = x - rect.x + scroll_;
    for (const Action& action : actions_of(frame)) {
      const scene::Size size = button_size(ui, action.spec);
      const Rect at = {x, std::round(rect.y + (rect.h - size.h) / 2), size.w, size.h};
      if (button(ui, action.spec, at)) frame.commands.push_back(action.command);
      x += size.w + ui.em(0.35f);
    }
    wide_ = x - rect.x + scroll_;
  }

 private:
  /// The row may be wider than the pane: the wheel moves it.
  float offset(const Frame& frame, const Rect& rect) {
    const ImGuiIO& io = ImGui::GetIO();
    if (rect.contains(frame.mouse)) scroll_ -= (io.MouseWheel + io.MouseWheelH) * frame.ui.em(4);
    scroll_ = std::round(std::clamp(scroll_, 0.0f, std::max(0.0f, wide_ - rect.w + frame.ui.em(0.5f))));
    return scroll_;
  }

  static float draw_who(const Frame& frame, const Rect& rect, float x) {
    const Ui& ui = frame.ui;
    const std::string& chosen = frame.view.chosen;
    if (chosen.empty()) {
      const std::string_view text = frame.word(Word::kChooseFirst);
      const float wide = ui.width(text, kDimText) + 1;
      ui.text(text, {x, rect.y, wide, rect.h}, kDimText);
      return x + wide + ui.em(0.9f);
    }
    const float r = ui.em(0.75f);
    draw_disc(ui, {x + r, rect.center().y}, r, frame.document.number_of(chosen), chosen, true);
    return x + 2 * r + ui.em(0.7f);
  }

  float scroll_ = 0;
  float wide_ = 0;
};

}  // namespace

std::unique_ptr<Panel> actions_panel() { return std::make_unique<ActionsPanel>(); }

}  // namespace lockstep::gui
