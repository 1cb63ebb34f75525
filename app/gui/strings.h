// Every word of the window, in Chinese and in English: one table (strings.cpp). What stage and timeline say
// is scene's; what happened is told by trace/text.h; lessons bring their own.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "trace/text.h"

namespace lockstep::gui {

enum class Word : uint8_t {
  // Top bar.
  kSimulated, kExplored, kLiveWorld, kRecorded, kWorldTip, kStep, kStart, kFencingOn, kFencingOff, kFencingTip,
  kLanguageTip, kThemeTip, kFontTip, kCourseTip, kKeysTip,
  // Time.
  kPlay, kPausePlaying, kStepForward, kStepBack, kJumpForward, kJumpBack, kToStart, kToEnd, kFaster, kSlower,
  kSpeed, kEnded, kZoomIn, kZoomOut, kZoomAll,
  // Interventions.
  kPause, kResume, kHang, kFree, kCrash, kRestartClient, kExpire, kCut, kHeal, kRelease, kCancel, kHold, kLetGo,
  kDeliver, kCutLink, kHealLink, kRuleNone, kRuleGreater, kRuleGreaterOrEqual, kAddClient, kUndo,
  kPauseTip, kHangTip, kCrashTip, kExpireTip, kCutTip, kReleaseTip, kCancelTip, kHoldTip, kDeliverTip, kAddTip,
  kUndoTip, kNotNow, kChooseFirst, kNothingToUndo, kForked, kShowInspect, kFocus,
  // Course.
  kCourse, kMinutes, kNoLesson,
  // Tabs.
  kLesson, kCode, kInspect, kWhy, kTranscript, kHistory,
  // Lesson.
  kNext, kPrevious, kPlayThere, kPredict, kRight, kWrong, kNotYetKnown, kDecidedBy, kAnswerIs, kClaims, kClaimsNote,
  kHolds, kBroken, kOpen, kVariants, kVariantsNote, kAsItIs, kBeat, kSummary, kObjectives, kAskFirst,
  // Code.
  kPseudo, kJava, kMistake, kStandsHere, kWaitsHere, kNoLine, kCodeNote,
  // Inspect.
  kZnodes, kSessions, kWatches, kLinks, kServers, kNone, kCut_, kHeld, kOpenLink, kQuietLinks, kPersistent, kOwner,
  kWatcher, kKind, kPath, kFor, kState, kExpires, kMessages, kResource,
  // Why.
  kWhyClient, kWhyHolds, kWhyBelieves, kWhyDanger, kWhyDangerNot, kWhyBehind, kWhyWaits, kWhyBehindNode, kWhyOwnedBy, kWakes, kWakeWatch,
  kWakeRelease, kWakeExpiry, kWakeUnread, kWakeInputs, kWakePaused, kWakeNothing, kWhyIdle, kWhyEnded, kCauses, kWhyRefused,
  kWhyRefusedToken, kWhyRaised, kWhyStale, kWhyAcceptedStale, kNoRefusals, kWhyCrashed,
  // Transcript, history.
  kNow, kEvents, kOriginal, kRecording, kLeftAt, kHistoryNote, kOnlyBranch,
  // Keys.
  kKeys, kKeysTime, kKeysDo, kKeysLook, kKeysLesson, kNextClient, kPreviousClient, kToggleTheme, kToggleLanguage,
  kLarger, kSmaller, kShowTab, kAnswerKey, kCloseKey, kRestart, kUnfold,
  // Messages.
  kNoChineseFont, kLiveStarting, kYourPrediction, kLiveFailed, kEndReached, kMoreOf,
  kWords_,
};

std::string_view word(Word word, trace::Language language);

/// The word with {0} and {1} replaced.
std::string say(Word word, trace::Language language, std::initializer_list<std::string_view> values);

}  // namespace lockstep::gui
