// Writing files: complete, or as they were before. What is written goes to a file beside the wanted one
// ("NAME.part"), which takes its place in the end and is removed if anything goes wrong. Devices and pipes
// (/dev/stdout, /dev/null) are written to as they are.
//
// A wrong name is the input's fault (exit code 2); a full disk or a missing permission is the machine's (3).
#pragma once

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>

#include "scenario/problem.h"

namespace lockstep::scenario {

/// Why nothing could be written to `path`, as far as looking can tell. To be asked before long work.
std::optional<Problem> output_problem(const std::string& path);

/// What is half-written for `path` is in this file meanwhile.
std::string part_of(const std::string& path);

/// Lets `write` write, and puts that at `path`.
[[nodiscard]] std::optional<Problem> write_file(const std::string& path,
                                                const std::function<void(std::ostream&)>& write);

}  // namespace lockstep::scenario
