// The stage: the moment in three bands. Composed again only when something is different.
#include <algorithm>

#include "gui/controls.h"
#include "gui/interventions.h"
#include "gui/pane.h"
#include "gui/panel.h"
#include "gui/scene_view.h"
#include "scene/stage.h"

namespace lockstep::gui {
namespace {

/// What the composed stage depends on.
struct StageKey {
  const Document* document = nullptr;
  uint64_t revision = 0;
  TimeUs now_us = 0;
  scene::Size size = {};
  float px = 0;
  trace::Language language = trace::Language::kZh;
  std::string chosen = {};
  bool unfolded = false;

  bool operator==(const StageKey&) const = default;
};

StageKey key_of(const Frame& frame, scene::Rect rect) {
  return {.document = &frame.document,
          .revision = frame.document.revision(),
          .now_us = frame.view.playback.now_us,
          .size = {rect.w, rect.h},
          .px = frame.stage_px,
          .language = frame.ui.language,
          .chosen = frame.view.chosen,
          .unfolded = frame.view.unfolded};
}

scene::Scene compose(const Frame& frame, const StageKey& key) {
  const auto& event = frame.document.event();
  return scene::compose_stage({.snapshot = frame.document.snapshot(),
                               .scenario = frame.document.scenario(),
                               .measure = frame.ui.fonts,
                               .size = key.size,
                               .font_px = key.px,
                               .language = key.language,
                               .now_us = key.now_us,
                               .chosen = key.chosen,
                               .event = event ? &*event : nullptr,
                               .unfolded = key.unfolded});
}

OfferInput offers_input(const Frame& frame) {
  return {frame.document.snapshot(), frame.document.scenario(), frame.possible};
}

void menu_row(const Frame& frame, const Offer& offer) {
  const RowSpec spec = {.id = "menu/" + offer.id,
                        .text = text_of(offer, frame.ui.language),
                        .note = offer.key,
                        .enabled = offer.possible};
  if (!row(frame.ui, spec)) return;
  frame.ask(CommandId::kIntervene, offer.name);
  ImGui::CloseCurrentPopup();
}

/// The rows of the menu for a region, and what they are headed with.
void menu_rows(const Frame& frame, const std::string& region) {
  const std::string client = client_of_region(frame.document.snapshot(), region);
  for (const Offer& offer : offers_for_region(offers_input(frame), region)) menu_row(frame, offer);
  if (!client.empty() && row(frame.ui, {.id = "menu/choose", .text = frame.words(Word::kFocus)})) {
    frame.ask(CommandId::kChoose, client);
    ImGui::CloseCurrentPopup();
  }
  if (row(frame.ui, {.id = "menu/inspect", .text = frame.words(Word::kShowInspect)})) {
    frame.ask(CommandId::kTab, {}, static_cast<int64_t>(Tab::kInspect));
    ImGui::CloseCurrentPopup();
  }
}

float menu_width(const Frame& frame, const std::string& region) {
  float widest = std::max(frame.ui.width(region, kSmallDim),
                          frame.ui.width(frame.word(Word::kShowInspect), kBodyText));
  for (const Offer& offer : offers_for_region(offers_input(frame), region)) {
    widest = std::max(widest, frame.ui.width(text_of(offer, frame.ui.language), kBodyText) + frame.ui.em(2));
  }
  return std::ceil(widest) + frame.ui.em(2.4f);
}

void draw_menu(const Frame& frame) {
  OpenMenu& menu = frame.view.menu;
  if (menu.region.empty()) return;
  if (menu.fresh) {
    ImGui::OpenPopup("stage menu");
    menu.fresh = false;
  }
  ImGui::SetNextWindowPos(vec(menu.at), ImGuiCond_Appearing);
  ImGui::SetNextWindowSize({menu_width(frame, menu.region), 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, frame.ui.em(0.4f)});
  const bool open = ImGui::BeginPopup("stage menu", ImGuiWindowFlags_NoMove);
  if (open) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float wide = ImGui::GetContentRegionAvail().x;
    ImGui::Dummy({wide, frame.ui.row_height()});
    frame.ui.text(menu.region.substr(menu.region.find('/') + 1),
                  {at.x + frame.ui.em(1), at.y, wide - frame.ui.em(1.5f), frame.ui.row_height()},
                  kSmallDim);
    menu_rows(frame, menu.region);
    if (menu.closing) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
  } else {
    menu.region.clear();
  }
  ImGui::PopStyleVar();
}

class StagePanel final : public Panel {
 public:
  const char* id() const override { return "stage"; }
  Place place() const override { return Place::kStage; }

  void draw(const Frame& frame, scene::Rect rect) override {
    const StageKey key = key_of(frame, rect);
    if (!(key == key_)) scene_ = compose(frame, key);
    key_ = key;
    const Pane pane(frame.ui, {.id = "stage", .rect = rect, .role = scene::Role::kBackground});
    const float scroll = scrolled(frame, rect);
    const SceneTouch touch = show_scene(frame.ui, "stage scene", scene_, {rect.x - scroll, rect.y});
    react(frame, touch);
    draw_menu(frame);
  }

 private:
  /// How far an unfolded stage, which may be wider than its pane, is scrolled by the wheel.
  float scrolled(const Frame& frame, scene::Rect rect) {
    const float most = std::max(0.0f, scene_.size.w - rect.w);
    const ImGuiIO& io = ImGui::GetIO();
    if (rect.contains(frame.mouse)) scroll_ -= (io.MouseWheel + io.MouseWheelH) * frame.ui.em(4);
    scroll_ = std::round(std::clamp(scroll_, 0.0f, most));
    return scroll_;
  }

  void react(const Frame& frame, const SceneTouch& touch) {
    if (touch.region == nullptr) return;
    const std::string& region = touch.region->id;
    const std::string client = client_of_region(frame.document.snapshot(), region);
    if (touch.clicked && !client.empty()) frame.ask(CommandId::kChoose, client);
    if (touch.clicked && region.rfind("ledger/", 0) == 0) {
      frame.ask(CommandId::kTab, {}, static_cast<int64_t>(Tab::kWhy));
    }
    if (touch.clicked && region.rfind("folded/", 0) == 0) frame.ask(CommandId::kUnfold);
    if (touch.menu) frame.view.menu = {.region = region, .at = frame.mouse, .fresh = true};
    if (touch.hovered && !touch.held && frame.view.menu.region.empty())
      tooltip(frame.ui, touch.region->tooltip);
  }

  StageKey key_;
  scene::Scene scene_;
  float scroll_ = 0;
};

}  // namespace

std::unique_ptr<Panel> stage_panel() { return std::make_unique<StagePanel>(); }

}  // namespace lockstep::gui
