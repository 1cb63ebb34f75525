// Why a run has come to its end, and its words in both languages. A trace's last event may say so too: its
// `what` is then the name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "trace/text.h"

namespace lockstep::trace {

enum class EndKind : uint8_t {
  kNotYet,
  kDone,
  kTimeUp,
  kNothingLeft,
  kTooMuch,        ///< more events than are kept
  kStepsLeft,      ///< all have ended, but not the script
  kRecordingEnds,  ///< nobody knows why
  kStopped,
  kFailed,
};

struct Ending {
  EndKind kind = EndKind::kNotYet;
  int64_t step = 0;  ///< of kTimeUp: the script's step, from 1, that never came to pass; 0: none

  bool operator==(const Ending&) const = default;
};

/// "done": as the events of traces say it.
std::string_view name_of(EndKind kind);

/// "everybody is done"; empty if it has not ended.
std::string words_of(const Ending& ending, Language language);
/// The words for what an event says (a name, or a name and more behind "; "); what is no name stays as it is.
std::string words_of_end(const std::string& what, Language language);

}  // namespace lockstep::trace
