// Everything as text: the moment, and the last things that happened. For whoever cannot see colours, or wants to copy.
#include <algorithm>

#include "gui/controls.h"
#include "gui/flow.h"
#include "gui/panel.h"

namespace lockstep::gui {
namespace {

constexpr int64_t kEventsShown = 200;

class TranscriptTab final : public TabContent {
 public:
  void draw(const Frame& frame) override {
    heading(frame.ui, frame.word(Word::kNow));
    const std::string text = trace::transcript(
        frame.document.snapshot(), frame.document.trace().lock_path(), frame.ui.language);
    for (size_t from = 0; from < text.size();) {
      const size_t to = std::min(text.find('\n', from), text.size());
      draw_text_line(frame, text.substr(from, to - from));
      from = to + 1;
    }
    heading(frame.ui, frame.word(Word::kEvents));
    draw_events(frame);
  }

 private:
  static void draw_text_line(const Frame& frame, const std::string& line) {
    if (line.empty()) return gap(frame.ui, 0.5f);
    const size_t inset = std::min(line.find_first_not_of(' '), line.size());
    paragraph(frame.ui, line.substr(inset), {},
              {.indent = frame.ui.em(0.5f * static_cast<float>(inset))});
  }

  static void draw_events(const Frame& frame) {
    const int64_t last = frame.document.tape().position();
    for (int64_t index = last; index >= 0 && index > last - kEventsShown; --index) {
      const trace::Event event = frame.document.trace().event(index);
      const std::string number = "#" + std::to_string(index + 1);
      const std::string link = flow(
          frame.ui, {{.text = number,
                      .style = {.level = Level::kSmall, .ink = {.role = scene::Role::kAccent}},
                      .link = "event/" + std::to_string(index + 1)},
                     {.text = "  " + trace::time_text(event.time_us) + "  ", .style = kSmallDim},
                     {.text = trace::sentence(event, frame.ui.language)}});
      if (!link.empty()) frame.ask(CommandId::kSeek, {}, index);
    }
  }
};

/// The branches of history.
class HistoryTab final : public TabContent {
 public:
  void draw(const Frame& frame) override {
    const auto& branches = frame.document.tape().branches();
    paragraph(frame.ui, frame.word(branches.size() > 1 ? Word::kHistoryNote : Word::kOnlyBranch),
              kDimText);
    gap(frame.ui, 0.6f);
    draw_children(frame, -1, 0);
  }

 private:
  static void draw_children(const Frame& frame, int32_t parent, int depth) {
    const auto& branches = frame.document.tape().branches();
    for (int32_t i = 0; i < static_cast<int32_t>(branches.size()); ++i) {
      const play::Branch& branch = branches[static_cast<size_t>(i)];
      if (branch.parent != parent) continue;
      std::string name = branch.name;
      if (name == "original") name = frame.words(Word::kOriginal);
      if (name == "recorded") name = frame.words(Word::kRecording);
      const std::string note =
          parent < 0 ? std::string()
                     : frame.say(Word::kLeftAt, {std::to_string(branch.forked_after + 1)});
      if (row(frame.ui, {.id = "branch/" + std::to_string(i),
                         .text = name,
                         .note = note,
                         .tooltip = name + "\n" + note,
                         .on = i == frame.document.tape().branch(),
                         .indent = frame.ui.em(static_cast<float>(depth))})) {
        frame.ask(CommandId::kBranch, {}, i);
      }
      draw_children(frame, i, depth + 1);
    }
  }
};

}  // namespace

std::unique_ptr<TabContent> transcript_tab() { return std::make_unique<TranscriptTab>(); }
std::unique_ptr<TabContent> history_tab() { return std::make_unique<HistoryTab>(); }

}  // namespace lockstep::gui
