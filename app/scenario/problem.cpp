#include "scenario/problem.h"

#include "scenario/place.h"

namespace lockstep::scenario {

std::string describe(const Problem& problem) {
  std::string where = problem.file;
  if (!problem.pointer.empty()) where += "#" + problem.pointer;
  return where.empty() ? problem.message : where + ": " + problem.message;
}

std::string pointer_step(const std::string& key) {
  std::string step;
  for (const char c : key) {
    if (c == '~') {
      step += "~0";
    } else if (c == '/') {
      step += "~1";
    } else {
      step += c;
    }
  }
  return step;
}

Place Place::at(const std::string& key) const { return {file, pointer + "/" + pointer_step(key)}; }

}  // namespace lockstep::scenario
