#include "gui/prose_view.h"

#include <algorithm>

#include "course/prose.h"
#include "gui/controls.h"

namespace lockstep::gui {
namespace {

FlowRun run_of(const course::Span& span, scene::Role role) {
  FlowRun run = {.text = span.text, .style = {.ink = {.role = role}}};
  if (span.strong) run.style.font = scene::Font::kBold;
  // Chinese has no italics; emphasis is the accent's colour in both languages.
  if (span.emphasis) run.style.ink.role = scene::Role::kAccent;
  if (span.code)
    run.style = {
        .font = scene::Font::kMono, .level = Level::kSmall, .ink = {.role = scene::Role::kText}};
  return run;
}

void draw_code_block(const Ui& ui, const std::string& text) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float wide = ImGui::GetContentRegionAvail().x;
  float lines = 0;
  for (size_t from = 0; from < text.size(); ++lines)
    from = std::min(text.find('\n', from), text.size()) + 1;
  const float high = lines * ui.line_height() + ui.em(0.8f);
  ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y}, {at.x + wide, at.y + high},
                                            ui.color(scene::Role::kCard), ui.em(0.3f));
  float y = at.y + ui.em(0.4f);
  for (size_t from = 0; from < text.size(); y += ui.line_height()) {
    const size_t to = std::min(text.find('\n', from), text.size());
    ui.text(std::string_view(text).substr(from, to - from),
            {at.x + ui.em(0.7f), y, wide - ui.em(1.2f), ui.line_height()}, kCodeText);
    from = to + 1;
  }
  ImGui::Dummy({wide, high});
}

}  // namespace

void draw_prose(const Ui& ui, const std::string& markdown, scene::Role role) {
  bool first = true;
  for (const course::Paragraph& part : course::paragraphs_of(markdown)) {
    if (!first) gap(ui, part.marker.empty() ? 0.5f : 0.2f);
    first = false;
    if (part.code_block) {
      draw_code_block(ui, part.spans.empty() ? std::string() : part.spans.front().text);
      continue;
    }
    std::vector<FlowRun> runs;
    for (const course::Span& span : part.spans) runs.push_back(run_of(span, role));
    flow(ui, runs, {.indent = ui.em(1.3f) * static_cast<float>(part.depth), .marker = part.marker});
  }
}

}  // namespace lockstep::gui
