// A moment of a trace as one picture: a header line, the stage, and the timeline below.
#pragma once

#include <string>
#include <vector>

#include "scene/scene.h"
#include "scene/text_measure.h"
#include "trace/text.h"
#include "trace/trace.h"

namespace lockstep::picture {

struct PictureOptions {
  scene::Size size = {1280, 800};
  float font_px = 0;  ///< 0: chosen by the size
  trace::Language language = trace::Language::kZh;
  std::string title;   ///< empty: the scenario's name
  std::string chosen;  ///< id of the chosen client; empty: none
  bool timeline = true;
};

/// The font size that suits a picture of this size.
float font_for(scene::Size size);

/// The moment just after event `index`, clamped to the trace (kNoEvent: before the first).
scene::Scene picture_of(const trace::Trace& trace, int64_t index, const scene::TextMeasure& measure,
                        const PictureOptions& options);

/// Scenes side by side with a gap between them, their tops aligned.
scene::Scene beside(const std::vector<scene::Scene>& scenes, float gap);

}  // namespace lockstep::picture
