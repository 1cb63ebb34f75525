// Scenarios as JSON: reading with errors that point to the place, and writing back.
#pragma once

#include <fstream>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "scenario/problem.h"
#include "scenario/scenario.h"

namespace lockstep::scenario {

/// Limits on what a file may hold; beyond them reading refuses, naming the limit.
constexpr size_t kFileBytesMax = 256u << 20;
constexpr size_t kJsonBytesMax = 32u << 20;  ///< of one JSON value: a file, or a line of a trace
constexpr int kJsonDepthMax = 64;
constexpr int kClientsMax = 10000;

/// A file to read (binary mode), or why it cannot be read (missing, a directory, no permission).
Result<std::ifstream> open_input(const std::string& path);
/// What is left to read of it, unless that is too much.
Result<std::string> read_to_end(std::istream& in, const std::string& path);
/// The whole file.
Result<std::string> read_file(const std::string& path);

/// Parses JSON: UTF-8 checked, size and depth bounded, duplicate keys and control characters refused;
/// errors name line and column.
Result<nlohmann::json> parse_json(const std::string& text, const std::string& file);

/// Reads a scenario out of `json`, whose place in `file` is `pointer` ("" or "/scenario"). Checked against
/// assets/scenario.schema.json first, then for what a schema cannot say (unique ids, lines that exist).
Result<Scenario> scenario_from_json(const nlohmann::json& json, const std::string& file,
                                    const std::string& pointer);

/// Writes every member; reading it back gives an equal scenario.
nlohmann::json scenario_to_json(const Scenario& scenario);

Result<Condition> condition_from_json(const nlohmann::json& json, const std::string& file,
                                      const std::string& pointer);
nlohmann::json condition_to_json(const Condition& condition);

/// The folder that holds `assets/` and `lessons/`: beside the binary, or the source tree it was built from.
std::string data_folder();

}  // namespace lockstep::scenario
