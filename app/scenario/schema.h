// Checking JSON against the schemas in assets/, with complaints that somebody can act on: where, what
// stands there, what was expected, and for a misspelt key the one that was probably meant.
//
// The schemas are draft-07 and use a plain part of it: type, properties, required, additionalProperties,
// items, enum, pattern, bounds, and $ref to a definition of the same file or of another file in assets/.
// A definition's `description` is a noun phrase: complaints say "expected " and then that.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "scenario/place.h"

namespace lockstep::scenario {

/// Every breach of assets/`schema_file`, in the order of the places; empty: it fits.
std::vector<Problem> check_against_schema(const nlohmann::json& value,
                                          const std::string& schema_file, const Place& place);

/// The name in `known` that `name` was probably meant to be; empty if none is near.
std::string nearest(const std::string& name, const std::vector<std::string>& known);

/// "a", "b" or "c".
std::string one_of(const std::vector<std::string>& names);
/// The same; only the first few of many.
std::string some_of(std::vector<std::string> names);

}  // namespace lockstep::scenario
