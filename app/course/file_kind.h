// What a file is meant to be, whether or not it is a good one: told from how it begins, so that complaints
// are about the right thing.
#pragma once

#include <cstdint>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "scenario/problem.h"

namespace lockstep::course {

enum class FileKind : uint8_t {
  kLesson,
  kScenario,
  kTrace,
  kScript,  ///< for the window: what `lockstep drive` reads
  kOther,
};

/// True if these bytes are a trace: its first line is an object of its own, any other file is one object.
bool is_trace(const std::string& bytes);

FileKind kind_of(const nlohmann::json& json);

/// That `path` is a file of this kind, and not the lesson, or whatever is `expected` ("a lesson").
scenario::Problem wrong_kind(const std::string& path, FileKind kind, const std::string& expected);

}  // namespace lockstep::course
