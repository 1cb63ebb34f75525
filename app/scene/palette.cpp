#include "scene/palette.h"

namespace lockstep::scene {
namespace {

constexpr Rgb hex(uint32_t value) {
  return {static_cast<uint8_t>(value >> 16u), static_cast<uint8_t>(value >> 8u),
          static_cast<uint8_t>(value)};
}

constexpr uint8_t mixed(uint8_t under, uint8_t over, int percent) {
  return static_cast<uint8_t>((under * (100 - percent) + over * percent + 50) / 100);
}
constexpr Rgb mixed(Rgb under, Rgb over, int percent) {
  return {mixed(under.r, over.r, percent), mixed(under.g, over.g, percent),
          mixed(under.b, over.b, percent)};
}

struct Hues {
  std::array<uint32_t, kIdentities> hue = {};
  uint32_t text_on_hue = 0;
  int wash_percent = 0;
};

// Ordered so that the first few differ most, in lightness too: told apart without red and green.
constexpr Hues kBright = {
    {0x56B4E9, 0xF2B632, 0xF7B6D2, 0x6F86FF, 0xB9F58F, 0x3FAE8C, 0xC86BB0, 0xF4F0C0}, 0x10151B, 13};
constexpr Hues kDeep = {
    {0x0B6FC2, 0x8A6400, 0x8E2A6E, 0x0A2C8F, 0x56300A, 0x0E7A5F, 0xB0468C, 0x3B0A5C}, 0xFFFFFF, 7};

/// The roles from kBackground to kWarnWash, in the order of Role.
constexpr Palette palette(const std::array<uint32_t, 15>& roles, const Hues& hues) {
  Palette result;
  for (size_t i = 0; i < roles.size(); ++i) result.roles[i] = hex(roles[i]);
  const Rgb card = result.roles[static_cast<size_t>(Role::kCard)];
  for (size_t i = 0; i < hues.hue.size(); ++i) {
    result.identity[i] = hex(hues.hue[i]);
    result.on_identity[i] = hex(hues.text_on_hue);
    result.identity_wash[i] = mixed(card, hex(hues.hue[i]), hues.wash_percent);
  }
  return result;
}

//                                background panel     card      text      dim       line
//                                accent     ok        warn      danger
//                                fill       on fill   washes: danger, ok, warn
constexpr Palette kDark =
    palette({0x0E1217, 0x141920, 0x1B222C, 0xE9EEF4, 0x9DAAB8, 0x36414E, 0x8CC8FF, 0x53D3A6,
             0xF0B94A, 0xFF7466, 0xCF2F1F, 0xFFFFFF, 0x36161A, 0x10291F, 0x2C2513},
            kBright);
constexpr Palette kLight =
    palette({0xEDF0F4, 0xF8F9FB, 0xFFFFFF, 0x18212B, 0x525E6B, 0xC3CCD6, 0x0A5FB4, 0x0A6F4D,
             0x835300, 0xC21F17, 0xC8281C, 0xFFFFFF, 0xFDE9E5, 0xE2F5EC, 0xFFF3D6},
            kDeep);
constexpr Palette kPrint =
    palette({0xFFFFFF, 0xFFFFFF, 0xFFFFFF, 0x000000, 0x444444, 0x999999, 0x003F8A, 0x00583A,
             0x6A4300, 0xA80F08, 0xB0170F, 0xFFFFFF, 0xFBEDEA, 0xEDF7F1, 0xFCF5E3},
            kDeep);

}  // namespace

Rgb Palette::color(Ink ink) const {
  const size_t hue = static_cast<size_t>(ink.identity < 0 ? 0 : ink.identity) % kIdentities;
  switch (ink.role) {
    case Role::kIdentity: return identity[hue];
    case Role::kOnIdentity: return on_identity[hue];
    case Role::kIdentityWash: return identity_wash[hue];
    default: return roles[static_cast<size_t>(ink.role)];
  }
}

const Palette& palette_of(Theme theme) {
  switch (theme) {
    case Theme::kDark: return kDark;
    case Theme::kLight: return kLight;
    case Theme::kPrint: return kPrint;
  }
  return kDark;
}

}  // namespace lockstep::scene
