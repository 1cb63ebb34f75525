// The bands of the stage, each drawn from the model at the places that the layout gave it.
#pragma once

#include "scene/canvas.h"
#include "scene/stage_layout.h"
#include "scene/stage_model.h"

namespace lockstep::scene {

/// What every band is drawn from.
struct Band {
  const StageModel& model;
  const StageLayout& layout;
  trace::Language language;
};

void draw_belief(Canvas& canvas, const Band& band);
/// The servers of an ensemble, within the truth.
void draw_ensemble(Canvas& canvas, const Band& band);
void draw_truth(Canvas& canvas, const Band& band);
void draw_ledger(Canvas& canvas, const Band& band);
/// Links and messages between belief and truth.
void draw_wires(Canvas& canvas, const Band& band);
/// Links and messages to the resource. Drawn last: it has a band of its own beside the others.
void draw_gutter(Canvas& canvas, const Band& band);

/// A client's hue.
inline Ink hue(int32_t number, float opacity = 1) {
  return {.role = Role::kIdentity, .identity = number, .opacity = opacity};
}
inline Ink ink(Role role, float opacity = 1) { return {.role = role, .opacity = opacity}; }

/// The disc (or pill, for a long name) with a client's name on it, `height` high, no wider than
/// `width_max`; returns its width.
struct Badge {
  Point at;  ///< left, middle
  float height = 0;
  float width_max = 0;
  int32_t number = 0;
};
float draw_badge(Canvas& canvas, const Sizes& sizes, const std::string& name, const Badge& badge);

/// A band's name with what it means behind it; returns the width taken.
float draw_title(Canvas& canvas, const Sizes& sizes, Rect rect, std::string_view title,
                 std::string_view note);

/// A tick.
void draw_check(Canvas& canvas, Point center, float size, Stroke stroke);

}  // namespace lockstep::scene
