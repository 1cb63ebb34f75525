// How wide and high a text is: the one thing about fonts that a layout must know. Whoever shows a scene
// gives one of these (Dear ImGui's fonts in the window, Pango's in exported pictures), and shows the
// scene with the same fonts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lockstep::scene {

enum class Font : uint8_t {
  kSans,
  kBold,
  kMono,  ///< node names, code; all its Latin glyphs are equally wide
};

/// A font at a size. `px` is the size of the em: with Dear ImGui, whose sizes are line heights, scale.
struct FontSize {
  Font font = Font::kSans;
  float px = 14;

  bool operator==(const FontSize&) const = default;
};

class TextMeasure {
 public:
  virtual ~TextMeasure() = default;
  /// Width in pixels of one line of UTF-8 text.
  virtual float width(std::string_view text, FontSize size) const = 0;
  /// Height in pixels of one line, whatever is in it: ascent and descent.
  virtual float height(FontSize size) const = 0;
};

/// The text if it is no wider than `width_max`, else its longest beginning that is with "…" behind it;
/// empty if not even "…" is narrow enough. Never cuts within a UTF-8 sequence.
std::string fitted(const TextMeasure& measure, std::string_view text, FontSize size,
                   float width_max);

}  // namespace lockstep::scene
