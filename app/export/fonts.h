// The fonts of exported pictures, named once: whoever measures and whoever paints sets texts with these.
#pragma once

#include <pango/pangocairo.h>

#include <memory>
#include <string_view>

#include "scene/text_measure.h"

namespace lockstep::picture {

struct Release {
  void operator()(PangoLayout* layout) const { g_object_unref(layout); }
  void operator()(PangoContext* context) const { g_object_unref(context); }
  void operator()(PangoFontDescription* font) const { pango_font_description_free(font); }
};
using Layout = std::unique_ptr<PangoLayout, Release>;
using Context = std::unique_ptr<PangoContext, Release>;
using FontDescription = std::unique_ptr<PangoFontDescription, Release>;

/// Families in the order in which they are asked for a glyph. Chinese glyphs in their mainland form.
FontDescription font_of(scene::FontSize size);

/// Hinting off and metrics unrounded, so that a text is as wide in a vector picture as in a bitmap.
void set_up(PangoContext* context);

/// Gives the layout its text and font.
void fill(PangoLayout* layout, std::string_view text, scene::FontSize size);

}  // namespace lockstep::picture
