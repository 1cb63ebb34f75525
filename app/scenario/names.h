// The words that scenario files use for enumerators, each written once, for reading and for writing.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "scenario/scenario.h"

namespace lockstep::scenario {

template <class E>
struct Word {
  E value = {};
  std::string_view text;
};

inline constexpr std::array kWatchTargets = {
    Word<recipes::WatchTarget>{recipes::WatchTarget::kPredecessor, "predecessor"},
    Word<recipes::WatchTarget>{recipes::WatchTarget::kSmallest, "smallest"},
    Word<recipes::WatchTarget>{recipes::WatchTarget::kChildren, "children"},
};
inline constexpr std::array kVanishedPredecessors = {
    Word<recipes::VanishedPredecessor>{recipes::VanishedPredecessor::kLookAgain, "look_again"},
    Word<recipes::VanishedPredecessor>{recipes::VanishedPredecessor::kTakeForLock, "take_for_lock"},
    Word<recipes::VanishedPredecessor>{recipes::VanishedPredecessor::kIgnore, "ignore"},
};
inline constexpr std::array kTokenSources = {
    Word<recipes::TokenSource>{recipes::TokenSource::kCzxid, "czxid"},
    Word<recipes::TokenSource>{recipes::TokenSource::kSequence, "sequence"},
    Word<recipes::TokenSource>{recipes::TokenSource::kUuid, "uuid"},
    Word<recipes::TokenSource>{recipes::TokenSource::kClock, "clock"},
};
inline constexpr std::array kLostCreateReplies = {
    Word<recipes::LostCreateReply>{recipes::LostCreateReply::kFindOwn, "find_own"},
    Word<recipes::LostCreateReply>{recipes::LostCreateReply::kCreateAgain, "create_again"},
};
inline constexpr std::array kQueueOrders = {
    Word<recipes::QueueOrder>{recipes::QueueOrder::kNumber, "number"},
    Word<recipes::QueueOrder>{recipes::QueueOrder::kWholeName, "whole_name"},
};
inline constexpr std::array kAfterReconnect = {
    Word<recipes::AfterReconnect>{recipes::AfterReconnect::kLookAgain, "look_again"},
    Word<recipes::AfterReconnect>{recipes::AfterReconnect::kBelieve, "believe"},
};
inline constexpr std::array kReleasedNodes = {
    Word<recipes::ReleasedNode>{recipes::ReleasedNode::kOwn, "own"},
    Word<recipes::ReleasedNode>{recipes::ReleasedNode::kSmallest, "smallest"},
};
inline constexpr std::array kAfterExpiry = {
    Word<recipes::AfterExpiry>{recipes::AfterExpiry::kStop, "stop"},
    Word<recipes::AfterExpiry>{recipes::AfterExpiry::kRequeue, "requeue"},
};
inline constexpr std::array kProfiles = {
    Word<Profile>{Profile::kC, "c"},
    Word<Profile>{Profile::kJava, "java"},
};
inline constexpr std::array kRules = {
    Word<RegisterRule>{RegisterRule::kNone, "none"},
    Word<RegisterRule>{RegisterRule::kGreater, "greater"},
    Word<RegisterRule>{RegisterRule::kGreaterOrEqual, "greater_or_equal"},
};
inline constexpr std::array kSequenceOverflows = {
    Word<SequenceOverflow>{SequenceOverflow::kSticks, "sticks"},
    Word<SequenceOverflow>{SequenceOverflow::kAsDocumented, "as_documented"},
};
inline constexpr std::array kTests = {
    Word<Test>{Test::kIs, "is"},          Word<Test>{Test::kNot, "not"},
    Word<Test>{Test::kMin, "min"},        Word<Test>{Test::kMax, "max"},
    Word<Test>{Test::kSameAs, "same_as"},
};

template <class E, size_t N>
std::string word_for(const std::array<Word<E>, N>& words, E value) {
  for (const Word<E>& word : words) {
    if (word.value == value) return std::string(word.text);
  }
  return {};
}

/// False, and `value` untouched, if there is no such word.
template <class E, size_t N>
[[nodiscard]] bool value_of(const std::array<Word<E>, N>& words, std::string_view text, E& value) {
  for (const Word<E>& word : words) {
    if (word.text != text) continue;
    value = word.value;
    return true;
  }
  return false;
}

}  // namespace lockstep::scenario
