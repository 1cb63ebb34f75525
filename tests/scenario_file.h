// Scenarios that are kept in files, for the tests that play them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "catch.h"
#include "scenario/reading.h"

namespace lockstep {

/// The scenario of tests/measured/NAME.json; fails the test if it cannot be read.
inline scenario::Scenario measured_scenario(const std::string& name) {
  const std::string path = scenario::data_folder() + "/tests/measured/" + name + ".json";
  const auto text = scenario::read_file(path);
  if (!text) FAIL(scenario::describe(text.problems().front()));
  const auto json = scenario::parse_json(text.value(), path);
  if (!json) FAIL(scenario::describe(json.problems().front()));
  auto scenario = scenario::scenario_from_json(json.value(), path, "");
  if (!scenario) FAIL(scenario::describe(scenario.problems().front()));
  return std::move(scenario.value());
}

}  // namespace lockstep
