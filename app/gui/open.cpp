// `lockstep open`: the window, until it is closed.
#include <algorithm>
#include <cstdio>

#include "gui/app.h"
#include "gui/gui.h"
#include "gui/window.h"

namespace lockstep::gui {
namespace {

/// Frames drawn after the last input: Dear ImGui needs one more to settle what was clicked.
constexpr int kSettleFrames = 3;
/// A run on real servers is looked at this often.
constexpr double kLiveSeconds = 1.0 / 30;

int complain(const std::vector<scenario::Problem>& problems) {
  int code = 2;
  for (const scenario::Problem& problem : problems) {
    std::fprintf(stderr, "lockstep: %s\n", scenario::describe(problem).c_str());
    if (problem.kind == scenario::ProblemKind::kEnvironment) code = 3;
  }
  return code;
}

void draw_frame(App& app, Window& window, double seconds) {
  const bool fonts_changed = app.prepare(*ImGui::GetIO().Fonts);
  window.begin_frame(app.fonts(), fonts_changed, seconds);
  app.frame(window.input(), window.size(), seconds);
  window.end_frame();
  window.paint(app.palette().color({.role = scene::Role::kBackground}));
  window.swap();
}

void run(App& app, Window& window) {
  double last = window.now();
  std::string title;
  int settling = kSettleFrames;
  while (!window.closing()) {
    const bool busy = app.moving() || window.input().pending() || settling > 0;
    window.listen(!busy                                    ? app.rest_seconds()
                  : app.document().tape().runs_by_itself() ? kLiveSeconds
                                                           : 0);
    if (window.input().pending()) settling = kSettleFrames;
    const double now = window.now();
    const double seconds = now - last;
    last = now;
    if (!busy)
      settling = kSettleFrames;  // something woke us: perhaps the window was uncovered or resized
    --settling;
    draw_frame(app, window, seconds);
    if (app.title() != title) window.set_title(title = app.title());
  }
}

}  // namespace

int window_main(const GuiOptions& options) {
  App app(options);
  const auto problems = app.open(options.file);
  if (!problems.empty()) return complain(problems);
  if (options.live && app.document().world() != World::kSimulated) {
    return complain({{.file = options.file,
                      .message = "is a trace, which has happened already: it takes no --live; play "
                                 "its scenario instead"}});
  }
  auto window = Window::open({.title = app.title(), .size = options.size});
  if (!window) return complain(window.problems());
  app.view().font_px =
      std::clamp(app.view().font_px * window.value()->scale(), kFontPxMin, kFontPxMax);
  if (options.live) app.perform({CommandId::kLive});
  run(app, *window.value());
  return 0;
}

}  // namespace lockstep::gui
