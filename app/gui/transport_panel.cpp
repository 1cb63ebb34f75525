// The strip between stage and timeline: playing, stepping, speed; what has just happened, in words.
#include <algorithm>

#include "gui/controls.h"
#include "gui/pane.h"
#include "gui/panel.h"

namespace lockstep::gui {
namespace {

using scene::Rect;

std::string speed_text(int32_t speed) {
  if (speed == -2) return "×¼";
  if (speed == -1) return "×½";
  return "×" + std::to_string(1 << std::max(0, speed));
}

struct TransportButton {
  const char* id = "";
  Icon icon = Icon::kPlay;
  CommandId command = CommandId::kPlayPause;
  Word what = Word::kPlay;
};

constexpr TransportButton kSteps[] = {
    {"transport/jump_back", Icon::kLastMark, CommandId::kJumpBack, Word::kJumpBack},
    {"transport/step_back", Icon::kBack, CommandId::kStepBack, Word::kStepBack},
    {"transport/play", Icon::kPlay, CommandId::kPlayPause, Word::kPlay},
    {"transport/step", Icon::kForward, CommandId::kStepForward, Word::kStepForward},
    {"transport/jump", Icon::kNextMark, CommandId::kJumpForward, Word::kJumpForward},
};

class TransportPanel final : public Panel {
 public:
  const char* id() const override { return "transport"; }
  Place place() const override { return Place::kTransport; }

  void draw(const Frame& frame, Rect rect) override {
    const Pane pane(frame.ui, {.id = "transport", .rect = rect});
    draw_edge(frame.ui, rect, Edge::kTop);
    float x = draw_steps(frame, rect, rect.x + frame.ui.em(0.8f));
    x = draw_speed(frame, rect, x + frame.ui.em(0.5f));
    const float right = draw_whole(frame, rect, x + frame.ui.em(0.4f));
    draw_event(frame, {x + frame.ui.em(0.6f), rect.y, right - x - frame.ui.em(1.2f), rect.h});
  }

 private:
  static float put(const Frame& frame, const Rect& bar, float x, const ButtonSpec& spec,
                   CommandId command) {
    const scene::Size size = button_size(frame.ui, spec);
    const Rect at = {x, std::round(bar.y + (bar.h - size.h) / 2), size.w, size.h};
    if (button(frame.ui, spec, at)) frame.ask(command);
    return x + size.w + frame.ui.em(0.25f);
  }

  static float draw_steps(const Frame& frame, const Rect& bar, float x) {
    for (const TransportButton& one : kSteps) {
      const bool play = one.command == CommandId::kPlayPause;
      const bool playing = frame.view.playback.playing;
      const std::string key = frame.key_of(one.command);
      const std::string what = frame.words(play && playing ? Word::kPausePlaying : one.what);
      x = put(frame, bar, x,
              {.id = one.id,
               .tooltip = what + "  " + key,
               .icon = play && playing ? Icon::kPause : one.icon,
               .on = play && playing,
               .primary = play && !playing},
              one.command);
    }
    return x;
  }

  static float draw_speed(const Frame& frame, const Rect& bar, float x) {
    const Ui& ui = frame.ui;
    const int32_t speed = frame.view.playback.speed;
    x = put(frame, bar, x,
            {.id = "transport/slower",
             .tooltip = frame.words(Word::kSlower) + "  [",
             .icon = Icon::kMinus,
             .enabled = speed > kSlowest,
             .frame = false},
            CommandId::kSlower);
    const float wide = ui.em(2.5f);
    ui.text(speed_text(speed), {x, bar.y, wide, bar.h}, kBodyText, scene::Align::kCenter);
    return put(frame, bar, x + wide,
               {.id = "transport/faster",
                .tooltip = frame.words(Word::kFaster) + "  ]",
                .icon = Icon::kPlus,
                .enabled = speed < kFastest,
                .frame = false},
               CommandId::kFaster);
  }

  /// What is done to the whole, at the right, as far as there is room behind `left`; returns where the room
  /// before it ends.
  static float draw_whole(const Frame& frame, const Rect& bar, float left) {
    const Ui& ui = frame.ui;
    const bool simulated = frame.document.world() == World::kSimulated;
    ButtonSpec buttons[] = {{.id = "action/undo",
                             .text = frame.words(Word::kUndo),
                             .key = "Ctrl+Z",
                             .tooltip = frame.words(Word::kUndoTip),
                             .enabled = frame.document.tape().can_undo(),
                             .tight = true},
                            {.id = "action/add",
                             .text = frame.words(Word::kAddClient),
                             .key = "N",
                             .tooltip = frame.words(Word::kAddTip),
                             .enabled = simulated,
                             .tight = true}};
    constexpr CommandId kCommands[] = {CommandId::kUndo, CommandId::kAddClient};
    const bool tight = bar.right() - left < ui.em(22);
    float x = bar.right() - ui.em(0.5f);
    for (size_t i = 0; i < 2; ++i) {
      if (tight) buttons[i].key.clear();
      const float wide = button_size(ui, buttons[i]).w + ui.em(0.3f);
      if (x - wide < left) return x;
      x -= wide;
      static_cast<void>(put(frame, bar, x, buttons[i], kCommands[i]));
    }
    return x;
  }

  static void draw_event(const Frame& frame, Rect rect) {
    const auto& event = frame.document.event();
    if (!event || rect.w < frame.ui.em(4)) return;
    const std::string time = trace::time_text(event->time_us);
    const float wide = frame.ui.width(time, kDimText) + frame.ui.em(0.7f);
    frame.ui.text(time, {rect.x, rect.y, wide, rect.h}, kDimText);
    frame.ui.text(trace::sentence(*event, frame.ui.language),
                  {rect.x + wide, rect.y, rect.w - wide, rect.h}, kBodyText);
  }
};

}  // namespace

std::unique_ptr<Panel> transport_panel() { return std::make_unique<TransportPanel>(); }

}  // namespace lockstep::gui
