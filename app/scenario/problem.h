// A problem that somebody can act on: what is wrong, where, what was expected, what to do.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace lockstep::scenario {

/// Whose turn it is: the input must change, or the machine lacks something. Decides the exit code.
enum class ProblemKind : uint8_t {
  kInput,        ///< bad usage or bad input: exit code 2
  kEnvironment,  ///< no server, no display, no room: exit code 3
};

struct Problem {
  std::string file;     ///< the file, or what stands for it ("--seed"); may be empty
  std::string pointer;  ///< JSON Pointer of the place in it; empty: the whole
  std::string message;  ///< what is wrong, what was expected, what to do; a sentence
  ProblemKind kind = ProblemKind::kInput;

  bool operator==(const Problem&) const = default;
};

/// "lessons/L18.json#/scenario/clients/0/id: ...", on one line, whatever the file holds.
std::string describe(const Problem& problem);

/// A value, or why there is none. Never both, and a value is never half-loaded.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}
  Result(Problem problem) : state_(std::vector<Problem>{std::move(problem)}) {}
  Result(std::vector<Problem> problems) : state_(std::move(problems)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() { return std::get<0>(state_); }
  const T& value() const { return std::get<0>(state_); }
  const std::vector<Problem>& problems() const { return std::get<1>(state_); }

 private:
  std::variant<T, std::vector<Problem>> state_;
};

}  // namespace lockstep::scenario
