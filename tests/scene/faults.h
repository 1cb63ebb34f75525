// What would be wrong with a picture: things that overlap, stick out or are cut off.
#pragma once

#include <string>
#include <vector>

#include "scene/scene.h"

namespace faults {

using namespace lockstep::scene;

constexpr float kRounding = 0.6f;  // pixels

inline bool lies_in(Rect inner, Rect outer) {
  return inner.x >= outer.x - kRounding && inner.y >= outer.y - kRounding &&
         inner.right() <= outer.right() + kRounding && inner.bottom() <= outer.bottom() + kRounding;
}

inline bool overlap(Rect a, Rect b) {
  return a.x + kRounding < b.right() && b.x + kRounding < a.right() &&
         a.y + kRounding < b.bottom() && b.y + kRounding < a.bottom();
}

/// Where the letters are, in the text's box.
inline Rect letters_of(const Text& text, const TextMeasure& measure) {
  Rect rect = text.rect;
  rect.w = measure.width(text.text, text.size);
  if (text.align == Align::kCenter) rect.x += (text.rect.w - rect.w) / 2;
  if (text.align == Align::kRight) rect.x += text.rect.w - rect.w;
  return rect;
}

struct Kin {
  std::vector<const Region*> regions;
  std::vector<const Text*> texts;
};

/// By parent: -1 stands at 0.
inline std::vector<Kin> kin_of(const Scene& scene) {
  std::vector<Kin> kin(scene.regions.size() + 1);
  for (const Region& region : scene.regions)
    kin[static_cast<size_t>(region.parent + 1)].regions.push_back(&region);
  for (const Shape& shape : scene.shapes) {
    if (const Text* text = std::get_if<Text>(&shape))
      kin[static_cast<size_t>(text->region + 1)].texts.push_back(text);
  }
  return kin;
}

/// The first thing that is wrong with the picture; empty if nothing is.
inline std::string fault_of(const Scene& scene, const TextMeasure& measure) {
  const Rect whole = {0, 0, scene.size.w, scene.size.h};
  for (const Region& region : scene.regions) {
    const Rect outer =
        region.parent < 0 ? whole : scene.regions[static_cast<size_t>(region.parent)].rect;
    if (region.rect.w <= 0 || region.rect.h <= 0) return region.id + " is empty";
    if (!lies_in(region.rect, outer)) return region.id + " sticks out of what it lies in";
  }
  for (const Kin& family : kin_of(scene)) {
    for (size_t i = 0; i < family.regions.size(); ++i) {
      const Region& a = *family.regions[i];
      for (size_t k = i + 1; k < family.regions.size(); ++k) {
        const Region& b = *family.regions[k];
        if (!a.floats && !b.floats && overlap(a.rect, b.rect)) return a.id + " overlaps " + b.id;
      }
      for (const Text* text : family.texts) {
        if (!a.floats && overlap(a.rect, letters_of(*text, measure)))
          return a.id + " overlaps \"" + text->text + '"';
      }
    }
    for (size_t i = 0; i < family.texts.size(); ++i) {
      const Text& text = *family.texts[i];
      const Rect letters = letters_of(text, measure);
      const Rect outer =
          text.region < 0 ? whole : scene.regions[static_cast<size_t>(text.region)].rect;
      if (!lies_in(letters, outer)) return '"' + text.text + "\" sticks out of its region";
      if (letters.w > text.rect.w + kRounding) return '"' + text.text + "\" is wider than its room";
      for (size_t k = i + 1; k < family.texts.size(); ++k) {
        if (overlap(letters, letters_of(*family.texts[k], measure))) {
          return '"' + text.text + "\" overlaps \"" + family.texts[k]->text + '"';
        }
      }
    }
  }
  return {};
}

}  // namespace faults
