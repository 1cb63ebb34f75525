// `lockstep drive`: the window, worked by a script.
#include <stb_image_write.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <ostream>

#include "gui/app.h"
#include "gui/drive_script.h"
#include "gui/gui.h"
#include "gui/window.h"
#include "scenario/output.h"
#include "scenario/reading.h"
#include "scenario/schema.h"
#include "trace/conditions.h"

namespace lockstep::gui {
namespace {

constexpr scene::Size kSize = {1280, 800};
constexpr double kFrameSeconds = 1.0 / 60;
/// One of so many frames is shown, for whoever watches.
constexpr int64_t kFramesShown = 15;

/// Why a step failed, and the exit code that says so.
struct Failed {
  Failed(std::string what) : why(std::move(what)) {}  // An expectation that does not hold.
  Failed(const scenario::Problem& problem)
      : why(scenario::describe(problem)),
        code(problem.kind == scenario::ProblemKind::kEnvironment ? 3 : 2) {}

  std::string why;
  int code = 1;
};
/// Nothing if it did not fail.
using Failure = std::optional<Failed>;

class Driver {
 public:
  Driver(App& app, Window& window) : app_(app), window_(window) {}

  Failure run(const Step& step) {
    return std::visit([this](const auto& one) { return act(one); }, step);
  }
  void frames(int count) {
    for (int i = 0; i < count; ++i) frame();
  }

 private:
  void frame() {
    if (!app_.has_document()) return;
    // Real servers need real time.
    window_.listen(real_time() ? kFrameSeconds : 0);
    const bool fonts_changed = app_.prepare(*ImGui::GetIO().Fonts);
    window_.begin_frame(app_.fonts(), fonts_changed, kFrameSeconds);
    app_.frame(window_.input(), window_.size(), kFrameSeconds);
    window_.end_frame();
    pixels_.width = 0;  // painted and read when somebody asks: drawing costs far more than deciding
    if (++frames_ % kFramesShown != 0 && desktop_seconds_ <= 0) return;
    window_.paint(background());
    window_.swap();
  }
  void settle() { frames(3); }
  bool real_time() { return desktop_seconds_ > 0 || app_.document().tape().runs_by_itself(); }

  const Window::Pixels& pixels() {
    if (pixels_.width != 0) return pixels_;
    window_.paint(background());
    pixels_ = window_.pixels();
    window_.swap();
    return pixels_;
  }

  scene::Rgb background() const { return app_.palette().color({.role = scene::Role::kBackground}); }

  Failure act(const OpenStep& step) {
    const std::string ours = scenario::data_folder() + "/" + step.file;
    std::error_code error;
    const bool is_ours =
        !std::filesystem::exists(step.file, error) && std::filesystem::exists(ours, error);
    const auto problems = app_.open(is_ours ? ours : step.file);
    if (!problems.empty()) return problems.front();
    settle();
    return {};
  }

  Failure act(const KeyStep& step) {
    if (step.press.key == 0) window_.input().character(step.press.character);
    if (step.press.key != 0) {
      window_.input().key(step.press, true);
      window_.input().key(step.press, false);
    }
    settle();
    return {};
  }

  /// Moves the mouse onto the item, and makes sure that the item is what it points at.
  Failure point_at(const std::string& pattern) {
    const Item* item = app_.items().find_like(pattern);
    if (item == nullptr)
      return "there is no item \"" + pattern + "\"; near that: " + similar(pattern);
    const std::string id = item->id;
    if (item->rect.w <= 0 || item->rect.h <= 0) return "\"" + id + "\" is scrolled out of sight";
    window_.input().mouse_at(item->rect.center());
    frames(2);
    const std::string& hovered = app_.items().hovered();
    const bool part_of_it = hovered.rfind(id + "/", 0) == 0;
    if (hovered != id && !part_of_it) return "\"" + id + "\" is covered by \"" + hovered + "\"";
    return {};
  }

  Failure act(const MouseStep& step) {
    if (const Failure failure = point_at(step.id)) return failure;
    if (step.act == MouseAct::kHover) return {};
    const Item* item = app_.items().find_like(step.id);
    if (item != nullptr && !item->enabled) return "\"" + step.id + "\" cannot be clicked now";
    const MouseButton button =
        step.act == MouseAct::kClick ? MouseButton::kLeft : MouseButton::kRight;
    window_.input().mouse_button(button, true);
    frame();
    window_.input().mouse_button(button, false);
    settle();
    return {};
  }

