// Reading parts of a snapshot out of JSON, strictly: an unknown member, a value of the wrong type or out
// of range, or a name that no enumerator has is a problem, told with its place and what was expected.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "scenario/place.h"
#include "trace/event.h"
#include "trace/snapshot.h"
#include "trace/writer.h"

namespace lockstep::trace {

/// Where one stands in a line: turned into a JSON Pointer only when there is something to complain about.
struct Spot {
  const Spot* above = nullptr;
  std::string_view step;

  Spot at(std::string_view below) const { return {this, below}; }
};

/// Reads the members of one line of a trace. After the first problem nothing more is read.
class LineReader {
 public:
  /// `file` stands for the line: "run.jsonl:17".
  explicit LineReader(std::string file) : file_(std::move(file)) {}

  bool failed() const { return problem_.has_value(); }
  const scenario::Problem& problem() const { return *problem_; }
  const std::string& file() const { return file_; }

  /// Notes the first problem; later ones are dropped.
  void refuse(const Spot& spot, std::string message);
  void refuse_all(const scenario::Problem& problem);

  bool is_object(const nlohmann::json& json, const Spot& spot);
  int64_t number(const nlohmann::json& json, const Spot& spot, int64_t least);
  std::string text(const nlohmann::json& json, const Spot& spot);

  void read_data(const nlohmann::json& json, const Spot& spot, EventData& data);
  /// A merge patch of a snapshot, or a whole snapshot, put row by row. Facts, and what else follows from
  /// the rows (a client's danger and place), are not read.
  void read_rows(const nlohmann::json& json, const Spot& spot, const Snapshot& last,
                 Writer& writer);
  /// The counters, out of facts.
  void read_counters(const nlohmann::json& json, const Spot& spot, Counters& counters);

 private:
  std::string file_;
  std::optional<scenario::Problem> problem_;
};

}  // namespace lockstep::trace
