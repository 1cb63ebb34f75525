#include "gui/font_files.h"

#include <ft2build.h>
#include FT_FREETYPE_H

#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>

namespace lockstep::gui {
namespace {

constexpr size_t kBasicPlane = 0x10000;

/// A file, by its end below one of the folders, and the face in it: its family must hold `family`.
struct Candidate {
  std::string_view file;
  std::string_view family = {};
  std::string_view family_en = {};  ///< see Face::number_en; empty: the same face
};

constexpr std::array kSans = {
    Candidate{"opentype/noto/NotoSansCJK-Regular.ttc", "Sans CJK SC", "Sans CJK KR"},
    Candidate{"opentype/noto-cjk/NotoSansCJK-Regular.ttc", "Sans CJK SC", "Sans CJK KR"},
    Candidate{"google-noto-cjk/NotoSansCJK-Regular.ttc", "Sans CJK SC", "Sans CJK KR"},
    Candidate{"noto-cjk/NotoSansCJK-Regular.ttc", "Sans CJK SC", "Sans CJK KR"},
    Candidate{"truetype/wqy/wqy-microhei.ttc", "Micro Hei"},
    Candidate{"truetype/wqy/wqy-zenhei.ttc", "Zen Hei"},
    Candidate{"msyh.ttc", "Microsoft YaHei"},
};
constexpr std::array kLatin = {
    Candidate{"truetype/noto/NotoSans-Regular.ttf"},
    Candidate{"truetype/dejavu/DejaVuSans.ttf"},
    Candidate{"dejavu/DejaVuSans.ttf"},
    Candidate{"segoeui.ttf"},
};
constexpr std::array kBold = {
    Candidate{"opentype/noto/NotoSansCJK-Bold.ttc", "Sans CJK SC", "Sans CJK KR"},
    Candidate{"opentype/noto-cjk/NotoSansCJK-Bold.ttc", "Sans CJK SC", "Sans CJK KR"},
    Candidate{"google-noto-cjk/NotoSansCJK-Bold.ttc", "Sans CJK SC", "Sans CJK KR"},
    Candidate{"noto-cjk/NotoSansCJK-Bold.ttc", "Sans CJK SC", "Sans CJK KR"},
    Candidate{"msyhbd.ttc", "Microsoft YaHei"},
};
constexpr std::array kLatinBold = {
    Candidate{"truetype/noto/NotoSans-Bold.ttf"},
    Candidate{"truetype/dejavu/DejaVuSans-Bold.ttf"},
    Candidate{"dejavu/DejaVuSans-Bold.ttf"},
    Candidate{"segoeuib.ttf"},
};
constexpr std::array kMono = {
    Candidate{"truetype/dejavu/DejaVuSansMono.ttf"},
    Candidate{"dejavu/DejaVuSansMono.ttf"},
    Candidate{"truetype/noto/NotoSansMono-Regular.ttf"},
    Candidate{"opentype/noto/NotoSansCJK-Regular.ttc", "Sans Mono CJK SC"},
    Candidate{"consola.ttf"},
};

std::vector<std::string> folders() {
  std::vector<std::string> found;
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != 0) {
    found.push_back(std::string(home) + "/.local/share/fonts/");
    found.push_back(std::string(home) + "/.fonts/");
  }
  found.insert(found.end(), {"/usr/local/share/fonts/", "/usr/share/fonts/", "C:/Windows/Fonts/"});
  return found;
}

/// Reads files once each, and looks at the faces in them.
class Shelf {
 public:
  Shelf() { FT_Init_FreeType(&library_); }
  ~Shelf() { FT_Done_FreeType(library_); }
  Shelf(const Shelf&) = delete;
  Shelf& operator=(const Shelf&) = delete;

  template <size_t N>
  std::optional<Face> first_of(const std::array<Candidate, N>& candidates) {
    for (const Candidate& candidate : candidates) {
      if (std::optional<Face> face = open(candidate)) return face;
    }
    return std::nullopt;
  }

