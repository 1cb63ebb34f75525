// What a schema cannot say about a scenario: that ids are unique, that what a step names exists, that
// bounds fit each other.
#pragma once

#include <string>
#include <vector>

#include "scenario/place.h"
#include "scenario/scenario.h"

namespace lockstep::scenario {

/// Where a client stands in the file; many may stand at one place.
struct ClientPlace {
  Place whole;
  Place id;  ///< where its id comes from
};

/// A scenario that has been read and not yet been checked.
struct Draft {
  Place place;  ///< of the whole
  Scenario scenario = {};
  std::vector<ClientPlace> client_places = {};  ///< of each client
};

/// Every problem, in the order of the file's members.
std::vector<Problem> check(const Draft& draft);

/// What is wrong with one intervention of a scenario's script or of a lesson.
std::vector<Problem> check_intervention(const Scenario& scenario, const Intervention& intervention,
                                        const Place& place);
/// What is wrong with a step's, or a beat's, line.
std::vector<Problem> check_line(const Scenario& scenario, const Step& step, const Place& place);

}  // namespace lockstep::scenario
