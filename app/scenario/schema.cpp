#include "scenario/schema.h"

#include <algorithm>
#include <map>
#include <set>

#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "scenario/reading.h"

namespace lockstep::scenario {
namespace {

using nlohmann::json;
using Documents = std::map<std::string, json>;  // schema files by name

/// A schema within its document, which its local references mean.
struct Node {
  const json* schema = nullptr;
  const json* document = nullptr;
};

/// Loads a schema file and every file that it refers to.
std::vector<Problem> load(const std::string& name, Documents& documents) {
  if (documents.count(name) > 0) return {};
  const std::string path = data_folder() + "/assets/" + name;
  const Result<std::string> text = read_file(path);
  if (!text) return text.problems();
  const Result<json> parsed = parse_json(text.value(), path);
  if (!parsed) return parsed.problems();
  const json& document = documents.emplace(name, parsed.value()).first->second;
  const json flat = document.flatten();
  for (const auto& [pointer, value] : flat.items()) {
    if (pointer.size() < 5 || pointer.substr(pointer.size() - 5) != "/$ref") continue;
    const std::string target = value.get<std::string>();
    const std::string file = target.substr(0, target.find('#'));
    if (file.empty()) continue;
    std::vector<Problem> problems = load(file, documents);
    if (!problems.empty()) return problems;
  }
  return {};
}

/// Follows $ref until there is none.
Node resolve(Node node, const Documents& documents) {
  while (node.schema->is_object() && node.schema->contains("$ref")) {
    const auto target = node.schema->at("$ref").get<std::string>();
    const size_t hash = target.find('#');
    const std::string file = target.substr(0, hash);
    if (!file.empty()) node.document = &documents.at(file);
    node.schema = hash == std::string::npos
                      ? node.document
                      : &node.document->at(json::json_pointer(target.substr(hash + 1)));
  }
  return node;
}

/// Of alternatives, the one that an object is meant to fit: the one for objects.
Node alternative_for_objects(const Node& node, const Documents& documents) {
  if (!node.schema->contains("anyOf")) return node;
  for (const json& one : node.schema->at("anyOf")) {
    const Node alternative = resolve({&one, node.document}, documents);
    if (alternative.schema->value("type", "") == "object") return alternative;
  }
  return node;
}

/// The schema of a member or element; no schema if there is none.
Node step_into(const Node& parent, const std::string& step, const Documents& documents) {
  const Node node = alternative_for_objects(parent, documents);
  const json& schema = *node.schema;
  const auto child = [&](const json& found) { return resolve({&found, node.document}, documents); };
  if (schema.contains("properties") && schema.at("properties").contains(step)) {
    return child(schema.at("properties").at(step));
  }
  if (schema.contains("additionalProperties") && schema.at("additionalProperties").is_object()) {
    return child(schema.at("additionalProperties"));
  }
  if (schema.contains("items")) return child(schema.at("items"));
  return {};
}

std::string shown(const json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "an array";
  constexpr size_t kShownMax = 40;
  std::string text = value.dump();
  if (text.size() <= kShownMax) return text;
  size_t end = kShownMax;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

std::string with_article(const std::string& type) {
  if (type == "integer" || type == "object" || type == "array") return "an " + type;
  if (type == "boolean") return "true or false";
  return "a " + type;
}

std::vector<std::string> strings_in(const json& array) {
  std::vector<std::string> strings;
  for (const json& value : array)
    strings.push_back(value.is_string() ? value.get<std::string>() : value.dump());
  return strings;
}

/// What a schema asks for, as a noun phrase.
std::string expected(const json& schema) {
  if (schema.contains("description")) return schema.at("description").get<std::string>();
  if (schema.contains("enum")) return one_of(strings_in(schema.at("enum")));
  std::string text = "something else";
  if (schema.contains("type")) {
    const json& type = schema.at("type");
    text.clear();
    for (const std::string& name : strings_in(type.is_array() ? type : json::array({type}))) {
      text += (text.empty() ? "" : " or ") + with_article(name);
    }
  }
  if (schema.contains("minLength")) text += " that is not empty";
  const bool low = schema.contains("minimum");
  const bool high = schema.contains("maximum");
  if (low) text += (high ? " from " : " of at least ") + schema.at("minimum").dump();
  if (high) text += (low ? " to " : " of at most ") + schema.at("maximum").dump();
  return text;
}

/// The members that a schema knows; empty if it takes any.
std::vector<std::string> known_members(const json& schema) {
  std::vector<std::string> known;
  if (schema.value("additionalProperties", json(true)) != json(false)) return known;
  const json properties = schema.value("properties", json::object());
  for (const auto& [name, ignored] : properties.items()) known.push_back(name);
  return known;
}

/// One complaint a fault: a misspelt key is not also a missing one, and of many strangers the first is told.
std::vector<Problem> explain_object(const json& value, const json& schema, const Place& place) {
  std::vector<Problem> problems;
  const std::vector<std::string> known = known_members(schema);
  std::set<std::string> misspelt;
  std::vector<std::string> strangers;
  for (const auto& [name, ignored] : value.items()) {
    if (known.empty() || std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string meant = nearest(name, known);
    if (meant.empty()) strangers.push_back(name);
    if (meant.empty() || !misspelt.insert(meant).second) continue;
    problems.push_back(place.at(name).problem("unknown key; did you mean \"" + meant + "\"?"));
  }
  if (!strangers.empty()) {
    const size_t more = strangers.size() - 1;
    const std::string others = more == 0 ? "" : " (and " + std::to_string(more) + " more)";
    problems.push_back(place.at(strangers.front())
                           .problem("unknown key" + others + "; known here: " + one_of(known)));
  }
  for (const std::string& name : strings_in(schema.value("required", json::array()))) {
    if (value.contains(name) || misspelt.count(name) > 0) continue;
    const std::string what = schema.at("properties").at(name).value("description", "");
    problems.push_back(place.problem("lacks \"" + name + "\"" + (what.empty() ? "" : ": " + what)));
  }
  return problems;
}

/// Says what is wrong with `value` itself; what is wrong within it is reported at its own place.
std::vector<Problem> explain(const json& value, const json& schema, const Place& place) {
  std::vector<Problem> problems;
  const json type = schema.value("type", json());
  if (value.is_object() && type == "object") problems = explain_object(value, schema, place);
  const size_t most = schema.value("maxItems", SIZE_MAX);
  if (value.is_array() && value.size() > most) {
    problems.push_back(place.problem("has " + std::to_string(value.size()) +
                                     " elements; expected at most " + std::to_string(most)));
  }
  if (problems.empty()) {
    problems.push_back(place.problem("is " +
                                     (value.is_array() && value.empty() ? "empty" : shown(value)) +
                                     "; expected " + expected(schema)));
  }
  return problems;
}

/// The steps of a place as valijson tells it: "<root>", "[clients]", "[0]".
std::vector<std::string> steps_of(const std::vector<std::string>& context) {
  std::vector<std::string> steps;
  for (size_t i = 1; i < context.size(); ++i) {
    steps.push_back(context[i].substr(1, context[i].size() - 2));
  }
  return steps;
}

/// True for what valijson says about a value only because something within it is wrong.
bool is_echo(const std::string& description) {
  return description.rfind("Failed to validate against schema associated", 0) == 0 ||
         description.rfind("Failed to validate item #", 0) == 0 ||
         description.rfind("Failed to validate against additional properties", 0) == 0;
}

std::vector<Problem> explain_all(const valijson::ValidationResults& results, const json& value,
                                 const Node& root, const Documents& documents, const Place& place) {
  std::vector<Problem> problems;
  std::set<std::vector<std::string>> seen;
  for (const valijson::ValidationResults::Error& error : results) {
    const std::vector<std::string> steps = steps_of(error.context);
    if (is_echo(error.description) || !seen.insert(steps).second) continue;
    const json* at = &value;
    Node node = root;
    Place there = place;
    for (const std::string& step : steps) {
      at = at->is_array() ? &at->at(std::stoul(step)) : &at->at(step);
      if (node.schema != nullptr) node = step_into(node, step, documents);
      there = there.at(step);
    }
    if (node.schema == nullptr) {
      problems.push_back(there.problem(error.description));
      continue;
    }
    // What is wrong within an object that may stand there is told at its own place.
    const bool alternative = at->is_object() && node.schema->contains("anyOf");
    const json& schema = *(alternative ? alternative_for_objects(node, documents) : node).schema;
    for (Problem& problem : alternative ? explain_object(*at, schema, there) : explain(*at, schema, there))
      problems.push_back(std::move(problem));
  }
  return problems;
}

}  // namespace

std::vector<Problem> check_against_schema(const json& value, const std::string& schema_file,
                                          const Place& place) {
  Documents documents;
  std::vector<Problem> problems = load(schema_file, documents);
  if (!problems.empty()) return problems;
  const json& document = documents.at(schema_file);
  valijson::ValidationResults results;
  try {  // valijson throws for a schema that it cannot use.
    valijson::Schema schema;
    valijson::SchemaParser parser;
    const auto fetch = [&](const std::string& uri) -> const json* {
      const auto found = documents.find(uri);
      return found == documents.end() ? nullptr : &found->second;
    };
    parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(document), schema, fetch,
                          [](const json*) {});
    valijson::Validator validator;
    if (validator.validate(schema, valijson::adapters::NlohmannJsonAdapter(value), &results))
      return {};
    problems =
        explain_all(results, value, resolve({&document, &document}, documents), documents, place);
  } catch (const std::exception& error) {
    return {
        {"assets/" + schema_file, "", std::string("this schema cannot be used: ") + error.what()}};
  }
  if (problems.empty()) problems.push_back(place.problem("does not fit assets/" + schema_file));
  return problems;
}

}  // namespace lockstep::scenario
