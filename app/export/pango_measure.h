// The text measure of exported pictures: Pango, with the fonts that fontconfig finds. They are named
// once, here: the painter uses the same.
#pragma once

#include <memory>
#include <string_view>

#include "scene/text_measure.h"

namespace lockstep::picture {

/// Not for use by two threads at once. Remembers what it has measured.
class PangoMeasure final : public scene::TextMeasure {
 public:
  PangoMeasure();
  ~PangoMeasure() override;
  PangoMeasure(const PangoMeasure&) = delete;
  PangoMeasure& operator=(const PangoMeasure&) = delete;

  float width(std::string_view text, scene::FontSize size) const override;
  float height(scene::FontSize size) const override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lockstep::picture
