// Why: reasons as sentences, each with the event that it can be checked against.
#include "gui/controls.h"
#include "gui/flow.h"
#include "gui/panel.h"
#include "gui/why.h"

namespace lockstep::gui {
namespace {

using scene::Role;

Role role_of(Reason::Tone tone) {
  switch (tone) {
    case Reason::Tone::kPlain: return Role::kText;
    case Reason::Tone::kGood: return Role::kOk;
    case Reason::Tone::kWarn: return Role::kWarn;
    case Reason::Tone::kDanger: return Role::kDanger;
  }
  return Role::kText;
}

class WhyTab final : public TabContent {
 public:
  void draw(const Frame& frame) override {
    refresh(frame);
    links_ = 0;
    for (const WhyClient& client : why_.clients) draw_client(frame, client);
    if (why_.writes.empty()) {
      gap(frame.ui, 1);
      paragraph(frame.ui, frame.word(Word::kNoRefusals), kDimText);
    }
    for (const WhyWrite& write : why_.writes) {
      heading(frame.ui, write.title);
      draw_reasons(frame, write.reasons);
    }
  }

 private:
  void refresh(const Frame& frame) {
    const Key key = {&frame.document, frame.document.revision(), frame.ui.language,
                     frame.view.chosen};
    if (key == key_) return;
    key_ = key;
    why_ = why_of({.trace = frame.document.trace(),
                   .snapshot = frame.document.snapshot(),
                   .position = frame.document.tape().position(),
                   .language = frame.ui.language,
                   .chosen = frame.view.chosen});
  }

  void draw_client(const Frame& frame, const WhyClient& client) {
    const Ui& ui = frame.ui;
    gap(ui, 0.4f);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float r = ui.em(0.75f);
    const float disc = disc_width(ui, r, client.client);
    draw_disc(ui, {at.x + disc / 2, at.y + ui.em(0.95f)}, r,
              frame.document.number_of(client.client), client.client, true);
    ui.text(frame.say(Word::kWhyClient, {client.client}),
            {at.x + disc + ui.em(0.6f), at.y, ui.em(20), ui.em(1.9f)}, kStrongText);
    ImGui::Dummy({1, ui.em(2.1f)});
    draw_reasons(frame, client.state);
    if (!client.wakes.empty()) heading(ui, frame.word(Word::kWakes));
    draw_reasons(frame, client.wakes);
    if (client.client != frame.view.chosen || client.causes.empty()) return gap(ui, 0.6f);
    heading(ui, frame.word(Word::kCauses));
    draw_reasons(frame, client.causes);
    gap(ui, 0.6f);
  }

  void draw_reasons(const Frame& frame, const std::vector<Reason>& reasons) {
    for (const Reason& reason : reasons) {
      std::vector<FlowRun> runs = {
          {.text = reason.text, .style = {.ink = {.role = role_of(reason.tone)}}}};
      if (reason.event != trace::kNoEvent) {
        runs.push_back({.text = " "});
        runs.push_back({.text = "#" + std::to_string(reason.event + 1),
                        .style = {.level = Level::kSmall, .ink = {.role = Role::kAccent}},
                        .link = "why/" + std::to_string(++links_)});
      }
      if (!flow(frame.ui, runs).empty()) frame.ask(CommandId::kSeek, {}, reason.event);
      gap(frame.ui, 0.2f);
    }
  }

  struct Key {
    const Document* document = nullptr;
    uint64_t revision = 0;
    trace::Language language = trace::Language::kZh;
    std::string chosen;

    bool operator==(const Key&) const = default;
  };

  Key key_;
  Why why_;
  int32_t links_ = 0;
};

}  // namespace

std::unique_ptr<TabContent> why_tab() { return std::make_unique<WhyTab>(); }

}  // namespace lockstep::gui
