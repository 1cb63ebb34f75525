// The lesson: the part of the story that the stage shows, the question before what comes next, the claims as they
// stand now, and the variants that break them.
#include <algorithm>

#include "gui/controls.h"
#include "gui/flow.h"
#include "gui/panel.h"
#include "gui/prose_view.h"
#include "trace/conditions.h"

namespace lockstep::gui {
namespace {

using scene::Rect;
using scene::Role;

/// How one option of a question looks.
enum class OptionLook : uint8_t { kPlain, kChosen, kRight, kWrong };

OptionLook look_of(const course::Quiz& quiz, size_t option) {
  if (quiz.answer) {
    if (quiz.right && *quiz.right == option) return OptionLook::kRight;
    return quiz.chosen && *quiz.chosen == option ? OptionLook::kWrong : OptionLook::kPlain;
  }
  return quiz.chosen && *quiz.chosen == option ? OptionLook::kChosen : OptionLook::kPlain;
}

Role frame_of(OptionLook look) {
  switch (look) {
    case OptionLook::kPlain: return Role::kLine;
    case OptionLook::kChosen: return Role::kAccent;
    case OptionLook::kRight: return Role::kOk;
    case OptionLook::kWrong: return Role::kDanger;
  }
  return Role::kLine;
}

struct OptionRow {
  size_t number = 0;
  std::string text;
  OptionLook look = OptionLook::kPlain;
  bool can_choose = true;
};

void draw_option(const Frame& frame, const OptionRow& option) {
  const Ui& ui = frame.ui;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float wide = ImGui::GetContentRegionAvail().x;
  const float pad = ui.em(0.45f);
  // The text decides the height, and is drawn over the box: two layers of one list.
  list.ChannelsSplit(2);
  list.ChannelsSetCurrent(1);
  ImGui::SetCursorScreenPos({at.x, at.y + pad});
  const std::string mark = option.look == OptionLook::kRight   ? " ✓"
                           : option.look == OptionLook::kWrong ? " ✗"
                                                               : "";
  flow(ui, {{.text = option.text + mark}},
       {.indent = ui.em(2.1f), .marker = std::to_string(option.number + 1), .width = wide - pad});
  const Rect box = {at.x, at.y, wide, ImGui::GetCursorScreenPos().y + pad - at.y};
  list.ChannelsSetCurrent(0);
  const Touched touched = touch(ui, {.id = "lesson/option/" + std::to_string(option.number + 1),
                                     .rect = box,
                                     .text = option.text,
                                     .enabled = option.can_choose});
  if (touched.clicked) frame.ask(CommandId::kAnswer, {}, static_cast<int64_t>(option.number));
  const bool hover = touched.hovered && option.can_choose;
  const Role role =
      hover && option.look == OptionLook::kPlain ? Role::kAccent : frame_of(option.look);
  if (option.look != OptionLook::kPlain || hover) {
    list.AddRectFilled(top_left(box), bottom_right(box),
                       ui.color(scene::Ink{.role = role, .opacity = 0.12f}), ui.em(0.35f));
  }
  list.AddRect(top_left(box), bottom_right(box), ui.color(role), ui.em(0.35f));
  list.ChannelsMerge();
  ImGui::SetCursorScreenPos({at.x, box.bottom()});
  gap(ui, 0.45f);
}

/// A bar at the left of what explains an answer.
void draw_aside(const Frame& frame, const std::string& markdown, Role role) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Indent(frame.ui.em(1));
  draw_prose(frame.ui, markdown);
  ImGui::Unindent(frame.ui.em(1));
  const float bottom = ImGui::GetCursorScreenPos().y;
  ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y}, {at.x + frame.ui.em(0.2f), bottom},
                                            frame.ui.color(role));
}

void draw_answer(const Frame& frame, const course::Prediction& predict, const course::Quiz& quiz) {
  const Ui& ui = frame.ui;
  if (!quiz.answer) {
    paragraph(ui, frame.word(quiz.chosen ? Word::kNotYetKnown : Word::kAskFirst), kDimText);
    return;
  }
  const bool right = quiz.chosen && quiz.right && *quiz.chosen == *quiz.right;
  const Role role = !quiz.chosen ? Role::kAccent : right ? Role::kOk : Role::kDanger;
  if (quiz.chosen) {
    paragraph(ui, frame.word(right ? Word::kRight : Word::kWrong),
              {.font = scene::Font::kBold, .ink = {.role = role}});
  }
  flow(ui, {{.text = frame.words(Word::kAnswerIs), .style = kDimText},
            {.text = quiz.right ? predict.options[*quiz.right].text.in(ui.chinese())
                                : trace::to_text(quiz.answer->value)}});
  const int64_t event = quiz.answer->event.value_or(quiz.answer->at);
  if (event >= 0) {
    const std::string link = flow(ui, {{.text = frame.words(Word::kDecidedBy), .style = kDimText},
                                       {.text = "#" + std::to_string(event + 1),
                                        .style = {.ink = {.role = Role::kAccent}},
                                        .link = "lesson/decided"}});
    if (!link.empty()) frame.ask(CommandId::kSeek, {}, event);
  }
  gap(ui, 0.4f);
  draw_aside(frame, predict.why.in(ui.chinese()), role);
}

