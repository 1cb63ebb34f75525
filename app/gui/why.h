// Why a client stands where it stands, and why a write was refused: worked out from the snapshot and the trace's
// causes, as plain rows, before anything is drawn.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gui/strings.h"
#include "trace/trace.h"

namespace lockstep::gui {

/// A sentence, and the event that it can be checked against (kNoEvent: none).
struct Reason {
  std::string text;
  int64_t event = trace::kNoEvent;
  enum class Tone : uint8_t { kPlain, kGood, kWarn, kDanger } tone = Tone::kPlain;
};

struct WhyClient {
  std::string client;
  std::vector<Reason> state;   ///< what it believes and how that stands to the truth
  std::vector<Reason> wakes;   ///< while it waits: what would wake it
  std::vector<Reason> causes;  ///< the chain of causes behind its last event, the last first
};

struct WhyWrite {
  std::string title;
  std::vector<Reason> reasons;
};

struct Why {
  std::vector<WhyClient> clients;
  std::vector<WhyWrite> writes;  ///< refused, or stale and accepted; the last first
};

struct WhyInput {
  const trace::Trace& trace;
  const trace::Snapshot& snapshot;
  int64_t position = trace::kNoEvent;
  trace::Language language = trace::Language::kZh;
  std::string chosen = {};  ///< told first; the others only if they wait or are in danger
};

Why why_of(const WhyInput& input);

}  // namespace lockstep::gui
