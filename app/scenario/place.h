// Where something stands in a file: what every complaint about the file begins with.
#pragma once

#include <string>

#include "scenario/problem.h"

namespace lockstep::scenario {

struct Place {
  std::string file;
  std::string pointer;  ///< JSON Pointer (RFC 6901); empty: the whole file

  /// The member `key`, or the element `index`, of what stands here.
  Place at(const std::string& key) const;
  Place at(size_t index) const { return {file, pointer + "/" + std::to_string(index)}; }
  /// What stands at `tail`, a JSON Pointer seen from here.
  Place below(const std::string& tail) const { return {file, pointer + tail}; }

  Problem problem(std::string message) const { return {file, pointer, std::move(message)}; }
};

/// `key` with "~" and "/" escaped, as one step of a JSON Pointer.
std::string pointer_step(const std::string& key);

}  // namespace lockstep::scenario
