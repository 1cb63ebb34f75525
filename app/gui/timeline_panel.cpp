// The timeline: dragging the scrubber or the axis moves the position, a click on a mark goes to its event,
// dragging the diagram pans, the wheel zooms round the mouse.
#include <algorithm>

#include "gui/controls.h"
#include "gui/pane.h"
#include "gui/panel.h"
#include "gui/scene_view.h"
#include "gui/time_range.h"
#include "scene/timeline.h"

namespace lockstep::gui {
namespace {

struct TimelineKey {
  const Document* document = nullptr;
  uint64_t revision = 0;
  TimeUs now_us = 0;
  TimeUs from_us = 0;
  TimeUs to_us = 0;
  scene::Size size = {};
  float px = 0;
  trace::Language language = trace::Language::kZh;
  std::string chosen = {};

  bool operator==(const TimelineKey&) const = default;
};

class TimelinePanel final : public Panel {
 public:
  const char* id() const override { return "timeline"; }
  Place place() const override { return Place::kTimeline; }

  void draw(const Frame& frame, scene::Rect rect) override {
    const TimeRange range =
        shown_range(frame.view.range, frame.document, frame.view.playback.now_us);
    const scene::TimelineInput input = {.trace = frame.document.trace(),
                                        .index = frame.document.index(),
                                        .measure = frame.ui.fonts,
                                        .size = {rect.w, rect.h},
                                        .font_px = frame.ui.px,
                                        .language = frame.ui.language,
                                        .from_us = range.from_us,
                                        .to_us = range.to_us,
                                        .at_us = frame.view.playback.now_us,
                                        .position = frame.document.tape().position(),
                                        .chosen = frame.view.chosen};
    compose(frame, input);
    const Pane pane(frame.ui, {.id = "timeline", .rect = rect, .role = scene::Role::kBackground});
    const SceneTouch touch = show_scene(frame.ui, "timeline scene", scene_, {rect.x, rect.y});
    draw_edge(frame.ui, rect, Edge::kTop);
    const scene::TimeAxis axis = scene::time_axis(input);
    scrub(frame, touch, axis);
    zoom(frame, touch, axis);
  }

 private:
  enum class Drag : uint8_t { kNone, kScrub, kPan };

  void compose(const Frame& frame, const scene::TimelineInput& input) {
    const TimelineKey key = {&frame.document, frame.document.revision(),
                             input.at_us,     input.from_us,
                             input.to_us,     input.size,
                             input.font_px,   input.language,
                             input.chosen};
    if (!(key == key_)) scene_ = scene::compose_timeline(input);
    key_ = key;
  }

  static bool is(const SceneTouch& touch, std::string_view prefix) {
    return touch.region != nullptr && touch.region->id.rfind(prefix, 0) == 0;
  }

  void scrub(const Frame& frame, const SceneTouch& touch, const scene::TimeAxis& axis) {
    if (touch.pressed) drag_ = is(touch, "timeline/") ? Drag::kScrub : Drag::kPan;
    if (!touch.held) drag_ = Drag::kNone;
    if (drag_ == Drag::kScrub) frame.ask(CommandId::kSeekTime, {}, axis.time_of(touch.at.x));
    const float dx = ImGui::GetIO().MouseDelta.x;
    if (drag_ == Drag::kPan && dx != 0 && axis.right > axis.left) {
      const double us = static_cast<double>(axis.to_us - axis.from_us) /
                        static_cast<double>(axis.right - axis.left);
      frame.view.range = panned({false, axis.from_us, axis.to_us}, static_cast<TimeUs>(-dx * us));
    }
    if (touch.clicked) click(frame, touch, axis);
    if (touch.hovered && !touch.held && touch.region != nullptr)
      tooltip(frame.ui, touch.region->tooltip);
  }

  void click(const Frame& frame, const SceneTouch& touch, const scene::TimeAxis& axis) {
    if (is(touch, "mark/")) {
      frame.ask(CommandId::kSeek, {}, std::stoll(touch.region->id.substr(5)));
    } else if (is(touch, "lane/")) {
      frame.ask(CommandId::kChoose, touch.region->id.substr(5));
    } else if (touch.at.x >= axis.left) {
      frame.ask(CommandId::kSeekTime, {}, axis.time_of(touch.at.x));
    }
  }

  void zoom(const Frame& frame, const SceneTouch& touch, const scene::TimeAxis& axis) {
    if (!touch.hovered) return;
    const ImGuiIO& io = ImGui::GetIO();
    const TimeRange shown = {false, axis.from_us, axis.to_us};
    if (io.MouseWheel != 0 && !io.KeyShift) {
      frame.view.range = zoomed(shown, axis.time_of(touch.at.x), io.MouseWheel > 0 ? 0.8 : 1.25);
    }
    const float sideways = io.MouseWheelH + (io.KeyShift ? io.MouseWheel : 0);
    if (sideways != 0) {
      frame.view.range = panned(
          shown,
          static_cast<TimeUs>(-0.1 * sideways * static_cast<double>(shown.to_us - shown.from_us)));
    }
  }

  TimelineKey key_;
  scene::Scene scene_;
  Drag drag_ = Drag::kNone;
};

}  // namespace

std::unique_ptr<Panel> timeline_panel() { return std::make_unique<TimelinePanel>(); }

}  // namespace lockstep::gui
