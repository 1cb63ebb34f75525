#include <nlohmann/json.hpp>

#include "scenario/names.h"
#include "scenario/reading.h"
#include "scenario/schema.h"

namespace lockstep::scenario {
namespace {

using nlohmann::json;

/// RFC 6901: steps that each begin with "/", with "~" only as "~0" or "~1".
bool is_pointer(const std::string& text) {
  if (text.empty() || text[0] != '/') return false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '~' && (i + 1 == text.size() || (text[i + 1] != '0' && text[i + 1] != '1')))
      return false;
  }
  return true;
}

std::optional<Value> operand_of(const json& value) {
  if (value.is_null()) return Value{};
  if (value.is_boolean()) return Value{value.get<bool>()};
  if (value.is_number_integer()) return Value{value.get<int64_t>()};
  if (value.is_string()) return Value{value.get<std::string>()};
  return {};
}

json json_of(const Value& value) {
  return std::visit(overloaded{[](std::monostate) { return json(nullptr); },
                               [](const auto& plain) { return json(plain); }},
                    value);
}

Problem wrong_operand(const Place& place, Test test) {
  switch (test) {
    case Test::kMin:
    case Test::kMax: return place.problem("expected a whole number");
    case Test::kSameAs:
      return place.problem("expected a JSON Pointer, such as \"/clients/A/token\"");
    case Test::kIs:
    case Test::kNot: break;
  }
  return place.problem("expected a whole number, a string, true, false or null");
}

bool fits(const Value& operand, Test test) {
  switch (test) {
    case Test::kMin:
    case Test::kMax: return std::holds_alternative<int64_t>(operand);
    case Test::kSameAs:
      return std::holds_alternative<std::string>(operand) &&
             is_pointer(std::get<std::string>(operand));
    case Test::kIs:
    case Test::kNot: return true;
  }
  return false;
}

}  // namespace

Result<Condition> condition_from_json(const json& value, const std::string& file,
                                      const std::string& pointer) {
  const Place place{file, pointer};
  constexpr const char* kShape =
      "expected one test beside \"at\": \"is\", \"not\", \"min\", \"max\" or \"same_as\"";
  if (!value.is_object() || !value.contains("at") || !value.at("at").is_string()) {
    return place.problem("expected a condition, such as {\"at\": \"/facts/holders\", \"max\": 1}");
  }
  Condition condition;
  condition.at = value.at("at").get<std::string>();
  if (!is_pointer(condition.at)) {
    return place.at("at").problem("\"" + condition.at +
                                  "\" is no JSON Pointer; expected one such as \"/facts/holders\"");
  }
  int tests = 0;
  for (const auto& [key, operand] : value.items()) {
    if (key == "at") continue;
    if (!value_of(kTests, key, condition.test))
      return place.at(key).problem(std::string("unknown key; ") + kShape);
    const std::optional<Value> read = operand_of(operand);
    if (!read || !fits(*read, condition.test)) return wrong_operand(place.at(key), condition.test);
    condition.operand = *read;
    ++tests;
  }
  if (tests != 1) return place.problem("has " + std::to_string(tests) + " tests; " + kShape);
  return condition;
}

json condition_to_json(const Condition& condition) {
  return {{"at", condition.at}, {word_for(kTests, condition.test), json_of(condition.operand)}};
}

}  // namespace lockstep::scenario
