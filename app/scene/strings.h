// Every word of the stage and the timeline, in Chinese and English: one table (strings.cpp), so that
// nothing is said in one language only. ZooKeeper's own words (czxid, NodeDeleted) stay as they are.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "trace/text.h"

namespace lockstep::scene {

enum class Word : uint8_t {
  // Bands.
  kBelief,
  kBeliefNote,
  kTruth,
  kTruthNote,
  kLedger,
  kLedgerNote,
  // A process.
  kNotStarted,
  kRunning,
  kResumed,  ///< running again since {0}
  kPaused,   ///< {0}: for how long
  kHung,
  kCrashed,
  kUnread,  ///< {0} packets not read
  kInputs,  ///< {0} events the application has not looked at
  // Its connection.
  kNoConnection,
  kConnecting,
  kFirstConnecting,
  kConnected,
  kSessionExpired,
  kClosed,
  // What it believes, as it would say it.
  kSaysIdle,
  kSaysAcquiring,
  kSaysWaiting,  ///< {0}: behind whom
  kSaysQueued,   ///< waiting, nobody knows behind whom
  kSaysHolding,  ///< {0}: token
  kSaysHoldingBriefly,
  kSaysSuspended,
  kSaysReleasing,
  kSaysReleased,
  kSaysLost,
  kSaysTimedOut,
  kSaysCancelled,
  kSaysFailed,
  kSaysNothing,
  kQuote,  ///< {0} in quotation marks
  // How that stands to the truth.
  kAgrees,
  kBehind,
  kDangerous,
  kDangerousBriefly,
  kLine,         ///< it has begun: {0}: number, {1}: name
  kLineBriefly,  ///< {0}: number
  kNextLine,     ///< it is about to run
  kToken,        ///< {0}
  // Truth.
  kChildren,  ///< {0}: how many
  kHolder,
  kPlace,        ///< {0}: place in the queue
  kWaitsBehind,  ///< {0}: place of the node that it watches
  kCzxid,        ///< {0}
  kWatches,
  kWatchesChildren,
  kGoneExpired,
  kGoneClosed,
  kGoneDeleted,
  kNoNode,
  kMoreNodes,  ///< {0}
  kSession,    ///< {0}: id
  kNoSession,
  kRemaining,  ///< {0} of {1}
  kRemainingTip,
  kOverdue,
  kNoLeaderCounts,
  kExpiredAt,  ///< {0}
  kClosedAt,   ///< {0}
  kServerUp,
  kServerDown,
  kStandalone,
  kLooking,
  kFollowing,
  kLeading,
  kObserving,
  kZxid,  ///< {0}
  kEpoch,  ///< {0}
  kVotesFor,  ///< {0}
  kNotServing,
  kServerPaused,
  kZxidsBehind,  ///< {0}: how many transactions
  kEpochsBehind,
  kNotCommitted,  ///< {0}: how many proposals
  kQuorum,  ///< {0} of {1}; {2}: who leads
  kNoQuorum,
  kCutOff,
  kOn,  ///< {0}: a server
  kCut,
  kHeld,
  kStrangers,  ///< {0} nodes of others
  // Folding.
  kMoreClients,    ///< {0}
  kMoreDangerous,  ///< {0}
  kMoreWaiting,    ///< {0}
  // Ledger.
  kNumber,
  kWho,
  kTokenHead,
  kWrite,
  kVerdict,
  kAccepted,
  kAcceptedStale,
  kRefused,  ///< {0}: token, {1}: highest before
  kRefusedEqual,
  kRefusedNoToken,
  kEarlierRows,  ///< {0}
  kNothingYet,
  kTokenMax,  ///< {0}
  kNone,
  kValue,  ///< {0}: label, {1}: value
  kRule,   ///< {0}
  kRuleNone,
  kRuleGreater,
  kRuleGreaterOrEqual,
  kToResource,    ///< {0}: the resource
  kMoreMessages,  ///< {0}
  kMoreBlocked,   ///< {0}
  // Timeline.
  kServers,
  kMarkAcquired,
  kMarkLost,
  kMarkExpired,  ///< {0}: of whom
  kMarkReleased,
  kMarkAccepted,
  kMarkAcceptedStale,
  kMarkRefused,
  kMarkSuspended,
  kMarkTold,
  kMarkTimedOut,
  kMarkCancelled,
  kMarkFailed,
  kSpanCrashed,
  kSpanHolding,
  kSpanDangerous,
  kSpanOwned,     ///< {0}: by whom
  kSeconds,       ///< {0}
  kMilliseconds,  ///< {0}
  kMicroseconds,  ///< {0}
  kStep,          ///< {0} of {1}
  kWords_,
};

std::string_view word(Word word, trace::Language language);

/// Of every "[one|many]" the side that fits: texts that count things need both.
std::string counted(std::string_view text, bool one);

/// The word with {0} and {1} replaced; if it counts, {0} is how many.
std::string say(Word word, trace::Language language,
                std::initializer_list<std::string_view> values);

/// Every word in both languages, one after the other: for whoever must know which glyphs are needed.
std::string all_words();

/// "3.2 s": a time span as the stage shows it, with one digit (two below a second).
std::string span_text(TimeUs span_us, trace::Language language);

}  // namespace lockstep::scene
