#include "export/fonts.h"

namespace lockstep::picture {

FontDescription font_of(scene::FontSize size) {
  FontDescription font(pango_font_description_new());
  const bool mono = size.font == scene::Font::kMono;
  pango_font_description_set_family(
      font.get(),
      mono ? "DejaVu Sans Mono, Noto Sans Mono CJK SC, Noto Sans CJK SC, monospace"
           : "Noto Sans, Noto Sans CJK SC, WenQuanYi Micro Hei, DejaVu Sans, sans-serif");
  pango_font_description_set_weight(
      font.get(), size.font == scene::Font::kBold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
  pango_font_description_set_absolute_size(font.get(), static_cast<double>(size.px) * PANGO_SCALE);
  return font;
}

void set_up(PangoContext* context) {
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options(context, options);
  cairo_font_options_destroy(options);
  pango_cairo_context_set_resolution(context, 96);
  pango_context_set_round_glyph_positions(context, FALSE);
  pango_context_set_language(context, pango_language_from_string("zh-cn"));
}

void fill(PangoLayout* layout, std::string_view text, scene::FontSize size) {
  const FontDescription font = font_of(size);
  pango_layout_set_font_description(layout, font.get());
  pango_layout_set_single_paragraph_mode(layout, TRUE);
  pango_layout_set_text(layout, text.data(), static_cast<int>(text.size()));
}

}  // namespace lockstep::picture
