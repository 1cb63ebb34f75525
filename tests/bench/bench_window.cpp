// bench_window [FRAMES] [REPEATS]: what a frame of Lockstep costs while a run is played, against a frame of Dear
// ImGui's demo window in the same window.
#include <imgui.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "bench/measure.h"
#include "bench/queues.h"
#include "gui/app.h"
#include "gui/window.h"
#include "scenario/reading.h"

namespace lockstep::bench {
namespace {

constexpr double kFrameSeconds = 1.0 / 60;
constexpr int kWarmUpFrames = 10;
/// By then everybody has queued up.
constexpr TimeUs kFrom = 8 * kSecond;

/// One thing to look at; without clients: the demo window.
struct View {
  uint32_t clients = 0;
  bool unfolded = false;
};
constexpr View kViews[] = {{0}, {3}, {100}, {100, true}, {1'000}, {1'000, true}};

/// How many times over a frame's triangles cover the window: what drawing in software pays for.
double screens_drawn() {
  const ImDrawData& data = *ImGui::GetDrawData();
  double area = 0;
  for (int list = 0; list < data.CmdListsCount; ++list) {
    const ImDrawList& drawn = *data.CmdLists[list];
    for (const ImDrawCmd& command : drawn.CmdBuffer) {
      for (unsigned int i = 0; i + 2 < command.ElemCount; i += 3) {
        const ImDrawIdx* index = &drawn.IdxBuffer[static_cast<int>(command.IdxOffset + i)];
        const auto at = [&](int corner) {
          return drawn.VtxBuffer[static_cast<int>(command.VtxOffset) + index[corner]].pos;
        };
        const ImVec2 a = at(0);
        const ImVec2 b = at(1);
        const ImVec2 c = at(2);
        area += std::abs((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)) / 2;
      }
    }
  }
  return area / (data.DisplaySize.x * data.DisplaySize.y);
}

/// CPU milliseconds a frame.
struct Cost {
  std::vector<double> deciding;  ///< up to the list of triangles
  std::vector<double> whole;     ///< with drawing them
  double screens = 0;            ///< of the last frame
  int triangles = 0;             ///< of the last frame
};

class Bench {
 public:
  Bench(gui::App& app, gui::Window& window, const std::filesystem::path& folder)
      : app_(app), window_(window), folder_(folder) {}

  bool look_at(const View& view) {
    demo_ = view.clients == 0;
    if (demo_) return true;
    const std::string file = (folder_ / ("queue-" + std::to_string(view.clients) + ".json")).string();
    std::ofstream(file, std::ios::binary) << scenario::scenario_to_json(endless_queue(view.clients)).dump();
    const auto problems = app_.open(file);
    for (const auto& problem : problems) std::fprintf(stderr, "bench_window: %s\n", scenario::describe(problem).c_str());
    if (!problems.empty()) return false;
    app_.document().tape().seek_time(kFrom);
    app_.view().unfolded = view.unfolded;
    app_.perform({gui::CommandId::kPlayPause});
    return true;
  }

  void measure(int frames, Cost& cost) {
    for (int i = 0; i < kWarmUpFrames; ++i) frame();
    const double start = cpu_seconds();
    deciding_ = 0;
    for (int i = 0; i < frames; ++i) frame();
    cost.whole.push_back((cpu_seconds() - start) / frames * 1e3);
    cost.deciding.push_back(deciding_ / frames * 1e3);
    cost.screens = screens_drawn();
    cost.triangles = ImGui::GetDrawData()->TotalIdxCount / 3;
  }

 private:
  void frame() {
    window_.listen(0);
    const double start = cpu_seconds();
    const bool fonts_changed = app_.prepare(*ImGui::GetIO().Fonts);
    window_.begin_frame(app_.fonts(), fonts_changed, kFrameSeconds);
    if (demo_) {
      ImGui::ShowDemoWindow();
    } else {
      app_.frame(window_.input(), window_.size(), kFrameSeconds);
    }
    window_.end_frame();
    deciding_ += cpu_seconds() - start;
    window_.paint({});
    window_.swap();
  }

  gui::App& app_;
  gui::Window& window_;
  std::filesystem::path folder_;
  bool demo_ = false;
  double deciding_ = 0;
};

std::string name_of(const View& view) {
  if (view.clients == 0) return "Dear ImGui's demo window";
  const std::string folded = view.unfolded ? ", unfolded" : view.clients > 3 ? ", folded" : "";
  return in_figures(int64_t{view.clients}) + " clients" + folded;
}

void print(const std::vector<Cost>& costs, int frames, int repeats) {
  Table table({"A frame of the window, a run being played",
               "xvfb-run build/tests/bench/bench_window " + std::to_string(frames) + " " + std::to_string(repeats)},
              {"shown", "CPU ms a frame", "ratio to the demo window", "of it deciding, ms", "ratio of deciding", "triangles", "screens covered"});
  for (size_t i = 0; i < costs.size(); ++i) {
    // Each repeat has its own frames of the demo window beside it.
    std::vector<double> whole;
    std::vector<double> deciding;
    for (size_t n = 0; n < costs[i].whole.size(); ++n) {
      whole.push_back(costs[i].whole[n] / costs[0].whole[n]);
      deciding.push_back(costs[i].deciding[n] / costs[0].deciding[n]);
    }
    table.add({name_of(kViews[i]), in_figures(median(costs[i].whole)), in_figures(median(whole)),
               in_figures(median(costs[i].deciding)), in_figures(median(deciding)),
               in_figures(int64_t{costs[i].triangles}), in_figures(costs[i].screens)});
  }
  table.note("CPU time of all threads, drawing in software included; medians of " + std::to_string(repeats) +
             " interleaved repeats of " + std::to_string(frames) + " frames, 1440 by 900.");
  table.print();
}

int run(int frames, int repeats) {
  gui::App app({.size = {1440, 900}});
  auto window = gui::Window::open({.size = {1440, 900}, .scripted = true});
  if (!window) {
    std::fprintf(stderr, "bench_window: %s\n", scenario::describe(window.problems().front()).c_str());
    return 3;
  }
  const auto folder = std::filesystem::temp_directory_path() / ("lockstep-bench-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::vector<Cost> costs(std::size(kViews));
  bool well = true;
  for (int repeat = 0; well && repeat < repeats; ++repeat) {
    for (size_t i = 0; well && i < costs.size(); ++i) {
      Bench bench(app, *window.value(), folder);
      well = bench.look_at(kViews[i]);
      if (well) bench.measure(frames, costs[i]);
    }
  }
  std::filesystem::remove_all(folder);
  if (well) print(costs, frames, repeats);
  return well ? 0 : 2;
}

}  // namespace
}  // namespace lockstep::bench

int main(int count, char** arguments) {
  const int frames = count > 1 ? std::atoi(arguments[1]) : 60;
  const int repeats = count > 2 ? std::atoi(arguments[2]) : 5;
  if (frames < 1 || repeats < 1) {
    std::fputs("usage: bench_window [FRAMES] [REPEATS], both at least 1\n", stderr);
    return 2;
  }
  return lockstep::bench::run(frames, repeats);
}
