// bench_start [REPEATS]: from the start of the process to the first frame, against a window with Dear ImGui and the
// same glyphs of the same fonts, and nothing else. Each start is a process of its own:
//   bench_start app GLYPHS    Lockstep; writes the characters that it has glyphs for to the file GLYPHS
//   bench_start bare GLYPHS   the bare window, with glyphs for these characters
// Both print the CPU time that they took, in seconds.
#include <imgui.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "bench/measure.h"
#include "gui/app.h"
#include "gui/window.h"

namespace lockstep::bench {
namespace {

constexpr scene::Size kSize = {1440, 900};

int say(const scenario::Problem& problem) {
  std::fprintf(stderr, "bench_start: %s\n", scenario::describe(problem).c_str());
  return problem.kind == scenario::ProblemKind::kEnvironment ? 3 : 2;
}

std::string utf8(uint32_t code) {
  if (code < 0x80) return {static_cast<char>(code)};
  if (code < 0x800) return {static_cast<char>(0xC0u | code >> 6u), static_cast<char>(0x80u | (code & 0x3Fu))};
  return {static_cast<char>(0xE0u | code >> 12u), static_cast<char>(0x80u | (code >> 6u & 0x3Fu)),
          static_cast<char>(0x80u | (code & 0x3Fu))};
}

/// Every character that some font of the atlas has.
std::string characters_of(const ImFontAtlas& atlas) {
  std::set<uint32_t> codes;
  for (const ImFont* font : atlas.Fonts) {
    for (const ImFontGlyph& glyph : font->Glyphs) codes.insert(glyph.Codepoint);
  }
  std::string characters;
  for (const uint32_t code : codes) characters += utf8(code);
  return characters;
}

int start_app(const std::string& glyphs) {
  gui::App app({.size = kSize});
  const auto problems = app.open("");
  if (!problems.empty()) return say(problems.front());
  auto window = gui::Window::open({.size = kSize, .scripted = true});
  if (!window) return say(window.problems().front());
  const bool fonts_changed = app.prepare(*ImGui::GetIO().Fonts);
  window.value()->begin_frame(app.fonts(), fonts_changed, 0);
  app.frame(window.value()->input(), window.value()->size(), 0);
  window.value()->end_frame();
  window.value()->paint(app.palette().color({.role = scene::Role::kBackground}));
  window.value()->swap();
  std::printf("%f\n", cpu_seconds());
  std::ofstream(glyphs, std::ios::binary) << characters_of(*ImGui::GetIO().Fonts);
  return 0;
}

int start_bare(const std::string& glyphs) {
  std::ifstream file(glyphs, std::ios::binary);
  const std::string characters{std::istreambuf_iterator<char>(file), {}};
  gui::Fonts fonts(gui::find_font_files());
  fonts.want(characters);
  fonts.choose({.px = gui::font_for(kSize), .stage_px = gui::font_for(kSize)});
  auto window = gui::Window::open({.size = kSize, .scripted = true});
  if (!window) return say(window.problems().front());
  const bool fonts_changed = fonts.refresh(*ImGui::GetIO().Fonts);
  window.value()->begin_frame(fonts, fonts_changed, 0);
  window.value()->end_frame();
  window.value()->paint({});
  window.value()->swap();
  std::printf("%f\n", cpu_seconds());
  return 0;
}

/// What one start took; below 0 if it failed, which it has told itself.
double seconds_of(const std::string& program, const std::string& mode, const std::string& glyphs) {
  std::FILE* pipe = popen(("'" + program + "' " + mode + " '" + glyphs + "'").c_str(), "r");
  double seconds = -1;
  const bool said = pipe != nullptr && std::fscanf(pipe, "%lf", &seconds) == 1;
  const bool well = pipe != nullptr && pclose(pipe) == 0;
  return said && well ? seconds : -1;
}

int run(const std::string& program, int repeats) {
  const auto path = std::filesystem::temp_directory_path() / ("lockstep-glyphs-" + std::to_string(getpid()));
  const std::string glyphs = path.string();
  std::vector<double> app;
  std::vector<double> bare;
  std::vector<double> ratios;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    app.push_back(seconds_of(program, "app", glyphs));
    bare.push_back(app.back() < 0 ? -1 : seconds_of(program, "bare", glyphs));
    if (bare.back() < 0) return 3;
    ratios.push_back(app.back() / bare.back());
  }
  std::filesystem::remove(path);
  Table table({"From the start of the process to the first frame",
               "xvfb-run build/tests/bench/bench_start " + std::to_string(repeats)},
              {"what", "CPU ms", "ratio"});
  table.add({"bare Dear ImGui window, same fonts and glyphs", in_figures(median(bare) * 1e3), "1.00"});
  table.add({"Lockstep with its first lesson", in_figures(median(app) * 1e3), in_figures(median(ratios))});
  table.note("CPU time of all threads; medians of " + std::to_string(repeats) + " interleaved starts.");
  table.print();
  return 0;
}

}  // namespace
}  // namespace lockstep::bench

int main(int count, char** arguments) {
  using namespace lockstep::bench;
  const std::string mode = count > 1 ? arguments[1] : "7";
  if (mode == "app" && count == 3) return start_app(arguments[2]);
  if (mode == "bare" && count == 3) return start_bare(arguments[2]);
  const int repeats = std::atoi(mode.c_str());
  if (repeats < 1) {
    std::fputs("usage: bench_start [REPEATS], at least 1\n", stderr);
    return 2;
  }
  return run(arguments[0], repeats);
}
