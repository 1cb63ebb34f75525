#include "gui/app.h"

#include <algorithm>
#include <cmath>

#include "course/reading.h"
#include "gui/actions.h"
#include "gui/controls.h"
#include "gui/interventions.h"
#include "gui/time_range.h"
#include "scenario/reading.h"
#include "scene/strings.h"
#include "scene/timeline.h"
#include "trace/sentences.h"

namespace lockstep::gui {
namespace {

constexpr double kNoticeSeconds = 6;
/// A tooltip comes when the mouse has stood still for so long.
constexpr double kRestSeconds = 0.45;
/// A frame that took longer does not make a run jump.
constexpr double kFrameSecondsMax = 0.1;

bool is_over(const View& view) { return view.help || !view.menu.region.empty(); }

}  // namespace

float font_for(scene::Size size) {
  return std::clamp(std::round(std::min(size.w / 90, size.h / 56)), 14.0f, 24.0f);
}

App::App(const GuiOptions& options)
    : fonts_(find_font_files()), keys_(binding_groups()), panels_(all_panels()) {
  view_.language = options.language;
  view_.theme = options.theme;
  const float wanted = options.font_px > 0 ? options.font_px : font_for(options.size);
  view_.font_px = std::clamp(wanted, kFontPxMin, kFontPxMax);
  view_.course_open = course_fitted_ = course_fits(options.size, view_.font_px);
  size_ = options.size;
  std::vector<scenario::Problem> problems;
  course_ = read_course(problems);
  if (!problems.empty()) notice(scenario::describe(problems.front()));
  if (!fonts_.chinese()) notice(std::string(word(Word::kNoChineseFont, view_.language)));
  want_texts();
}

std::vector<scenario::Problem> App::open(const std::string& file) {
  std::string path = file;
  if (path.empty() && !course_.empty()) path = course_.front().file;
  scenario::Result<std::unique_ptr<Document>> opened = Document::open(path);
  if (!opened) return opened.problems();
  document_ = std::move(opened.value());
  // Now, since the atlas is built again whenever a character is missing, and that takes longer than a frame.
  if (document_->lesson() != nullptr) fonts_.want(course::all_text(*document_->lesson()));
  view_.playback = {.speed = view_.playback.speed};
  view_.range = {};
  view_.menu = {};
  const auto& clients = document_->scenario().clients;
  view_.chosen = clients.empty() ? std::string() : clients.front().id;
  if (document_->session() == nullptr && view_.tab == Tab::kLesson) view_.tab = Tab::kCode;
  if (document_->session() != nullptr) view_.tab = Tab::kLesson;
  after_seek();
  return {};
}

std::string App::title() const {
  if (document_ == nullptr) return "Lockstep";
  const std::string id = document_->id();
  return (id.empty() ? id : id + " ") + document_->title(view_.chinese()) + " - Lockstep";
}

/// The window's own texts and the course's are known beforehand; others come as they are measured.
void App::want_texts() {
  for (size_t i = 0; i < static_cast<size_t>(Word::kWords_); ++i) {
    fonts_.want(word(static_cast<Word>(i), trace::Language::kZh));
  }
  for (size_t i = 0; i < static_cast<size_t>(scene::Word::kWords_); ++i) {
    fonts_.want(scene::word(static_cast<scene::Word>(i), trace::Language::kZh));
  }
  for (const trace::SentenceForm& form : trace::sentence_forms()) fonts_.want(form.zh);
  for (const CourseEntry& entry : course_)
    fonts_.want(entry.title.zh + course::group_title(entry.group).zh);
}

bool App::prepare(ImFontAtlas& atlas) {
  fonts_.choose({.px = view_.font_px, .stage_px = stage_px_, .language = view_.language});
  return fonts_.refresh(atlas);
}

void App::frame(const Input& input, scene::Size size, double seconds) {
  size_ = size;
  const bool fits = course_fits(size, view_.font_px);
  if (course_fitted_ && !fits) view_.course_open = false;
  course_fitted_ = fits;
  still_s_ = input.mouse() == mouse_ ? still_s_ + seconds : 0;
  mouse_ = input.mouse();
  items_.begin_frame();
  // Time first: what a key begins now begins now, not with the rest before it.
  pass_time(seconds);
  for (const Command& command : commands_of(keys_, input.presses())) perform(command);
  document_->refresh();
  look_where_told();
  if (!view_.playback.playing || is_over(view_)) possible_ = document_->tape().possible();
  commands_.clear();
  draw(input, size);
  const Commands asked = std::move(commands_);
  commands_.clear();
  for (const Command& command : asked) perform(command);
  document_->refresh();
}

void App::look_where_told() {
  const course::Session* session = document_->session();
  if (!telling_ || session == nullptr || view_.playback.until) return;
  telling_ = false;
  const std::string prefix = "/clients/";
  const std::string& focus = session->shown().focus;
  if (focus.compare(0, prefix.size(), prefix) != 0) return;
  const std::string client = focus.substr(prefix.size());
  if (document_->number_of(client) >= 0) view_.chosen = client;
}

void App::draw(const Input& input, scene::Size size) {
  const Ui ui = {items_,         fonts_,        palette(),
                 view_.language, view_.font_px, still_s_ >= kRestSeconds};
  apply_theme(ui);
  const TimeRange range = shown_range(view_.range, *document_, view_.playback.now_us);
  const float timeline = scene::timeline_height({.trace = document_->trace(),
                                                 .index = document_->index(),
                                                 .measure = fonts_,
                                                 .size = {size.w, size.h},
                                                 .font_px = ui.px,
                                                 .language = ui.language,
                                                 .from_us = range.from_us,
                                                 .to_us = range.to_us});
  LayoutInput input_for = {
      .size = size, .px = ui.px, .course_open = view_.course_open, .timeline_wanted = timeline};
  layout_ = layout_of(input_for);
  const auto actions =
      actions_for(ui, {document_->snapshot(), document_->scenario(), possible_}, view_.chosen);
  const auto rows = rows_of(ui, actions, room_for_actions(ui, layout_.actions.w, view_.chosen));
  if (!rows.empty() && rows.back() > 0) {
    input_for.action_rows = rows.back() + 1;
    layout_ = layout_of(input_for);
  }
  stage_px_ = stage_px(layout_.stage.w, ui.px, document_->snapshot().clients.size());
  const Frame frame = {ui,      *document_, view_,         commands_, possible_,
                       course_, keys_,      input.mouse(), stage_px_};
  for (const auto& panel : panels_) panel->draw(frame, layout_.at(panel->place()));
}

void App::pass_time(double seconds) {
  if (!view_.notice.empty() && (view_.notice_s -= seconds) <= 0) view_.notice.clear();
  Tape& tape = document_->tape();
  const bool more = tape.poll();
  for (const scenario::Problem& problem : tape.take_problems()) {
    notice(say(Word::kLiveFailed, view_.language, {scenario::describe(problem)}));
  }
  if (tape.runs_by_itself() && more) view_.playback.settle(tape);
  if (view_.playback.playing) {
    view_.playback.advance(tape, std::min(seconds, kFrameSecondsMax));
    view_.range = showing(view_.range, view_.playback.now_us);
  }
}

bool App::moving() const {
  if (document_ == nullptr) return false;
  return view_.playback.playing || document_->tape().runs_by_itself();
}

double App::rest_seconds() const {
  if (still_s_ < kRestSeconds) return kRestSeconds - still_s_ + 0.01;
  return view_.notice.empty() ? -1 : view_.notice_s;
}

void App::notice(std::string text) {
  view_.notice = std::move(text);
  view_.notice_s = kNoticeSeconds;
}

void App::after_seek() {
  view_.playback.settle(document_->tape());
  view_.playback.until.reset();
  view_.range = showing(view_.range, view_.playback.now_us);
  document_->refresh();
}

std::vector<CourseEntry> read_course(std::vector<scenario::Problem>& problems) {
  std::vector<CourseEntry> entries;
  const auto files = course::lesson_files(scenario::data_folder() + "/lessons");
  if (!files) {
    problems = files.problems();
    return entries;
  }
  for (const std::string& file : files.value()) {
    const auto lesson = course::load_lesson(file);
    if (!lesson) {
      problems.insert(problems.end(), lesson.problems().begin(), lesson.problems().end());
      continue;
    }
    const course::Lesson& read = lesson.value();
    entries.push_back({file, read.id, read.group, read.title, read.minutes});
  }
  return entries;
}

// ---- Commands ------------------------------------------------------------------------------------

void App::perform(const Command& command) {
  view_.notice.clear();  // It was about what went before.
  switch (command.id) {
    case CommandId::kPlayPause:
    case CommandId::kStepForward:
    case CommandId::kStepBack:
    case CommandId::kJumpForward:
    case CommandId::kJumpBack:
    case CommandId::kToStart:
    case CommandId::kToEnd:
    case CommandId::kSlower:
    case CommandId::kFaster:
    case CommandId::kSeek:
    case CommandId::kSeekTime: return perform_time(command);
    case CommandId::kIntervene:
    case CommandId::kToggle:
    case CommandId::kFencing:
    case CommandId::kAddClient:
    case CommandId::kUndo:
    case CommandId::kUndoAll:
    case CommandId::kBranch: return perform_interference(command);
    case CommandId::kChoose:
    case CommandId::kNextClient:
    case CommandId::kPreviousClient:
    case CommandId::kTab:
    case CommandId::kLanguage:
    case CommandId::kTheme:
    case CommandId::kFontLarger:
    case CommandId::kFontSmaller:
    case CommandId::kCourse:
    case CommandId::kJava:
    case CommandId::kUnfold:
    case CommandId::kZoomIn:
    case CommandId::kZoomOut:
    case CommandId::kZoomAll:
    case CommandId::kHelp:
    case CommandId::kClose: return perform_look(command);
    case CommandId::kNextBeat:
    case CommandId::kPreviousBeat:
    case CommandId::kAnswer:
    case CommandId::kVariant:
    case CommandId::kLive:
    case CommandId::kOpen:
    case CommandId::kRestart: return perform_lesson(command);
  }
}

}  // namespace lockstep::gui
