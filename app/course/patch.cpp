#include "course/patch.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "scenario/reading.h"

namespace lockstep::course {
namespace {

using nlohmann::json;

/// Operations could pile up what a file may not hold.
bool is_deeper(const json& value, int levels) {
  if (!value.is_structured()) return false;
  return levels == 0 || std::any_of(value.begin(), value.end(), [&](const json& child) {
           return is_deeper(child, levels - 1);
         });
}

/// Whether there is something that can have this member or element. To be asked first: the library fills
/// arrays up to any index, and asserts that parents are no numbers.
bool has_parent(const json& target, const json::json_pointer& path) {
  const json::json_pointer parent = path.parent_pointer();
  return path.empty() || (target.contains(parent) && target.at(parent).is_structured());
}

}  // namespace

std::optional<std::string> apply_patch(const json& operation, json& target) {
  const auto path = operation.at("path").get<std::string>();
  const auto op = operation.at("op").get<std::string>();
  if (op != "remove" && !operation.contains("value"))
    return "lacks \"value\", which \"" + op + "\" needs";
  const std::string nowhere = operation.at("path").dump() + " leads nowhere in the scenario";
  try {
    if (!has_parent(target, json::json_pointer(path))) return nowhere;
    json patched = target.patch(json::array({operation}));
    if (patched == target) return "changes nothing";
    target = std::move(patched);
  } catch (const json::exception&) {
    return nowhere;
  }
  if (is_deeper(target, scenario::kJsonDepthMax)) {
    return "nests the scenario deeper than " + std::to_string(scenario::kJsonDepthMax) + " levels";
  }
  return std::nullopt;
}

}  // namespace lockstep::course
