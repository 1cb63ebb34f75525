// The table of sentences: what an event is called in Chinese and in English.
#pragma once

#include <span>
#include <string_view>

#include "trace/event.h"

namespace lockstep::trace {

/// One way to tell a kind of event.
///
/// `{lane}`, `{path}` ... stand for the event's members; a group in [brackets] is left out if a member in
/// it has nothing to say. `{path}` is a queue's node by its short name, any other by its path, `{rest}` is what follows the first word of `what`, `{seconds}` the value as a
/// time, `{stale}` says nothing itself but is only there in a stale write.
struct SentenceForm {
  EventKind kind = EventKind::kStarted;
  std::string_view
      what;  ///< only for events whose `what`, or its first word, is this; empty: for all
  std::string_view zh;
  std::string_view en;
};

/// All of them, for whoever wants to know beforehand which characters may come.
std::span<const SentenceForm> sentence_forms();

/// The first form that fits; every kind has one without `what`.
const SentenceForm& form_of(const Event& event);

}  // namespace lockstep::trace
