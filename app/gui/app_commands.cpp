// What becomes of commands.
#include <algorithm>
#include <cmath>

#include "gui/app.h"
#include "gui/interventions.h"
#include "gui/time_range.h"

namespace lockstep::gui {

// ---- Time ----------------------------------------------------------------------------------------

void App::perform_time(const Command& command) {
  Tape& tape = document_->tape();
  Playback& playback = view_.playback;
  const bool was_playing = playback.playing;
  if (command.id != CommandId::kFaster && command.id != CommandId::kSlower)
    playback.playing = false;
  switch (command.id) {
    case CommandId::kPlayPause:
      playback.playing = !was_playing;
      playback.until.reset();
      return;
    case CommandId::kStepForward:
      if (tape.position() + 1 < tape.trace().size() || tape.grow()) tape.seek(tape.position() + 1);
      break;
    case CommandId::kStepBack:
      if (tape.position() != trace::kNoEvent) tape.seek(tape.position() - 1);
      break;
    case CommandId::kJumpForward:
      if (!tape.jump(true)) tape.seek(tape.trace().size() - 1);
      break;
    case CommandId::kJumpBack:
      if (!tape.jump(false)) tape.seek(trace::kNoEvent);
      break;
    case CommandId::kToStart: tape.seek(trace::kNoEvent); break;
    case CommandId::kToEnd:
      while (!tape.ended() && tape.grow()) continue;
      tape.seek(tape.trace().size() - 1);
      tell_ending();
      break;
    case CommandId::kSlower: playback.speed = std::max(kSlowest, playback.speed - 1); return;
    case CommandId::kFaster: playback.speed = std::min(kFastest, playback.speed + 1); return;
    case CommandId::kSeek: tape.seek(command.number); break;
    case CommandId::kSeekTime: {
      // Not beyond what is known: dragging must not decide how far a run is simulated.
      const TimeUs time = std::clamp<TimeUs>(command.number, 0, document_->index().end_us());
      tape.seek(tape.trace().index_at(time));
      after_seek();
      playback.now_us = std::max(playback.now_us, time);
      return;
    }
    default: return;
  }
  after_seek();
}

void App::tell_ending() {
  const std::string why = trace::words_of(document_->tape().ending(), view_.language);
  if (!why.empty()) notice(say(Word::kEndReached, view_.language, {why}));
}

// ---- Interfering ---------------------------------------------------------------------------------

void App::perform_interference(const Command& command) {
  Tape& tape = document_->tape();
  switch (command.id) {
    case CommandId::kIntervene: return intervene(command.text);
    case CommandId::kToggle: return toggle(command.text);
    case CommandId::kFencing: {
      const std::string rule =
          other_rule({document_->snapshot(), document_->scenario(), tape.possible()});
      return intervene("rule " + document_->scenario().resource.id + " " + rule);
    }
    case CommandId::kAddClient: return intervene("add " + new_client_id());
    case CommandId::kUndo:
      if (!tape.undo()) return notice(std::string(word(Word::kNothingToUndo, view_.language)));
      view_.playback.playing = false;
      return after_seek();
    case CommandId::kUndoAll:
      if (tape.branch() != 0) tape.switch_to(0);
      while (tape.own_after() && tape.undo()) continue;
      view_.playback.playing = false;
      return after_seek();
    case CommandId::kBranch:
      tape.switch_to(static_cast<int32_t>(command.number));
      return after_seek();
    default: return;
  }
}

void App::intervene(const std::string& name) {
  Tape& tape = document_->tape();
  const size_t branches = tape.branches().size();
  const auto problem = tape.intervene(name, view_.playback.now_us);
  if (problem) return notice(scenario::describe(*problem));
  const std::optional<int64_t> until = view_.playback.until;
  after_seek();
  if (tape.branches().size() == branches) view_.playback.until = until;
  if (tape.branches().size() > branches) notice(std::string(word(Word::kForked, view_.language)));
}

void App::toggle(const std::string& key) {
  if (view_.chosen.empty()) return notice(std::string(word(Word::kChooseFirst, view_.language)));
  const OfferInput input = {document_->snapshot(), document_->scenario(),
                            document_->tape().possible()};
  for (const Offer& offer : offers_for_client(input, view_.chosen)) {
    if (offer.key != key) continue;
    if (offer.possible) return intervene(offer.name);
    const std::string_view what = word(offer.what, view_.language);
    return notice(say(Word::kNotNow, view_.language, {what}));
  }
}

std::string App::new_client_id() const {
  const auto taken = [&](const std::string& id) {
    return trace::find(document_->snapshot().clients, id) != nullptr;
  };
  for (char letter = 'A'; letter <= 'Z'; ++letter) {
    if (!taken(std::string(1, letter))) return std::string(1, letter);
  }
  int number = 1;
  while (taken("N" + std::to_string(number))) ++number;
  return "N" + std::to_string(number);
}

// ---- Looking -------------------------------------------------------------------------------------

void App::perform_look(const Command& command) {
  const auto zoom = [&](double factor) {
    const TimeRange shown = shown_range(view_.range, *document_, view_.playback.now_us);
    view_.range =
        zoomed(shown, std::clamp(view_.playback.now_us, shown.from_us, shown.to_us), factor);
  };
  const auto font = [&](float by) {
    view_.font_px = std::clamp(view_.font_px + by, kFontPxMin, kFontPxMax);
  };
  switch (command.id) {
    case CommandId::kChoose:
      view_.chosen = command.text;
      telling_ = false;
      return;
    case CommandId::kNextClient: return choose_neighbour(1);
    case CommandId::kPreviousClient: return choose_neighbour(-1);
    case CommandId::kTab: view_.tab = static_cast<Tab>(command.number); return;
    case CommandId::kLanguage:
      view_.language = view_.chinese() ? trace::Language::kEn : trace::Language::kZh;
      return;
    case CommandId::kTheme:
      view_.theme = view_.theme == scene::Theme::kDark ? scene::Theme::kLight : scene::Theme::kDark;
      return;
    case CommandId::kFontLarger: return font(2);
    case CommandId::kFontSmaller: return font(-2);
    case CommandId::kCourse: view_.course_open = !view_.course_open; return;
    case CommandId::kJava: view_.java = !view_.java; return;
    case CommandId::kUnfold: view_.unfolded = !view_.unfolded; return;
    case CommandId::kZoomIn: return zoom(0.7);
    case CommandId::kZoomOut: return zoom(1.4);
    case CommandId::kZoomAll: view_.range = {}; return;
    case CommandId::kHelp: view_.help = !view_.help; return;
    case CommandId::kClose:
      view_.help = false;
      view_.notice.clear();
      if (!view_.menu.region.empty()) view_.menu.closing = true;
      return;
    default: return;
  }
}

void App::choose_neighbour(int32_t by) {
  const auto& clients = document_->snapshot().clients;
  if (clients.empty()) return;
  auto at = clients.find(view_.chosen);
  if (at == clients.end()) {
    view_.chosen = clients.begin()->first;
    return;
  }
  if (by > 0 && ++at == clients.end()) at = clients.begin();
  if (by < 0) at = std::prev(at == clients.begin() ? clients.end() : at);
  view_.chosen = at->first;
}

// ---- The lesson ----------------------------------------------------------------------------------

void App::perform_lesson(const Command& command) {
  course::Session* session = document_->session();
  switch (command.id) {
    case CommandId::kNextBeat: return next_beat();
    case CommandId::kPreviousBeat:
      if (session == nullptr || document_->tape().run() == nullptr) return;
      view_.playback.playing = false;
      if (session->back(*document_->tape().run())) after_seek();
      return;
    case CommandId::kAnswer:
      if (session == nullptr || !session->shown().predict) return;
      if (static_cast<size_t>(command.number) < session->shown().predict->options.size()) {
        static_cast<void>(session->choose(session->beat(), static_cast<size_t>(command.number)));
      }
      return;
    case CommandId::kVariant:
      document_->play_variant(command.number < 0
                                  ? std::nullopt
                                  : std::optional<size_t>(static_cast<size_t>(command.number)));
      break;
    case CommandId::kLive: return toggle_live();
    case CommandId::kOpen: {
      const auto problems = open(command.text);
      if (!problems.empty()) notice(scenario::describe(problems.front()));
      return;
    }
    case CommandId::kRestart: document_->tape().seek(trace::kNoEvent); break;
    default: return;
  }
  view_.playback.playing = false;
  view_.range = {};
  after_seek();
}

/// The run is played to the next beat, so that one sees how it comes about; asked again meanwhile, it jumps there.
void App::next_beat() {
  course::Session* session = document_->session();
  play::Run* run = document_->tape().run();
  if (session == nullptr || run == nullptr) return perform_time({CommandId::kJumpForward});
  telling_ = true;
  Playback& playback = view_.playback;
  if (playback.until) {
    const int64_t target = *playback.until;
    playback.playing = false;
    document_->tape().seek(target);
    return after_seek();
  }
  const int64_t here = run->position();
  course::Session ahead = *session;
  if (!ahead.next(*run)) {
    run->seek(here);
    return;
  }
  const int64_t target = run->position();
  run->seek(here);
  if (target <= here) {
    run->seek(target);
    *session = ahead;
    return after_seek();
  }
  playback.playing = true;
  playback.until = target;
}

void App::toggle_live() {
  const World world = document_->world();
  if (world != World::kSimulated && world != World::kLive) return;  // It has happened already.
  view_.playback = {.speed = view_.playback.speed};
  view_.range = {};
  if (world == World::kLive) {
    document_->play_simulated();
  } else if (const auto problem = document_->play_live()) {
    return notice(say(Word::kLiveFailed, view_.language, {scenario::describe(*problem)}));
  } else {
    notice(std::string(word(Word::kLiveStarting, view_.language)));
  }
  after_seek();
}

}  // namespace lockstep::gui
