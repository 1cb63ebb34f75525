// The listing of a recipe: its program as the learner reads it, one numbered line for each step, in
// pseudo-code and with the same step in Java beside it. A machine knows on which line it stands.
#pragma once

#include <string>
#include <vector>

namespace lockstep::recipes {

struct ListingLine {
  int number = 0;      ///< stable: what a scenario names when it pauses a client "at line 9"
  std::string id;      ///< stable name of the step ("write"), for scenarios: `"at_line": "write"`
  std::string pseudo;  ///< indented pseudo-code
  std::string java;    ///< the same step with the Java client
  bool mistake = false;  ///< this line is what a mistake option has changed
};

using Listing = std::vector<ListingLine>;

}  // namespace lockstep::recipes
