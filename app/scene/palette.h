// Colours by role. A scene names roles only; a palette says what they look like in a theme.
//
// Invariants (tested): every text role has a contrast of at least 4.5:1 (WCAG AA) on every surface it is
// used on, in every theme; identity hues are told apart by people with protanopia and deuteranopia.
// Colour is never the only sign: every state that a colour shows is also said by text.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace lockstep::scene {

enum class Role : uint8_t {
  // Surfaces, each lying on the one before.
  kBackground,  ///< of the picture
  kPanel,       ///< of a band or table
  kCard,        ///< of a client, node or server
  // Text and lines on any of these.
  kText,
  kTextDim,
  kLine,    ///< frames, lanes, rules
  kAccent,  ///< what is chosen, the scrubber
  kOk,      ///< text and frames of "agrees", "accepted"
  kWarn,    ///< text and frames of "paused", "running out"
  kDanger,  ///< text and frames of "believes and does not hold", "refused"
  // Filled marks with text on them.
  kDangerFill,
  kOnDangerFill,  ///< text on kDangerFill
  kDangerWash,  ///< surface under dangerous things; kDanger, kText and kTextDim are readable on it
  kOkWash,
  kWarnWash,
  // Identity: one hue a client, by Ink::identity.
  kIdentity,      ///< frames, lines, discs, and text on the surfaces
  kOnIdentity,    ///< text on a disc filled with kIdentity
  kIdentityWash,  ///< surface tinted with the hue; kText and kTextDim are readable on it
  kRoles_,
};

constexpr int kIdentities = 8;  ///< hues; client number i has hue i % kIdentities

struct Rgb {
  uint8_t r = 0;
  uint8_t g = 0;
  uint8_t b = 0;

  bool operator==(const Rgb&) const = default;
};

/// What a shape is painted with.
struct Ink {
  Role role = Role::kText;
  int32_t identity = 0;  ///< number of the client, for the identity roles
  float opacity = 1;

  bool operator==(const Ink&) const = default;
};

enum class Theme : uint8_t { kDark, kLight, kPrint };

struct Palette {
  std::array<Rgb, static_cast<size_t>(Role::kRoles_)> roles =
      {};  ///< the identity roles are unused
  std::array<Rgb, kIdentities> identity = {};
  std::array<Rgb, kIdentities> on_identity = {};
  std::array<Rgb, kIdentities> identity_wash = {};

  /// The colour without the opacity.
  Rgb color(Ink ink) const;
};

const Palette& palette_of(Theme theme);

}  // namespace lockstep::scene
