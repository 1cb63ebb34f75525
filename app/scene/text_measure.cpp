#include "scene/text_measure.h"

namespace lockstep::scene {
namespace {

constexpr std::string_view kEllipsis = "…";

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; }

/// The end of the last whole character that begins before `at`.
size_t cut_before(std::string_view text, size_t at) {
  while (at > 0 && at < text.size() && !begins_character(text[at])) --at;
  return at;
}

}  // namespace

std::string fitted(const TextMeasure& measure, std::string_view text, FontSize size,
                   float width_max) {
  if (text.empty() || measure.width(text, size) <= width_max) return std::string(text);
  if (measure.width(kEllipsis, size) > width_max) return {};
  size_t fits = 0;  // bytes known to fit with the ellipsis
  size_t too_many = text.size();
  std::string best(kEllipsis);
  while (fits + 1 < too_many) {
    const size_t middle = fits + (too_many - fits) / 2;
    const size_t cut = cut_before(text, middle);
    if (cut <=
        fits) {  // the character at `fits` reaches over the middle: only its end is left to try
      size_t next = middle + 1;
      while (next < too_many && !begins_character(text[next])) ++next;
      if (next >= too_many) break;
      std::string longer = std::string(text.substr(0, next)).append(kEllipsis);
      if (measure.width(longer, size) > width_max) break;
      fits = next;
      best = std::move(longer);
      continue;
    }
    std::string candidate = std::string(text.substr(0, cut)).append(kEllipsis);
    if (measure.width(candidate, size) <= width_max) {
      fits = cut;
      best = std::move(candidate);
    } else {
      too_many = cut;
    }
  }
  return best;
}

}  // namespace lockstep::scene
