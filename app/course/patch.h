// One operation of a JSON Patch (RFC 6902): "add", "remove" or "replace".
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace lockstep::course {

/// Applies `operation`, whose members the schema has checked. Else says why it cannot be, as a sentence's end;
/// `target` is then of no use. An operation that changes nothing is refused too.
std::optional<std::string> apply_patch(const nlohmann::json& operation, nlohmann::json& target);

}  // namespace lockstep::course
