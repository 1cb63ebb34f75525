// Where the lanes of a timeline lie, and its axis. Clients fold as on the stage, in the scenario's order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scene/stage_layout.h"
#include "scene/timeline.h"

namespace lockstep::scene {

struct TimelineRow {
  enum class Kind : uint8_t { kClient, kFolded, kServer, kResource };
  Kind kind = Kind::kClient;
  uint32_t lane = 0;  ///< the first, if folded
  int64_t count = 1;  ///< of lanes
  std::string name;
  float top = 0;
  float y = 0;  ///< of its line
};

struct TimelineRows {
  Sizes sizes;
  std::vector<TimelineRow> rows;
  std::vector<int32_t> row_of_lane;  ///< -1: not shown
  float row_h = 0;
  Rect plot;  ///< where time runs
  Rect axis;  ///< below it
  float label_x = 0;
  float label_w = 0;
};

TimelineRows rows_of(const TimelineInput& input);

/// The row that shows this lane, or that it is folded into; nullptr if there is none.
const TimelineRow* row_of_lane(const TimelineRows& rows, uint32_t lane);

/// A time between two ticks: 1, 2 or 5 times a power of ten microseconds.
TimeUs tick_step(TimeUs range_us, float width, float least);

/// "8.25 s": with as many digits as the step needs.
std::string tick_text(TimeUs time_us, TimeUs step_us);

}  // namespace lockstep::scene
