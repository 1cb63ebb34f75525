#include "export/draw.h"

#include <cairo-pdf.h>

#include <memory>
#include <ostream>

#include "export/paint.h"
#include "export/pango_measure.h"
#include "export/svg.h"
#include "scenario/output.h"

namespace lockstep::picture {
namespace {

using scenario::Problem;
using scenario::Result;

struct Release {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* cairo) const { cairo_destroy(cairo); }
};
using Surface = std::unique_ptr<cairo_surface_t, Release>;
using Cairo = std::unique_ptr<cairo_t, Release>;

cairo_status_t append_bytes(void* bytes, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

std::optional<Problem> size_problem(scene::Size size) {
  if (size.w >= 1 && size.h >= 1 && size.w <= kSideMax && size.h <= kSideMax) return std::nullopt;
  return Problem{.file = "picture",
                 .message = "its sides must be from 1 to " +
                            std::to_string(static_cast<int>(kSideMax)) +
                            " pixels; choose another --size"};
}

Problem drawing_problem(cairo_status_t status) {
  return {.file = "picture",
          .message = std::string("drawing it failed: ") + cairo_status_to_string(status)};
}

/// Paints onto the surface and finishes it, so that all bytes are written.
cairo_status_t paint_on(cairo_surface_t* surface, const scene::Scene& scene,
                        const scene::Palette& palette) {
  if (cairo_surface_status(surface) != CAIRO_STATUS_SUCCESS) return cairo_surface_status(surface);
  Cairo cairo(cairo_create(surface));
  // What the scene leaves unpainted has the background's colour, in every format.
  const scene::Rgb ground = palette.color({.role = scene::Role::kBackground});
  cairo_set_source_rgb(cairo.get(), ground.r / 255.0, ground.g / 255.0, ground.b / 255.0);
  cairo_paint(cairo.get());
  paint(cairo.get(), scene, palette);
  const cairo_status_t status = cairo_status(cairo.get());
  cairo.reset();
  cairo_surface_flush(surface);
  return status;
}

Surface image_of(const scene::Scene& scene) {
  return Surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(scene.size.w),
                                            static_cast<int>(scene.size.h)));
}

std::string lowercase_ending(const std::string& path) {
  const size_t dot = path.find_last_of("./\\");
  std::string ending = dot == std::string::npos || path[dot] != '.' ? "" : path.substr(dot);
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return ending;
}

}  // namespace

Result<Format> format_of(const std::string& path) {
  const std::string ending = lowercase_ending(path);
  if (ending == ".png") return Format::kPng;
  if (ending == ".svg") return Format::kSvg;
  if (ending == ".pdf") return Format::kPdf;
  return Problem{.file = path, .message = "a picture's name must end in .png, .svg or .pdf"};
}

Result<std::string> bytes_of(const scene::Scene& scene, const scene::Palette& palette,
                             Format format) {
  if (auto problem = size_problem(scene.size)) return *problem;
  std::string bytes;
  const auto w = static_cast<double>(scene.size.w);
  const auto h = static_cast<double>(scene.size.h);
  Surface surface;
  switch (format) {
    case Format::kPng: surface = image_of(scene); break;
    case Format::kSvg: return svg_of(scene, palette, PangoMeasure());
    case Format::kPdf:
      surface.reset(cairo_pdf_surface_create_for_stream(append_bytes, &bytes, w, h));
      // Any fixed date: the same picture has the same bytes.
      cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE,
                                     "2000-01-01T00:00:00Z");
      break;
  }
  cairo_status_t status = paint_on(surface.get(), scene, palette);
  if (status == CAIRO_STATUS_SUCCESS && format == Format::kPng) {
    status = cairo_surface_write_to_png_stream(surface.get(), append_bytes, &bytes);
  }
  cairo_surface_finish(surface.get());
  if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(surface.get());
  if (status != CAIRO_STATUS_SUCCESS) return drawing_problem(status);
  return bytes;
}

Result<std::string> pixels_of(const scene::Scene& scene, const scene::Palette& palette) {
  if (auto problem = size_problem(scene.size)) return *problem;
  Surface surface = image_of(scene);
  const cairo_status_t status = paint_on(surface.get(), scene, palette);
  if (status != CAIRO_STATUS_SUCCESS) return drawing_problem(status);
  const auto* data = reinterpret_cast<const char*>(cairo_image_surface_get_data(surface.get()));
  const auto rows = static_cast<size_t>(cairo_image_surface_get_height(surface.get()));
  const auto stride = static_cast<size_t>(cairo_image_surface_get_stride(surface.get()));
  const size_t width = 4 * static_cast<size_t>(cairo_image_surface_get_width(surface.get()));
  std::string pixels;
  pixels.reserve(rows * width);
  for (size_t y = 0; y < rows; ++y) pixels.append(data + y * stride, width);
  for (size_t i = 3; i < pixels.size(); i += 4) pixels[i] = static_cast<char>(0xFF);
  return pixels;
}

std::optional<Problem> draw(const scene::Scene& scene, const scene::Palette& palette,
                            const std::string& path) {
  const Result<Format> format = format_of(path);
  if (!format) return format.problems().front();
  const Result<std::string> bytes = bytes_of(scene, palette, format.value());
  if (!bytes) {
    Problem problem = bytes.problems().front();
    problem.file = path;
    return problem;
  }
  return scenario::write_file(path, [&](std::ostream& out) {
    out.write(bytes.value().data(), static_cast<std::streamsize>(bytes.value().size()));
  });
}

}  // namespace lockstep::picture
