#include "scene/stage.h"

#include <algorithm>

#include "scene/stage_bands.h"

namespace lockstep::scene {

float draw_badge(Canvas& canvas, const Sizes& sizes, const std::string& name, const Badge& badge) {
  const float text = canvas.width(name, sizes.small_bold);
  const float room = std::max(badge.height, badge.width_max);
  const float width = std::clamp(text + 0.7f * sizes.u, badge.height, room);
  const Rect rect = {badge.at.x, badge.at.y - badge.height / 2, width, badge.height};
  canvas.box(rect, badge.height / 2, hue(badge.number));
  const float inner = std::max(std::min(text, width), width - 0.7f * sizes.u);
  canvas.text(
      {rect.x + (width - inner) / 2, rect.center().y - sizes.small_h / 2, inner, sizes.small_h},
      name,
      {.size = sizes.small_bold,
       .ink = {.role = Role::kOnIdentity, .identity = badge.number},
       .align = Align::kCenter});
  return width;
}

float draw_title(Canvas& canvas, const Sizes& sizes, Rect rect, std::string_view title,
                 std::string_view note) {
  const float y = rect.center().y;
  const float taken = canvas.text({rect.x, y - sizes.body_h / 2, rect.w, sizes.body_h}, title,
                                  {.size = sizes.bold, .ink = ink(Role::kText)});
  const float gap = 0.7f * sizes.u;
  const float left = rect.w - taken - gap;
  if (canvas.width(note, sizes.small) > left) return taken;
  return taken + gap +
         canvas.text({rect.x + taken + gap, y - sizes.small_h / 2, left, sizes.small_h}, note,
                     {.size = sizes.small, .ink = ink(Role::kTextDim)});
}

void draw_check(Canvas& canvas, Point center, float size, Stroke stroke) {
  canvas.path({{center.x - 0.5f * size, center.y + 0.02f * size},
               {center.x - 0.14f * size, center.y + 0.38f * size},
               {center.x + 0.5f * size, center.y - 0.4f * size}},
              stroke, 0);
}

Scene compose_stage(const StageInput& input) {
  StageLayout layout = heights_of(input);
  const StageModel model = model_of(input, room_of(input, layout));
  place_columns(input, model, layout);
  Canvas canvas(layout.size, input.measure);
  const Band band{model, layout, input.language};
  draw_belief(canvas, band);
  draw_truth(canvas, band);
  draw_ledger(canvas, band);
  draw_wires(canvas, band);
  draw_gutter(canvas, band);
  return canvas.take();
}

}  // namespace lockstep::scene