 private:
  std::shared_ptr<const std::string> bytes_of(std::string_view file) {
    const auto known = files_.find(file);
    if (known != files_.end()) return known->second;
    std::shared_ptr<const std::string> bytes;
    for (const std::string& folder : folders()) {
      std::ifstream in(folder + std::string(file), std::ios::binary | std::ios::ate);
      if (!in) continue;
      std::string text(static_cast<size_t>(in.tellg()), 0);
      in.seekg(0);
      in.read(text.data(), static_cast<std::streamsize>(text.size()));
      if (in) bytes = std::make_shared<const std::string>(std::move(text));
      if (bytes != nullptr) break;
    }
    files_.emplace(std::string(file), bytes);
    return bytes;
  }

  FT_Face load(const std::string& bytes, int32_t number) {
    FT_Face face = nullptr;
    const auto* data = reinterpret_cast<const FT_Byte*>(bytes.data());
    if (FT_New_Memory_Face(library_, data, static_cast<FT_Long>(bytes.size()), number, &face) !=
        0) {
      return nullptr;
    }
    return face;
  }

  /// The number of the first face whose family holds `family`; -1: none.
  int32_t face_named(const std::string& bytes, std::string_view family) {
    int32_t count = 1;
    for (int32_t number = 0; number < count; ++number) {
      const FT_Face face = load(bytes, number);
      if (face == nullptr) return -1;
      count = static_cast<int32_t>(face->num_faces);
      const std::string_view name = face->family_name == nullptr ? "" : face->family_name;
      const bool same = family.empty() || name.find(family) != std::string_view::npos;
      FT_Done_Face(face);
      if (same) return number;
    }
    return -1;
  }

  std::vector<bool> glyphs_of(const FT_Face face) {
    std::vector<bool> has(kBasicPlane, false);
    FT_UInt glyph = 0;
    for (FT_ULong code = FT_Get_First_Char(face, &glyph); glyph != 0 && code < kBasicPlane;
         code = FT_Get_Next_Char(face, code, &glyph)) {
      has[code] = true;
    }
    return has;
  }

  std::optional<Face> open(const Candidate& candidate) {
    Face result;
    result.bytes = bytes_of(candidate.file);
    if (result.bytes == nullptr) return std::nullopt;
    result.number = face_named(*result.bytes, candidate.family);
    if (result.number < 0) return std::nullopt;
    result.number_en = result.number;
    if (!candidate.family_en.empty()) {
      const int32_t english = face_named(*result.bytes, candidate.family_en);
      if (english >= 0) result.number_en = english;
    }
    const FT_Face face = load(*result.bytes, result.number);
    if (face == nullptr || face->units_per_EM == 0) return std::nullopt;
    result.line_per_em = static_cast<float>(face->ascender - face->descender) /
                         static_cast<float>(face->units_per_EM);
    result.has = glyphs_of(face);
    FT_Done_Face(face);
    if (result.number_en != result.number) {
      const FT_Face english = load(*result.bytes, result.number_en);
      result.has_en = glyphs_of(english);
      FT_Done_Face(english);
    }
    return result;
  }

  FT_Library library_ = nullptr;
  std::map<std::string, std::shared_ptr<const std::string>, std::less<>> files_;
};

}  // namespace

FontFiles find_font_files() {
  Shelf shelf;
  FontFiles files;
  const std::optional<Face> cjk = shelf.first_of(kSans);
  const std::optional<Face> latin = shelf.first_of(kLatin);
  files.chinese = cjk.has_value();
  for (const auto& face : {cjk, latin}) {
    if (face) files.sans.push_back(*face);
  }
  std::optional<Face> cjk_bold = shelf.first_of(kBold);
  if (!cjk_bold && cjk) {
    cjk_bold = cjk;
    cjk_bold->embolden = true;
  }
  for (const auto& face : {cjk_bold, shelf.first_of(kLatinBold), latin}) {
    if (face) files.bold.push_back(*face);
  }
  if (const std::optional<Face> mono = shelf.first_of(kMono)) files.mono.push_back(*mono);
  files.mono.insert(files.mono.end(), files.sans.begin(), files.sans.end());
  return files;
}

}  // namespace lockstep::gui
