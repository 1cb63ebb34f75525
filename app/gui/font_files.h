// The font files of this machine that the window can use, looked for in the usual folders when it starts,
// without fontconfig. Best are the Noto CJK families: one face has Chinese and handsome Latin letters.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lockstep::gui {

/// One face of a font file.
struct Face {
  std::shared_ptr<const std::string> bytes;  ///< of the file; faces of one file share them
  int32_t number = 0;                        ///< within a collection (.ttc)
  int32_t number_en =
      0;  ///< the collection's face whose “quotation marks” are as narrow as English has them
  float line_per_em = 1.2f;  ///< ascent and descent over the em: Dear ImGui sizes fonts by the line
  bool embolden = false;     ///< it is a regular face that stands for a bold one
  std::vector<bool> has = {};     ///< for each code point of the basic plane: is there a glyph
  std::vector<bool> has_en = {};  ///< the same of number_en
};

/// Each list: the face that decides the looks first, then those that fill its gaps. Empty: nothing found.
struct FontFiles {
  std::vector<Face> sans;
  std::vector<Face> bold;
  std::vector<Face> mono;
  bool chinese = false;  ///< there are glyphs for Chinese
};

FontFiles find_font_files();

}  // namespace lockstep::gui