  Failure act(const DragStep& step) {
    if (const Failure failure = point_at(step.id)) return failure;
    const scene::Point from = window_.input().mouse();
    window_.input().mouse_button(MouseButton::kLeft, true);
    frame();
    for (int i = 1; i <= 8; ++i) {
      const float share = static_cast<float>(i) / 8;
      window_.input().mouse_at({from.x + share * step.by.x, from.y + share * step.by.y});
      frame();
    }
    window_.input().mouse_button(MouseButton::kLeft, false);
    settle();
    return {};
  }

  Failure act(const ScrollStep& step) {
    if (const Failure failure = point_at(step.id)) return failure;
    window_.input().wheel({0, step.steps});
    settle();
    return {};
  }

  Failure act(const FramesStep& step) {
    frames(step.frames);
    return {};
  }

  bool holds(const scenario::Condition& condition) {
    const Document& document = app_.document();
    return trace::holds(condition, document.snapshot(), document.trace().lock_path());
  }
  std::string value_at(const std::string& pointer) {
    const Document& document = app_.document();
    return trace::to_text(
        trace::value_at(document.snapshot(), document.trace().lock_path(), pointer));
  }

  Failure act(const WaitStep& step) {
    const double end = window_.now() + desktop_seconds_;
    for (int32_t i = 0; desktop_seconds_ > 0 ? window_.now() < end : i < step.frames_max; ++i) {
      if (step.on_screen.empty() ? holds(step.condition) : app_.items().on_screen(step.on_screen))
        return {};
      frame();
    }
    const std::string waited = desktop_seconds_ > 0
                                   ? "it has waited long enough, and "
                                   : std::to_string(step.frames_max) + " frames have gone by, and ";
    if (!step.on_screen.empty()) return waited + "\"" + step.on_screen + "\" is not on the screen";
    return waited + "at " + step.condition.at + " there is " + value_at(step.condition.at);
  }

  Failure act(const ExpectStep& step) {
    if (holds(step.condition)) return {};
    return "at " + step.condition.at + " there is " + value_at(step.condition.at) +
           " (expected: " + trace::to_text(step.condition.operand) + ")";
  }

  Failure act(const ScreenStep& step) {
    if (app_.items().on_screen(step.text) == step.there) return {};
    return "\"" + step.text + "\" is " + (step.there ? "not " : "") + "on the screen";
  }

  Failure act(const EnabledStep& step) {
    const Item* item = app_.items().find(step.id);
    if (item == nullptr)
      return "there is no item \"" + step.id + "\"; near that: " + similar(step.id);
    if (item->enabled == step.enabled) return {};
    return "\"" + step.id + "\" is " + (step.enabled ? "not " : "") + "enabled";
  }

  Failure act(const PixelStep& step) {
    scene::Rgb wanted;
    if (!color_named(step.color, app_.palette(), wanted)) return "no such colour: " + step.color;
    scene::Rect area = {step.at.x, step.at.y, 1, 1};
    if (!step.item.empty()) {
      const Item* item = app_.items().find(step.item);
      if (item == nullptr || item->rect.w <= 0) return "\"" + step.item + "\" is not in sight";
      area = item->rect;
    }
    int32_t nearest = 256;
    for (auto y = static_cast<int32_t>(area.y); static_cast<float>(y) < area.bottom(); ++y) {
      for (auto x = static_cast<int32_t>(area.x); static_cast<float>(x) < area.right(); ++x) {
        nearest = std::min(nearest, distance(x, y, wanted));
      }
    }
    if (nearest <= step.tolerance) return {};
    return "no pixel there is near " + step.color + "; the nearest differs by " +
           std::to_string(nearest);
  }

  /// The largest difference of a channel.
  int32_t distance(int32_t x, int32_t y, scene::Rgb wanted) {
    const Window::Pixels& p = pixels();
    if (x < 0 || y < 0 || x >= p.width || y >= p.height) return 256;
    const size_t at =
        (static_cast<size_t>(y) * static_cast<size_t>(p.width) + static_cast<size_t>(x)) * 3;
    return std::max({std::abs(p.rgb[at] - wanted.r), std::abs(p.rgb[at + 1] - wanted.g),
                     std::abs(p.rgb[at + 2] - wanted.b)});
  }

  Failure act(const DesktopStep& step) {
    window_.hear_desktop();
    desktop_seconds_ = static_cast<double>(step.seconds);
    return {};
  }

