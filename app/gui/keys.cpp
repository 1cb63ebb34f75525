#include "gui/keys.h"

namespace lockstep::gui {
namespace {

Binding on(const char* key, CommandId id, Word what, std::string text = {}, int64_t number = 0) {
  Binding binding{
      .press = {}, .command = {.id = id, .text = std::move(text), .number = number}, .what = what};
  if (!key_named(key, binding.press)) binding.press = {};  // a test holds that every name is a key
  return binding;
}

std::vector<Binding> for_time() {
  return {on("space", CommandId::kPlayPause, Word::kPlay),
          on("right", CommandId::kStepForward, Word::kStepForward),
          on("left", CommandId::kStepBack, Word::kStepBack),
          on("shift+right", CommandId::kJumpForward, Word::kJumpForward),
          on("shift+left", CommandId::kJumpBack, Word::kJumpBack),
          on("home", CommandId::kToStart, Word::kToStart),
          on("end", CommandId::kToEnd, Word::kToEnd),
          on("]", CommandId::kFaster, Word::kFaster),
          on("[", CommandId::kSlower, Word::kSlower),
          on("shift+r", CommandId::kRestart, Word::kRestart)};
}

std::vector<Binding> for_clients() {
  return {on("p", CommandId::kToggle, Word::kPause, "P"),
          on("h", CommandId::kToggle, Word::kHang, "H"),
          on("k", CommandId::kToggle, Word::kCrash, "K"),
          on("x", CommandId::kToggle, Word::kExpire, "X"),
          on("c", CommandId::kToggle, Word::kCut, "C"),
          on("r", CommandId::kToggle, Word::kRelease, "R"),
          on("d", CommandId::kToggle, Word::kCancel, "D"),
          on("b", CommandId::kToggle, Word::kHold, "B"),
          on("v", CommandId::kToggle, Word::kDeliver, "V"),
          on("f", CommandId::kFencing, Word::kFencingTip),
          on("n", CommandId::kAddClient, Word::kAddClient),
          on("ctrl+z", CommandId::kUndo, Word::kUndo)};
}

std::vector<Binding> for_looking() {
  return {on("tab", CommandId::kNextClient, Word::kNextClient),
          on("shift+tab", CommandId::kPreviousClient, Word::kPreviousClient),
          on("f2", CommandId::kTab, Word::kLesson, {}, 0),
          on("f3", CommandId::kTab, Word::kCode, {}, 1),
          on("f4", CommandId::kTab, Word::kInspect, {}, 2),
          on("f6", CommandId::kTab, Word::kWhy, {}, 3),
          on("f7", CommandId::kTab, Word::kTranscript, {}, 4),
          on("f8", CommandId::kTab, Word::kHistory, {}, 5),
          on("l", CommandId::kLanguage, Word::kToggleLanguage),
          on("t", CommandId::kTheme, Word::kToggleTheme),
          on("equal", CommandId::kFontLarger, Word::kLarger),
          on("minus", CommandId::kFontSmaller, Word::kSmaller),
          on("s", CommandId::kCourse, Word::kCourseTip),
          on("j", CommandId::kJava, Word::kJava),
          on("u", CommandId::kUnfold, Word::kUnfold),
          on("up", CommandId::kZoomIn, Word::kZoomIn),
          on("down", CommandId::kZoomOut, Word::kZoomOut),
          on("0", CommandId::kZoomAll, Word::kZoomAll),
          on("?", CommandId::kHelp, Word::kKeysTip),
          on("escape", CommandId::kClose, Word::kCloseKey)};
}

std::vector<Binding> for_lessons() {
  return {on("pagedown", CommandId::kNextBeat, Word::kNext),
          on("enter", CommandId::kNextBeat, Word::kNext),
          on("pageup", CommandId::kPreviousBeat, Word::kPrevious),
          on("1", CommandId::kAnswer, Word::kAnswerKey, {}, 0),
          on("2", CommandId::kAnswer, Word::kAnswerKey, {}, 1),
          on("3", CommandId::kAnswer, Word::kAnswerKey, {}, 2),
          on("4", CommandId::kAnswer, Word::kAnswerKey, {}, 3),
          on("5", CommandId::kAnswer, Word::kAnswerKey, {}, 4)};
}

}  // namespace

std::vector<BindingGroup> binding_groups() {
  return {{Word::kKeysTime, for_time()},
          {Word::kKeysDo, for_clients()},
          {Word::kKeysLook, for_looking()},
          {Word::kKeysLesson, for_lessons()}};
}

Commands commands_of(const std::vector<BindingGroup>& groups,
                     const std::vector<KeyPress>& presses) {
  Commands commands;
  for (const KeyPress& press : presses) {
    for (const BindingGroup& group : groups) {
      for (const Binding& binding : group.bindings) {
        if (binding.press == press) commands.push_back(binding.command);
      }
    }
  }
  return commands;
}

}  // namespace lockstep::gui
