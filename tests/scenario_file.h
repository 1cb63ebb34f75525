// Scenarios that are kept in files, for the tests that play them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "catch.h"
#include "scenario/reading.h"

namespace lockstep {

/// tests/FOLDER/NAME.json
inline std::string kept_file(const std::string& folder, const std::string& name) {
  return scenario::data_folder() + "/tests/" + folder + "/" + name + ".json";
}

/// The scenario in that file; fails the test if it cannot be read.
inline scenario::Scenario kept_scenario(const std::string& folder, const std::string& name) {
  const std::string path = kept_file(folder, name);
  const auto text = scenario::read_file(path);
  if (!text) FAIL(scenario::describe(text.problems().front()));
  const auto json = scenario::parse_json(text.value(), path);
  if (!json) FAIL(scenario::describe(json.problems().front()));
  auto scenario = scenario::scenario_from_json(json.value(), path, "");
  if (!scenario) FAIL(scenario::describe(scenario.problems().front()));
  return std::move(scenario.value());
}

inline scenario::Scenario measured_scenario(const std::string& name) { return kept_scenario("measured", name); }

}  // namespace lockstep