void draw_prediction(const Frame& frame, const course::Session& session) {
  const course::Beat& beat = session.shown();
  if (!beat.predict) return;
  const bool chinese = frame.ui.chinese();
  const course::Quiz quiz = session.quiz(session.beat());
  heading(frame.ui, frame.word(Word::kPredict));
  paragraph(frame.ui, beat.predict->ask.in(chinese), kStrongText);
  gap(frame.ui, 0.5f);
  for (size_t i = 0; i < beat.predict->options.size(); ++i) {
    draw_option(frame, {.number = i,
                        .text = beat.predict->options[i].text.in(chinese),
                        .look = look_of(quiz, i),
                        .can_choose = !quiz.answer});
  }
  draw_answer(frame, *beat.predict, quiz);
}

/// The last question before this beat, once its answer is out: what follows a beat is often its answer.
void draw_last_prediction(const Frame& frame, const course::Session& session) {
  const auto& beats = session.lesson().beats;
  for (size_t beat = session.beat(); beat-- > 0;) {
    if (!beats[beat].predict) continue;
    const course::Quiz quiz = session.quiz(beat);
    if (!quiz.answer || !quiz.chosen) continue;
    heading(frame.ui, frame.word(Word::kYourPrediction));
    paragraph(frame.ui, beats[beat].predict->ask.in(frame.ui.chinese()), kDimText);
    paragraph(frame.ui,
              "“" + beats[beat].predict->options[*quiz.chosen].text.in(frame.ui.chinese()) + "”");
    return draw_answer(frame, *beats[beat].predict, quiz);
  }
}

void draw_steps(const Frame& frame, const course::Session& session) {
  const Ui& ui = frame.ui;
  gap(ui, 0.9f);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ButtonSpec next = {.id = "lesson/next",
                     .text = frame.words(Word::kNext),
                     .key = "Enter",
                     .enabled = !session.at_last(),
                     .primary = !session.at_last() && !session.asks()};
  ButtonSpec back = {
      .id = "lesson/back", .text = frame.words(Word::kPrevious), .enabled = !session.at_first()};
  const scene::Size next_size = button_size(ui, next);
  const scene::Size back_size = button_size(ui, back);
  if (button(ui, next, {at.x, at.y, next_size.w, next_size.h})) frame.ask(CommandId::kNextBeat);
  if (button(ui, back, {at.x + next_size.w + ui.em(0.5f), at.y, back_size.w, back_size.h}))
    frame.ask(CommandId::kPreviousBeat);
  ImGui::SetCursorScreenPos({at.x, at.y + next_size.h});
  gap(ui, 0.2f);
  if (frame.view.playback.until) paragraph(ui, frame.word(Word::kPlayThere), kSmallDim);
}

void draw_claims(const Frame& frame, const course::Session& session) {
  const Ui& ui = frame.ui;
  const auto& claims = session.lesson().claims;
  if (claims.empty()) return;
  heading(ui, frame.words(Word::kClaims) + "  ·  " + frame.words(Word::kClaimsNote));
  for (size_t i = 0; i < claims.size(); ++i) {
    const course::Finding finding = session.claim(i);
    const bool holds = finding.verdict == course::Verdict::kHolds;
    const bool broken = finding.verdict == course::Verdict::kBroken;
    const Role role = holds ? Role::kOk : broken ? Role::kDanger : Role::kTextDim;
    const Word verdict = holds ? Word::kHolds : broken ? Word::kBroken : Word::kOpen;
    const char* mark = holds ? "✓" : broken ? "✗" : "·";
    std::vector<FlowRun> runs = {
        {.text = claims[i].text.in(ui.chinese()) + "  ",
         .style = {.ink = {.role = broken ? Role::kDanger : Role::kText}}},
        {.text = frame.words(verdict), .style = {.level = Level::kSmall, .ink = {.role = role}}}};
    if (finding.at && *finding.at >= 0) {
      runs.push_back({.text = " ", .style = kSmallDim});
      runs.push_back({.text = "#" + std::to_string(*finding.at + 1),
                      .style = {.level = Level::kSmall, .ink = {.role = Role::kAccent}},
                      .link = "claim/" + claims[i].id});
    }
    const FlowOptions hanging = {
        .indent = ui.em(1.3f), .marker = mark, .marker_style = {.ink = {.role = role}}};
    if (!flow(ui, runs, hanging).empty()) frame.ask(CommandId::kSeek, {}, *finding.at);
    gap(ui, 0.2f);
  }
}

