// The timeline: a space-time diagram. One lane a client, server and resource, time to the right, messages
// as slanted arrows, marks where something was decided, bars where a state lasted, and the scrubber.
//
// The same input gives the same scene. Cost: what is in view (counts a pixel column, where more is in view
// than can be told apart), and a search by time.
#pragma once

#include <string>

#include "scene/scene.h"
#include "scene/text_measure.h"
#include "scene/timeline_index.h"
#include "trace/text.h"
#include "trace/trace.h"

namespace lockstep::scene {

struct TimelineInput {
  const trace::Trace& trace;
  const TimelineIndex& index;  ///< extended to the trace
  const TextMeasure& measure;
  Size size = {1280, 220};
  float font_px = 14;
  trace::Language language = trace::Language::kZh;
  TimeUs from_us = 0;  ///< the visible range; requires from_us < to_us
  TimeUs to_us = kSecond;
  TimeUs at_us = 0;                    ///< the scrubber
  int64_t position = trace::kNoEvent;  ///< events after this one are drawn faintly
  std::string chosen;                  ///< id of the chosen client; empty: none
};

/// Where time lies in the picture, for dragging.
struct TimeAxis {
  float left = 0;   ///< x of from_us
  float right = 0;  ///< x of to_us
  TimeUs from_us = 0;
  TimeUs to_us = 0;

  float x_of(TimeUs time_us) const;
  /// Clamped to the visible range.
  TimeUs time_of(float x) const;
};

/// The axis of the scene that compose_timeline gives for this input.
TimeAxis time_axis(const TimelineInput& input);

Scene compose_timeline(const TimelineInput& input);

/// The height at which every lane has its comfortable room; more is not needed.
float timeline_height(const TimelineInput& input);

}  // namespace lockstep::scene
