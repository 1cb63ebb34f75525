// A trace as JSON Lines: the header, then one line an event, with its delta as a JSON Merge Patch of the
// snapshot. assets/trace.schema.json describes both.
#pragma once

#include <iosfwd>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "scenario/problem.h"
#include "trace/trace.h"

namespace lockstep::trace {

/// A snapshot with its facts, and each client's `danger`, as conditions see it.
nlohmann::ordered_json snapshot_to_json(const Snapshot& snapshot, std::string_view lock_path);

/// One event without its delta.
nlohmann::ordered_json event_to_json(const Event& event);

/// The same trace gives the same bytes. The first line also holds the initial snapshot.
void write_json_lines(const Trace& trace, std::ostream& out);

/// Reads what write_json_lines wrote; a problem names the line. `missing`, if given, receives how many events
/// of those that the header counts are not there.
scenario::Result<Trace> read_json_lines(std::istream& in, const std::string& file,
                                        int64_t* missing = nullptr);

}  // namespace lockstep::trace
