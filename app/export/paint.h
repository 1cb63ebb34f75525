// Shapes onto a Cairo context.
#pragma once

#include <cairo.h>

#include "scene/scene.h"

namespace lockstep::picture {

void paint(cairo_t* cairo, const scene::Scene& scene, const scene::Palette& palette);

}  // namespace lockstep::picture
