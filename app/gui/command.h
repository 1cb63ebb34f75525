// Everything that can be asked of the window, by key, button, menu or script alike. Panels only collect
// commands; perform() in app.cpp carries them out after the frame.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::gui {

enum class CommandId : uint8_t {
  // Time.
  kPlayPause,
  kStepForward,
  kStepBack,
  kJumpForward,
  kJumpBack,
  kToStart,
  kToEnd,
  kSlower,
  kFaster,
  kSeek,      ///< number: an event's index
  kSeekTime,  ///< number: microseconds
  // Interfering.
  kIntervene,  ///< text: an intervention's name
  kToggle,     ///< text: what to do with the chosen client, by the key of its button ("P")
  kFencing,
  kAddClient,
  kUndo,
  kUndoAll,
  kBranch,  ///< number
  // Looking.
  kChoose,  ///< text: a client's id; empty: none
  kNextClient,
  kPreviousClient,
  kTab,  ///< number
  kLanguage,
  kTheme,
  kFontLarger,
  kFontSmaller,
  kCourse,
  kJava,
  kUnfold,
  kZoomIn,
  kZoomOut,
  kZoomAll,
  kHelp,
  kClose,  ///< whatever lies over the window
  // The lesson.
  kNextBeat,
  kPreviousBeat,
  kAnswer,   ///< number: an option of the beat's prediction
  kVariant,  ///< number: of the lesson's variants; -1: as it is
  kLive,     ///< on real servers, or back in the simulator
  kOpen,     ///< text: a file
  kRestart,
};

struct Command {
  CommandId id = CommandId::kPlayPause;
  std::string text = {};
  int64_t number = 0;
};

using Commands = std::vector<Command>;

}  // namespace lockstep::gui
