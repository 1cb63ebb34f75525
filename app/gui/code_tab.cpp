// The listings: clients with the same program share one, and each stands on its line as a disc; filled: about to run
// it, ring: it has, and waits for the outcome.
#include <algorithm>

#include "gui/controls.h"
#include "gui/flow.h"
#include "gui/panel.h"

namespace lockstep::gui {
namespace {

using scene::Rect;
using scene::Role;

struct Stander {
  std::string client;
  int32_t number = 0;
  bool about_to = false;
};

struct Line {
  recipes::ListingLine text;
  std::vector<Stander> standers;
};

/// One program, and who runs it.
struct Program {
  recipes::FairLockOptions options;
  std::vector<Line> lines;
  std::vector<Stander> nowhere;  ///< not begun, or done
};

void place(Program& program, const Stander& stander, const trace::ClientRow* row) {
  for (Line& line : program.lines) {
    if (row != nullptr && line.text.number == row->line && row->line != 0) {
      line.standers.push_back(stander);
      return;
    }
  }
  program.nowhere.push_back(stander);
}

/// The program that the client runs, which others may have brought already.
Program& program_of(std::vector<Program>& programs, const scenario::Scenario& scenario,
                    const scenario::ClientSpec& spec) {
  // What does not show in the listing does not make it another program.
  recipes::FairLockOptions options = spec.options;
  options.guid_seed = 0;
  options.rounds = 1;
  options.job = {};
  const auto same = std::find_if(programs.begin(), programs.end(),
                                 [&](const Program& p) { return p.options == options; });
  if (same != programs.end()) return *same;
  programs.push_back({.options = options});
  for (const auto& line : recipes::listing(scenario::recipe_of(scenario, spec))) {
    programs.back().lines.push_back({line, {}});
  }
  return programs.back();
}

std::vector<Program> programs_of(const Document& document) {
  std::vector<Program> programs;
  const scenario::Scenario& scenario = document.scenario();
  int32_t number = 0;
  const auto add = [&](const scenario::ClientSpec& spec, const std::string& id) {
    const trace::ClientRow* row = trace::find(document.snapshot().clients, id);
    place(program_of(programs, scenario, spec), {id, number++, row != nullptr && row->at_line},
          row);
  };
  for (const scenario::ClientSpec& spec : scenario.clients) add(spec, spec.id);
  for (const std::string& id : document.joined()) add(scenario.clients.back(), id);
  return programs;
}

/// Discs from right to left; beyond a few, a count.
void draw_standers(const Frame& frame, const std::vector<Stander>& standers, Rect box) {
  const Ui& ui = frame.ui;
  const float r = ui.em(0.68f);
  const auto more = [&](size_t shown) { return "+" + std::to_string(standers.size() - shown); };
  const auto room_for_more = [&](size_t shown) {
    return shown == standers.size() ? 0 : ui.width(more(shown), kSmallDim) + ui.em(0.2f);
  };
  size_t shown = 0;
  float taken = 0;
  for (; shown < standers.size(); ++shown) {
    const float wide = disc_width(ui, r, standers[shown].client) + ui.em(0.15f);
    if (shown > 0 && taken + wide + room_for_more(shown + 1) > box.w) break;
    taken += wide;
  }
  float x = box.right() - room_for_more(shown);
  if (shown < standers.size()) {
    ui.text(more(shown), {x, box.y, box.right() - x, box.h}, kSmallDim, scene::Align::kRight);
  }
  for (size_t i = 0; i < shown; ++i) {
    const float wide = disc_width(ui, r, standers[i].client);
    draw_disc(ui, {x - wide / 2, box.center().y}, r, standers[i].number, standers[i].client,
              standers[i].about_to);
    x -= wide + ui.em(0.15f);
  }
}

/// Where the discs stand: wider for long ids.
float gutter_of(const Frame& frame) {
  const auto& clients = frame.document.scenario().clients;
  const bool wide = !clients.empty() && clients.back().id.size() > 2;
  return frame.ui.em(wide ? 6.0f : 3.4f);
}

/// Code breaks at spaces; what goes on stands further in.
std::vector<std::string> wrapped(const Ui& ui, const std::string& code, float width) {
  const size_t text = std::min(code.find_first_not_of(' '), code.size());
  const std::string inset(text + 4, ' ');
  std::vector<std::string> lines = {code.substr(0, text)};
  for (size_t at = text; at < code.size();) {
    const size_t end = std::min(code.find(' ', at), code.size() - 1) + 1;
    const std::string word = code.substr(at, end - at);
    const bool fresh = lines.back().find_first_not_of(' ') == std::string::npos;
    if (!fresh && ui.width(lines.back() + word, kCodeText) > width) lines.push_back(inset);
    lines.back() += word;
    at = end;
  }
  return lines;
}

bool chosen_stands(const Frame& frame, const Line& line) {
  return std::any_of(line.standers.begin(), line.standers.end(),
                     [&](const Stander& s) { return s.client == frame.view.chosen; });
}

void draw_line(const Frame& frame, const Line& line) {
  const Ui& ui = frame.ui;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float wide = ImGui::GetContentRegionAvail().x;
  const float gutter = gutter_of(frame);
  const float number = ui.em(1.9f);
  const std::string& code = frame.view.java ? line.text.java : line.text.pseudo;
  const auto lines = wrapped(ui, code, wide - gutter - number);
  const Rect box = {at.x, at.y, wide, static_cast<float>(lines.size()) * ui.em(1.4f) + ui.em(0.4f)};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (line.text.mistake)
    list.AddRectFilled(top_left(box), bottom_right(box), ui.color(Role::kDangerWash), ui.em(0.2f));
  if (!line.standers.empty()) {
    const int32_t identity = chosen_stands(frame, line)
                                 ? frame.document.number_of(frame.view.chosen)
                                 : line.standers.front().number;
    list.AddRectFilled(
        top_left(box), bottom_right(box),
        ui.color(scene::Ink{.role = Role::kIdentity, .identity = identity, .opacity = 0.13f}),
        ui.em(0.2f));
  }
  draw_standers(frame, line.standers, {box.x, box.y, gutter - ui.em(0.4f), ui.em(1.8f)});
  Style dim = kCodeText;
  dim.ink.role = Role::kTextDim;
  ui.text(std::to_string(line.text.number), {box.x + gutter, box.y, ui.em(1.4f), ui.em(1.8f)}, dim,
          scene::Align::kRight);
  float y = box.y + ui.em(0.2f);
  for (const std::string& text : lines) {
    ui.text(text, {box.x + gutter + number, y, wide - gutter - number, ui.em(1.4f)}, kCodeText);
    y += ui.em(1.4f);
  }
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({wide, box.h});
  if (line.text.mistake) {
    const std::string text = "▲ " + frame.words(Word::kMistake);
    paragraph(ui, text, {.level = Level::kSmall, .ink = {.role = Role::kDanger}},
              {.indent = gutter + number});
  }
}

void draw_switch(const Frame& frame) {
  const Ui& ui = frame.ui;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ButtonSpec pseudo = {
      .id = "code/pseudo", .text = frame.words(Word::kPseudo), .on = !frame.view.java};
  const ButtonSpec java = {
      .id = "code/java", .text = frame.words(Word::kJava), .key = "J", .on = frame.view.java};
  const scene::Size first = button_size(ui, pseudo);
  const scene::Size second = button_size(ui, java);
  if (button(ui, pseudo, {at.x, at.y, first.w, first.h}) && frame.view.java)
    frame.ask(CommandId::kJava);
  if (button(ui, java, {at.x + first.w + ui.em(0.4f), at.y, second.w, second.h}) &&
      !frame.view.java)
    frame.ask(CommandId::kJava);
  ImGui::SetCursorScreenPos({at.x, at.y + first.h});
  gap(ui, 0.6f);
}

void draw_program(const Frame& frame, const Program& program) {
  for (const Line& line : program.lines) draw_line(frame, line);
  if (program.nowhere.empty()) return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float high = frame.ui.em(2);
  draw_standers(frame, program.nowhere, {at.x, at.y, frame.ui.em(3), high});
  frame.ui.text(frame.word(Word::kNoLine), {at.x + frame.ui.em(3.8f), at.y, frame.ui.em(14), high},
                kSmallDim);
  ImGui::Dummy({1, high});
}

class CodeTab final : public TabContent {
 public:
  void draw(const Frame& frame) override {
    draw_switch(frame);
    if (document_ != &frame.document || revision_ != frame.document.revision())
      programs_ = programs_of(frame.document);
    document_ = &frame.document;
    revision_ = frame.document.revision();
    for (const Program& program : programs_) {
      draw_program(frame, program);
      gap(frame.ui, 0.8f);
    }
    paragraph(frame.ui, frame.word(Word::kCodeNote), kSmallDim);
    paragraph(frame.ui, frame.word(Word::kStandsHere), kSmallDim);
    paragraph(frame.ui, frame.word(Word::kWaitsHere), kSmallDim);
  }

 private:
  const Document* document_ = nullptr;
  uint64_t revision_ = 0;
  std::vector<Program> programs_;
};

}  // namespace

std::unique_ptr<TabContent> code_tab() { return std::make_unique<CodeTab>(); }

}  // namespace lockstep::gui
