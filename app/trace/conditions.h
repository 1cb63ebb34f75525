// Conditions over snapshots: JSON Pointers looked up without making JSON.
#pragma once

#include <string>
#include <string_view>

#include "scenario/condition.h"
#include "trace/facts.h"
#include "trace/snapshot.h"

namespace lockstep::trace {

/// The value at `pointer`: "/clients/A/belief", "/clients/A/danger", "/znodes/~1locks~1a/stat/czxid",
/// "/resources/db/value", "/facts/holders", "/time_us". Enumerators are strings by their names. A pointer
/// to a whole row gives true. monostate: nothing is there (an unknown row: normal; an unknown field: see
/// known_pointer).
scenario::Value value_at(const Snapshot& snapshot, std::string_view lock_path,
                         std::string_view pointer);

/// False if no snapshot could ever have something at `pointer` (a misspelt table or field); `why` then
/// says what was expected, listing the names there.
[[nodiscard]] bool known_pointer(std::string_view pointer, std::string& why);

bool holds(const scenario::Condition& condition, const Snapshot& snapshot,
           std::string_view lock_path);

/// "41", "true", "\"holding\"", "nothing".
std::string to_text(const scenario::Value& value);

}  // namespace lockstep::trace
