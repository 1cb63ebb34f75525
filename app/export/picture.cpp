#include "export/picture.h"

#include <algorithm>

#include "scene/canvas.h"
#include "scene/stage.h"
#include "scene/strings.h"
#include "scene/timeline.h"

namespace lockstep::picture {
namespace {

using scene::Canvas;
using scene::Font;
using scene::Rect;
using scene::Role;
using scene::Scene;

struct Heading {
  const trace::Trace& trace;
  const PictureOptions& options;
  int64_t index = trace::kNoEvent;
  TimeUs time_us = 0;
  float font_px = 14;
};

std::string step_text(const Heading& heading) {
  return say(scene::Word::kStep, heading.options.language,
             {std::to_string(heading.index + 1), std::to_string(heading.trace.size())});
}

/// Title at the left, the event in words after it, time and step at the right.
Scene heading_of(const Heading& heading, const scene::TextMeasure& measure) {
  const float u = heading.font_px;
  Canvas canvas({heading.options.size.w, 2.6f * u}, measure);
  const Rect all = {0, 0, heading.options.size.w, 2.6f * u};
  canvas.open("band/heading", all);
  canvas.box(all, 0, {.role = Role::kPanel});
  canvas.line({0, all.h}, {all.w, all.h}, {{.role = Role::kLine}, 0.08f * u});
  const scene::FontSize bold = {Font::kBold, 1.05f * u};
  const scene::FontSize small = {Font::kSans, 0.9f * u};
  const std::string right = trace::time_text(heading.time_us) + "   " + step_text(heading);
  const float right_w = std::min(canvas.width(right, small), 0.4f * all.w);
  canvas.text({all.w - 1.2f * u - right_w, 0, right_w, all.h}, right,
              {.size = small, .ink = {.role = Role::kTextDim}, .align = scene::Align::kRight});
  const std::string& name = heading.trace.header().scenario.name;
  const std::string& title = heading.options.title.empty() ? name : heading.options.title;
  float x = 1.2f * u;
  float left = all.w - 2.4f * u - right_w - x;
  const float taken =
      canvas.text({x, 0, left, all.h}, title, {.size = bold, .ink = {.role = Role::kText}});
  x += taken + 1.2f * u;
  left -= taken + 1.2f * u;
  if (heading.index >= 0 && left > 8 * u) {
    canvas.text({x, 0, left, all.h},
                trace::sentence(heading.trace.event(heading.index), heading.options.language),
                {.size = small, .ink = {.role = Role::kTextDim}});
  }
  canvas.close();
  return canvas.take();
}

Scene stage_of(const Heading& heading, const scene::TextMeasure& measure,
               const trace::Snapshot& snapshot, float height) {
  trace::Event event;
  scene::StageInput input{.snapshot = snapshot,
                          .scenario = heading.trace.header().scenario,
                          .measure = measure,
                          .size = {heading.options.size.w, height},
                          .font_px = heading.font_px,
                          .language = heading.options.language,
                          .chosen = heading.options.chosen};
  if (heading.index >= 0) {
    event = heading.trace.event(heading.index);
    input.event = &event;
  }
  return compose_stage(input);
}

}  // namespace

float font_for(scene::Size size) {
  return std::clamp(std::min(size.h / 57, size.w / 88), 8.0f, 40.0f);
}

Scene picture_of(const trace::Trace& trace, int64_t index, const scene::TextMeasure& measure,
                 const PictureOptions& options) {
  Heading heading{.trace = trace, .options = options};
  heading.index = std::clamp<int64_t>(index, trace::kNoEvent, trace.size() - 1);
  heading.font_px = options.font_px > 0 ? options.font_px : font_for(options.size);
  const trace::Snapshot snapshot = trace.snapshot(heading.index);
  heading.time_us = snapshot.time_us;

  Scene picture;
  picture.size = options.size;
  const Scene top = heading_of(heading, measure);
  append(picture, top, {0, 0});
  const float below = options.size.h - top.size.h;
  float timeline_h = 0;
  if (options.timeline) {
    scene::TimelineIndex timeline_index;
    timeline_index.extend(trace);
    constexpr TimeUs kLatest =
        INT64_MAX / 4;  // a file may say anything; the axis needs room behind it
    const TimeUs end =
        std::clamp(std::max(timeline_index.end_us(), heading.time_us), TimeUs{1}, kLatest);
    scene::TimelineInput input{.trace = trace,
                               .index = timeline_index,
                               .measure = measure,
                               .size = {options.size.w, 0},
                               .font_px = heading.font_px,
                               .language = options.language,
                               .from_us = 0,
                               .to_us = end + end / 50 + 1,
                               .at_us = heading.time_us,
                               .position = heading.index,
                               .chosen = options.chosen};
    timeline_h = std::min(scene::timeline_height(input), 0.34f * below);
    input.size.h = timeline_h;
    append(picture, compose_timeline(input), {0, options.size.h - timeline_h});
  }
  append(picture, stage_of(heading, measure, snapshot, below - timeline_h), {0, top.size.h});
  return picture;
}

Scene beside(const std::vector<Scene>& scenes, float gap) {
  Scene all;
  for (const Scene& scene : scenes) {
    const float x = all.size.w > 0 ? all.size.w + gap : 0;
    append(all, scene, {x, 0});
    all.size = {x + scene.size.w, std::max(all.size.h, scene.size.h)};
  }
  return all;
}

}  // namespace lockstep::picture