  Failure act(const WhereStep& step) {
    const Item* item = app_.items().find_like(step.id);
    if (item == nullptr || item->rect.w <= 0)
      return "\"" + step.id + "\" is not in sight; near that: " + similar(step.id);
    const scene::Point at = item->rect.center();
    const scene::Point window = window_.place();
    std::printf("%s %d %d\n", item->id.c_str(), static_cast<int>(window.x + at.x),
                static_cast<int>(window.y + at.y));
    std::fflush(stdout);
    return {};
  }

  Failure act(const PictureStep& step) {
    const Window::Pixels& p = pixels();
    const auto put = [](void* out, void* bytes, int count) {
      static_cast<std::ostream*>(out)->write(static_cast<const char*>(bytes), count);
    };
    const auto problem = scenario::write_file(step.file, [&](std::ostream& out) {
      stbi_write_png_to_func(put, &out, p.width, p.height, 3, p.rgb.data(), 3 * p.width);
    });
    if (problem) return *problem;
    return {};
  }

  Failure act(const SizeStep& step) {
    window_.resize(step.size);
    for (int i = 0; i < 100 && !(window_.size() == step.size); ++i) window_.listen(0.02);
    if (!(window_.size() == step.size)) return too_small(step.size);
    settle();
    return {};
  }

  scenario::Problem too_small(scene::Size wanted) const {
    const auto text = [](scene::Size size) {
      return std::to_string(static_cast<int>(size.w)) + "x" +
             std::to_string(static_cast<int>(size.h));
    };
    return {.file = "size " + text(wanted),
            .message = "the screen does not allow a window of this size, it became " +
                       text(window_.size()) + "; use a larger screen, or a smaller window",
            .kind = scenario::ProblemKind::kEnvironment};
  }

  Failure act(const LookStep& step) {
    View& view = app_.view();
    if (!step.language.empty())
      view.language = step.language == "zh" ? trace::Language::kZh : trace::Language::kEn;
    if (step.theme == "dark") view.theme = scene::Theme::kDark;
    if (step.theme == "light") view.theme = scene::Theme::kLight;
    if (step.theme == "print") view.theme = scene::Theme::kPrint;
    if (step.font_px > 0) view.font_px = step.font_px;
    settle();
    return {};
  }

  /// Ids that share the beginning with this one, for messages.
  std::string similar(const std::string& id) const {
    const std::string begin = id.substr(0, id.find('/'));
    std::string names;
    int count = 0;
    std::vector<std::string> groups;
    for (const auto& [each, item] : app_.items().all()) {
      const std::string group = each.substr(0, each.find('/'));
      if (groups.empty() || groups.back() != group) groups.push_back(group);
      if (each.rfind(begin, 0) != 0 || ++count > 12) continue;
      names += (names.empty() ? "" : ", ") + each;
    }
    if (!names.empty()) return names;
    const std::string meant = scenario::nearest(begin, groups);
    return meant.empty() ? "none; ids here begin with " + scenario::one_of(groups) : similar(meant);
  }

  App& app_;
  Window& window_;
  Window::Pixels pixels_;
  int64_t frames_ = 0;
  double desktop_seconds_ = 0;  ///< 0: the desktop is not heard
};

int complain(const std::vector<scenario::Problem>& problems) {
  int code = 2;
  for (const scenario::Problem& problem : problems) {
    std::fprintf(stderr, "lockstep drive: %s\n", scenario::describe(problem).c_str());
    if (problem.kind == scenario::ProblemKind::kEnvironment) code = 3;
  }
  return code;
}

}  // namespace

int drive_main(const DriveOptions& options) {
  const auto script = read_script(options.script);
  if (!script) return complain(script.problems());
  App app(GuiOptions{.size = kSize});
  app.items().listen();
  const auto problems = app.open({});
  if (!problems.empty()) return complain(problems);
  auto window = Window::open({.size = kSize, .scripted = true});
  if (!window) return complain(window.problems());
  Driver driver(app, *window.value());
  driver.frames(3);
  for (size_t i = 0; i < script.value().steps.size(); ++i) {
    const Failure failure = driver.run(script.value().steps[i]);
    if (!failure) continue;
    std::fprintf(stderr, "lockstep drive: %s#/steps/%zu: %s\n", options.script.c_str(), i,
                 failure->why.c_str());
    return failure->code;
  }
  return 0;
}

}  // namespace lockstep::gui