/// True if what the stage shows is no longer what the lesson alone makes.
bool is_own(const Document& document) {
  const std::optional<int64_t> after = document.tape().own_after();
  return after && document.tape().position() > *after;
}

void draw_own_note(const Frame& frame) {
  if (!is_own(frame.document)) return;
  const Ui& ui = frame.ui;
  const int64_t first = *frame.document.tape().own_after() + 2;  // steps count from 1
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Indent(ui.em(1));
  paragraph(ui, frame.say(Word::kOwnRun, {std::to_string(first)}));
  gap(ui, 0.4f);
  const ButtonSpec back = {.id = "lesson/as-it-was", .text = frame.words(Word::kBackToLesson)};
  const scene::Size size = button_size(ui, back);
  const ImVec2 place = ImGui::GetCursorScreenPos();
  if (button(ui, back, {place.x, place.y, size.w, size.h})) frame.ask(CommandId::kUndoAll);
  ImGui::SetCursorScreenPos({place.x, place.y + size.h});
  ImGui::Unindent(ui.em(1));
  ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + ui.em(0.2f), ImGui::GetCursorScreenPos().y},
                                            ui.color(Role::kWarn));
  gap(ui, 1);
}

void draw_variants(const Frame& frame, const course::Session& session) {
  const auto& variants = session.lesson().variants;
  if (variants.empty()) return;
  heading(frame.ui, frame.words(Word::kVariants) + "  ·  " + frame.words(Word::kVariantsNote));
  const auto choice = [&](const std::string& id, const std::string& text, int64_t number, bool on) {
    if (row(frame.ui, {.id = "variant/" + id, .text = text, .tooltip = text, .on = on})) {
      frame.ask(CommandId::kVariant, {}, number);
    }
  };
  const bool own = is_own(frame.document);
  choice("base", frame.words(Word::kAsItIs), -1, !own && !session.variant());
  for (size_t i = 0; i < variants.size(); ++i) {
    choice(variants[i].id, variants[i].title.in(frame.ui.chinese()), static_cast<int64_t>(i),
           !own && session.variant() == i);
  }
}

/// How many of the lesson's first `end` beats this variant tells.
size_t told_before(const course::Session& session, size_t end) {
  const auto& beats = session.lesson().beats;
  return static_cast<size_t>(std::count_if(
      beats.begin(), beats.begin() + static_cast<ptrdiff_t>(end), [&](const course::Beat& beat) {
        return is_told(session.lesson(), beat, session.variant());
      }));
}

void draw_story(const Frame& frame, const course::Session& session) {
  const Ui& ui = frame.ui;
  const auto& lesson = session.lesson();
  const std::string part = std::to_string(told_before(session, session.beat() + 1));
  const std::string parts = std::to_string(told_before(session, lesson.beats.size()));
  paragraph(ui, frame.say(Word::kBeat, {part, parts}), kSmallDim);
  gap(ui, 0.3f);
  draw_prose(ui, session.shown().text.in(ui.chinese()));
  if (session.at_first() && !lesson.objectives.empty()) {
    heading(ui, frame.word(Word::kObjectives));
    for (const scenario::Text& objective : lesson.objectives) {
      flow(ui, {{.text = objective.in(ui.chinese())}}, {.indent = ui.em(1.2f), .marker = "•"});
    }
  }
  draw_prediction(frame, session);
  if (!session.shown().predict) draw_last_prediction(frame, session);
  if (session.at_last()) {
    heading(ui, frame.word(Word::kSummary));
    draw_prose(ui, lesson.summary.in(ui.chinese()));
  }
}

class LessonTab final : public TabContent {
 public:
  void draw(const Frame& frame) override {
    const course::Session* session = frame.document.session();
    if (session == nullptr) {
      const bool live = frame.document.world() == World::kLive;
      return paragraph(frame.ui, frame.word(live ? Word::kLiveLesson : Word::kNoLesson), kDimText);
    }
    draw_own_note(frame);
    draw_story(frame, *session);
    draw_steps(frame, *session);
    draw_claims(frame, *session);
    draw_variants(frame, *session);
  }
};

}  // namespace

std::unique_ptr<TabContent> lesson_tab() { return std::make_unique<LessonTab>(); }

}  // namespace lockstep::gui
