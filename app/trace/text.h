// A trace told in sentences, in Chinese and in English: one line an event, nothing that colour or
// position alone would say.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "trace/trace.h"

namespace lockstep::trace {

enum class Language : uint8_t { kZh, kEn };

/// "A's session expired on zk1; its node lock-0000000000 is deleted." Names of ZooKeeper stay as they are.
std::string sentence(const Event& event, Language language);

/// "8.004 s": seconds with milliseconds.
std::string time_text(TimeUs time_us);

/// A node's name as a person reads it: without its GUID ("lock-0000000041").
std::string short_name(std::string_view path_or_name);

/// "0x101": a token or zxid as it is shown everywhere.
std::string token_text(int64_t token);

/// Every event: its step, counted from 1 as the window does, time, lane, sentence.
void write_text(const Trace& trace, Language language, std::ostream& out);

/// One snapshot as a transcript: belief, truth, ledger; everything that the stage shows.
std::string transcript(const Snapshot& snapshot, std::string_view lock_path, Language language);

}  // namespace lockstep::trace
