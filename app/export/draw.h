// Painting a scene, composed with PangoMeasure, into a file. The same scene and palette give the same bytes: no dates, no
// names of machines. The namespace is `picture` because `export` is a word of the language.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "scenario/problem.h"
#include "scene/scene.h"

namespace lockstep::picture {

enum class Format : uint8_t { kPng, kSvg, kPdf };

/// By the path's ending, whatever its case; a problem names the three that there are.
scenario::Result<Format> format_of(const std::string& path);

/// Largest side of a picture in pixels.
constexpr float kSideMax = 16384;

/// Writes the picture whole or not at all: a problem (no such folder, no permission, disk full, too large
/// a picture) leaves no half-written file behind.
[[nodiscard]] std::optional<scenario::Problem> draw(const scene::Scene& scene,
                                                    const scene::Palette& palette,
                                                    const std::string& path);

/// The bytes that draw() would write.
scenario::Result<std::string> bytes_of(const scene::Scene& scene, const scene::Palette& palette,
                                       Format format);

/// The pixels, four bytes each (blue, green, red, 255), row after row without gaps.
scenario::Result<std::string> pixels_of(const scene::Scene& scene, const scene::Palette& palette);

}  // namespace lockstep::picture
