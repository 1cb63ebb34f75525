// The window's fonts: three families at a few sizes in one atlas, with exactly the glyphs that the texts in
// use need. A text with a glyph that is missing so far asks for it (want), and before the next frame the
// atlas is built again; Dear ImGui's ready-made ranges lack 栅, for one.
#pragma once

#include <imgui.h>

#include <array>
#include <string_view>
#include <vector>

#include "gui/font_files.h"
#include "scene/text_measure.h"
#include "trace/text.h"

namespace lockstep::gui {

class Fonts final : public scene::TextMeasure {
 public:
  explicit Fonts(FontFiles files);

  /// False if the machine has no Chinese font; the window then says so.
  bool chinese() const { return files_.chinese; }

  struct Choice {
    float px = 16;
    float stage_px = 16;  ///< text of the stage; glyphs that are scaled look blurred
    trace::Language language = trace::Language::kZh;

    bool operator==(const Choice&) const = default;
  };
  void choose(const Choice& choice);
  /// Every character of the text will have its glyph after the next refresh().
  void want(std::string_view text) const;
  /// Builds the atlas again if anything is different. True if it did: textures and measures changed.
  bool refresh(ImFontAtlas& atlas);

  /// A font, and the size to give to Dear ImGui for the em that was asked for.
  struct Drawn {
    ImFont* font = nullptr;
    float size = 0;
  };
  Drawn at(scene::FontSize size) const;

  float width(std::string_view text, scene::FontSize size) const override;
  float height(scene::FontSize size) const override;

 private:
  struct Built {
    scene::Font family = scene::Font::kSans;
    float px = 0;
    float line_per_em = 1.2f;
    ImFont* font = nullptr;
  };

  void build(ImFontAtlas& atlas);
  void add(ImFontAtlas& atlas, scene::FontSize size);
  const std::vector<Face>& faces_of(scene::Font family) const;

  FontFiles files_;
  Choice choice_;
  mutable std::vector<bool> wanted_;  // by code point
  mutable bool stale_ = true;
  std::vector<Built> built_;
  std::vector<std::vector<ImWchar>> ranges_;  // Dear ImGui keeps pointers to them
};

}  // namespace lockstep::gui
