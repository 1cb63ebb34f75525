#include "gui/fonts.h"

#include <imgui_freetype.h>

#include <cfloat>
#include <cmath>

namespace lockstep::gui {
namespace {

constexpr size_t kBasicPlane = 0x10000;

/// The code point at `at`, which is moved behind it. Broken UTF-8 gives the replacement character.
uint32_t next_code(std::string_view text, size_t& at) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const uint32_t first = byte(at++);
  if (first < 0x80) return first;
  const size_t more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
  uint32_t code = first & (0x3Fu >> more);
  for (size_t i = 0; i < more; ++i) {
    if (at >= text.size() || (byte(at) & 0xC0u) != 0x80) return 0xFFFD;
    code = code << 6u | (byte(at++) & 0x3Fu);
  }
  return code;
}

/// What Chinese and English write with different glyphs for the same code points.
bool is_punctuation(size_t code) { return code >= 0x2010 && code <= 0x2027; }

std::vector<ImWchar> ranges_of(const std::vector<bool>& codes) {
  std::vector<ImWchar> ranges;
  for (size_t code = 1; code < codes.size(); ++code) {
    if (!codes[code]) continue;
    const size_t from = code;
    while (code + 1 < codes.size() && codes[code + 1]) ++code;
    ranges.push_back(static_cast<ImWchar>(from));
    ranges.push_back(static_cast<ImWchar>(code));
  }
  ranges.push_back(0);
  return ranges;
}

}  // namespace

Fonts::Fonts(FontFiles files) : files_(std::move(files)), wanted_(kBasicPlane, false) {
  for (size_t code = 0x20; code < 0x7F; ++code) wanted_[code] = true;
  want("…“”‘’·×–—→←↑↓✓✗≠=≤≥°²，。：；！？（）、");
}

void Fonts::choose(const Choice& choice) {
  stale_ = stale_ || !(choice == choice_);
  choice_ = choice;
}

void Fonts::want(std::string_view text) const {
  for (size_t at = 0; at < text.size();) {
    const uint32_t code = next_code(text, at);
    if (code < 0x20 || code >= kBasicPlane || wanted_[code]) continue;
    wanted_[code] = true;
    stale_ = true;
  }
}

bool Fonts::refresh(ImFontAtlas& atlas) {
  if (!stale_) return false;
  build(atlas);
  stale_ = false;
  return true;
}

void Fonts::build(ImFontAtlas& atlas) {
  atlas.Clear();
  atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
  atlas.TexDesiredWidth = choice_.px > 20 ? 4096 : 2048;
  atlas.Flags |= ImFontAtlasFlags_NoMouseCursors;
  built_.clear();
  ranges_.clear();
  using scene::Font;
  std::vector<float> bases = {choice_.px};
  if (std::fabs(choice_.stage_px - choice_.px) > 0.3f) bases.push_back(choice_.stage_px);
  for (const float base : bases) {
    for (const float scale : {1.0f, 0.86f, 1.12f}) {
      add(atlas, {Font::kSans, scale * base});
      add(atlas, {Font::kBold, scale * base});
      if (scale < 1) add(atlas, {Font::kMono, scale * base});
    }
  }
  if (atlas.Fonts.empty()) atlas.AddFontDefault();
  atlas.Build();
}

void Fonts::add(ImFontAtlas& atlas, scene::FontSize size) {
  std::vector<bool> missing = wanted_;
  Built built = {.family = size.font, .px = size.px};
  // Takes from `has` what is still missing.
  const auto add_face = [&](const Face& face, int32_t number, const std::vector<bool>& has,
                            bool punctuation_only) {
    std::vector<bool> taken(kBasicPlane, false);
    bool any = false;
    for (size_t code = 1; code < kBasicPlane; ++code) {
      if (!missing[code] || !has[code] || (punctuation_only && !is_punctuation(code))) continue;
      taken[code] = any = true;
      missing[code] = false;
    }
    if (!any) return;
    ranges_.push_back(ranges_of(taken));
    ImFontConfig config;
    config.FontNo = number;
    config.MergeMode = built.font != nullptr;
    config.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
    if (face.embolden) config.FontBuilderFlags |= ImGuiFreeTypeBuilderFlags_Bold;
    // The atlas only reads the bytes; its interface forgot the const. It would copy what it does not own, each time
    // anew, and free what it does: so it owns them just while they are added.
    built.font = atlas.AddFontFromMemoryTTF(
        const_cast<char*>(face.bytes->data()), static_cast<int>(face.bytes->size()),
        std::round(size.px * face.line_per_em), &config, ranges_.back().data());
    atlas.ConfigData.back().FontDataOwnedByAtlas = false;
    if (!config.MergeMode) built.line_per_em = face.line_per_em;
  };
  for (const Face& face : faces_of(size.font)) {
    // The first face must come first, since it decides ascent and descent: so in English its
    // punctuation is set aside for a moment.
    const bool english = choice_.language == trace::Language::kEn && face.number_en != face.number;
    std::vector<bool> has = face.has;
    for (size_t code = 0; english && code < kBasicPlane; ++code) {
      if (is_punctuation(code) && face.has_en[code]) has[code] = false;
    }
    add_face(face, face.number, has, false);
    if (english) add_face(face, face.number_en, face.has_en, true);
  }
  if (built.font != nullptr) built_.push_back(built);
}

const std::vector<Face>& Fonts::faces_of(scene::Font family) const {
  switch (family) {
    case scene::Font::kSans: return files_.sans;
    case scene::Font::kBold: return files_.bold;
    case scene::Font::kMono: return files_.mono;
  }
  return files_.sans;
}

Fonts::Drawn Fonts::at(scene::FontSize size) const {
  const Built* best = nullptr;
  for (const Built& built : built_) {
    if (built.family != size.font) continue;
    if (best == nullptr || std::fabs(built.px - size.px) < std::fabs(best->px - size.px))
      best = &built;
  }
  if (best == nullptr) return {ImGui::GetFont(), size.px};
  // Within a tenth of a pixel it is that very size, so that glyphs are not scaled.
  const float scale = std::fabs(best->px - size.px) < 0.1f ? 1 : size.px / best->px;
  return {best->font, best->font->FontSize * scale};
}

float Fonts::width(std::string_view text, scene::FontSize size) const {
  if (text.empty()) return 0;  // Dear ImGui takes an end of nullptr for "up to the zero"
  want(text);
  const Drawn drawn = at(size);
  return drawn.font->CalcTextSizeA(drawn.size, FLT_MAX, 0, text.data(), text.data() + text.size())
      .x;
}

float Fonts::height(scene::FontSize size) const { return at(size).size; }

}  // namespace lockstep::gui
