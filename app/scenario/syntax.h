// What is wrong with a text that is no JSON, in the words of somebody who has to mend it.
#pragma once

#include <string>

namespace lockstep::scenario {

/// Where a parser gave up, and what it said.
struct SyntaxError {
  const std::string& text;
  size_t taken = 0;  ///< bytes that it had read, the last of them the one that it did not like
  std::string said;  ///< nlohmann::json's own message
};

/// "line 3, column 7: a comma stands before this ], remove it".
std::string explain(const SyntaxError& error);

/// "line 3, column 7" of the byte before `taken`, both from 1; columns count characters, not bytes.
std::string line_and_column(const std::string& text, size_t taken);

}  // namespace lockstep::scenario
