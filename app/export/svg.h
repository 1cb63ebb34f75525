// A scene as SVG. Texts stay texts: they can be searched, copied and read aloud; each is given its measured
// width, so that another font at the reader's does not spoil the picture.
#pragma once

#include <string>

#include "scene/scene.h"
#include "scene/text_measure.h"

namespace lockstep::picture {

/// `measure` must be the one with which the scene was composed.
std::string svg_of(const scene::Scene& scene, const scene::Palette& palette,
                   const scene::TextMeasure& measure);

}  // namespace lockstep::picture
