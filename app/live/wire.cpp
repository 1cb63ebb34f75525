#include "live/wire.h"

#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "recipes/fields.h"
#include "scenario/reading.h"

namespace lockstep::live {
namespace {

using nlohmann::json;

template <class T>
json to_json_of(const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return static_cast<int>(value);
  } else if constexpr (Described<const T>) {
    json object = json::object();
    const T usual;
    std::vector<json> defaults;
    T::each_field(usual,
                  [&](const char*, const auto& field) { defaults.push_back(to_json_of(field)); });
    size_t next = 0;
    T::each_field(value, [&](const char* name, const auto& field) {
      json one = to_json_of(field);
      if (one != defaults[next++]) object[name] = std::move(one);
    });
    return object;
  } else {
    return value;
  }
}

template <class T>
bool from_json_of(const json& source, T& value) {
  if constexpr (std::is_enum_v<T>) {
    if (!source.is_number_integer()) return false;
    value = static_cast<T>(source.get<int>());
    return true;
  } else if constexpr (Described<const T>) {
    if (!source.is_object()) return false;
    bool ok = true;
    T::each_field(value, [&](const char* name, auto& field) {
      const auto found = source.find(name);
      if (found != source.end()) ok = from_json_of(*found, field) && ok;
    });
    return ok;
  } else if constexpr (std::is_same_v<T, bool>) {
    if (source.is_boolean()) value = source.get<bool>();
    return source.is_boolean();
  } else if constexpr (std::is_integral_v<T>) {
    if (source.is_number_integer()) value = source.get<T>();
    return source.is_number_integer();
  } else {
    if (source.is_string()) value = source.get<std::string>();
    return source.is_string();
  }
}

/// Bytes that are no UTF-8 (a node's name can hold any) are replaced rather than refused.
std::string dumped(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

template <class T>
bool parsed(const std::string& line, T& value) {
  const json source = json::parse(line, nullptr, false);
  return !source.is_discarded() && from_json_of(source, value);
}

}  // namespace

std::string to_line(const ClientReport& report) { return dumped(to_json_of(report)); }
std::string to_line(const WriteRequest& request) { return dumped(to_json_of(request)); }
std::string to_line(const WriteAnswer& answer) { return dumped(to_json_of(answer)); }
std::string to_line(const Judgement& judgement) { return dumped(to_json_of(judgement)); }
std::string to_line(const ResourceBegin& begin) { return dumped(to_json_of(begin)); }
std::string to_line(const RuleOrder& order) { return dumped(to_json_of(order)); }
std::string to_line(const ClientOrder& order) { return dumped(to_json_of(order)); }

std::string to_line(const ClientOrder& order, const scenario::Scenario& scenario) {
  json object = to_json_of(order);
  object["scenario"] = scenario::scenario_to_json(scenario);
  return dumped(object);
}

bool from_line(const std::string& line, ClientReport& report) { return parsed(line, report); }
bool from_line(const std::string& line, WriteRequest& request) { return parsed(line, request); }
bool from_line(const std::string& line, WriteAnswer& answer) { return parsed(line, answer); }
bool from_line(const std::string& line, Judgement& judgement) { return parsed(line, judgement); }
bool from_line(const std::string& line, ResourceBegin& begin) { return parsed(line, begin); }
bool from_line(const std::string& line, RuleOrder& order) { return parsed(line, order); }
bool from_line(const std::string& line, ClientOrder& order) { return parsed(line, order); }

scenario::Result<scenario::Scenario> scenario_in(const std::string& line) {
  const json source = json::parse(line, nullptr, false);
  if (!source.is_object() || !source.contains("scenario")) {
    return scenario::Problem{"standard input", "",
                             "expected a JSON object with a scenario to begin with"};
  }
  return scenario::scenario_from_json(source["scenario"], "standard input", "/scenario");
}

std::string first_line() {
  std::string line;
  char byte = 0;
  while (read(STDIN_FILENO, &byte, 1) == 1 && byte != '\n') line += byte;
  return line;
}

std::string to_hex(const std::string& bytes) {
  std::string hex;
  for (const char c : bytes) {
    hex += "0123456789abcdef"[static_cast<unsigned char>(c) >> 4];
    hex += "0123456789abcdef"[static_cast<unsigned char>(c) & 15];
  }
  return hex;
}

std::string from_hex(const std::string& hex) {
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(std::strtol(hex.substr(i, 2).c_str(), nullptr, 16));
  }
  return bytes;
}

bool LineBuffer::take(std::string& line) {
  const size_t end = bytes_.find('\n', from_);
  if (end == std::string::npos) {
    bytes_.erase(0, from_);
    from_ = 0;
    return false;
  }
  line.assign(bytes_, from_, end - from_);
  from_ = end + 1;
  return true;
}

}  // namespace lockstep::live
