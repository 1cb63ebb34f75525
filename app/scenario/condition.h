// A condition over a snapshot: a JSON Pointer, and what is expected of the value there. There is no
// expression language on purpose; what needs computing is a fact, computed in C++.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace lockstep::scenario {

/// A value that a snapshot can hold at a pointer.
using Value = std::variant<std::monostate, bool, int64_t, std::string>;

enum class Test : uint8_t {
  kIs,
  kNot,
  kMin,     ///< the value is a number, and at least this
  kMax,     ///< the value is a number, and at most this
  kSameAs,  ///< `operand` is a string: the pointer of another value, equal to this one
};

struct Condition {
  std::string at;  ///< JSON Pointer into the snapshot ("/clients/A/belief")
  Test test = Test::kIs;
  Value operand;

  bool operator==(const Condition&) const = default;
};

}  // namespace lockstep::scenario
