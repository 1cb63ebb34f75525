#include "export/pango_measure.h"

#include <map>
#include <string>

#include "export/fonts.h"

namespace lockstep::picture {
namespace {

/// Font and size as one number, for sorting.
using SizeKey = std::pair<int, float>;
SizeKey key_of(scene::FontSize size) { return {static_cast<int>(size.font), size.px}; }

constexpr size_t kRememberedMax = 20000;

}  // namespace

struct PangoMeasure::State {
  Context context;
  Layout layout;
  std::map<SizeKey, std::map<std::string, float, std::less<>>> widths;
  std::map<SizeKey, float> heights;
  size_t remembered = 0;
};

PangoMeasure::PangoMeasure() : state_(std::make_unique<State>()) {
  state_->context.reset(pango_font_map_create_context(pango_cairo_font_map_get_default()));
  set_up(state_->context.get());
  state_->layout.reset(pango_layout_new(state_->context.get()));
}

PangoMeasure::~PangoMeasure() = default;

float PangoMeasure::width(std::string_view text, scene::FontSize size) const {
  auto& widths = state_->widths[key_of(size)];
  if (const auto found = widths.find(text); found != widths.end()) return found->second;
  fill(state_->layout.get(), text, size);
  PangoRectangle logical;
  pango_layout_get_extents(state_->layout.get(), nullptr, &logical);
  const float width = static_cast<float>(logical.width) / PANGO_SCALE;
  if (++state_->remembered > kRememberedMax) {
    state_->widths.clear();
    state_->remembered = 0;
  }
  state_->widths[key_of(size)].emplace(text, width);
  return width;
}

float PangoMeasure::height(scene::FontSize size) const {
  const auto [found, added] = state_->heights.try_emplace(key_of(size), 0.0f);
  if (!added) return found->second;
  fill(state_->layout.get(), "Ag锁", size);
  PangoRectangle logical;
  pango_layout_get_extents(state_->layout.get(), nullptr, &logical);
  found->second = static_cast<float>(logical.height) / PANGO_SCALE;
  return found->second;
}

}  // namespace lockstep::picture
