#include <cairo/cairo.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "catch.h"
#include "export/draw.h"
#include "export/pango_measure.h"
#include "export/picture.h"
#include "scene/stage.h"
#include "scene/toys.h"

using namespace lockstep;
using scene::Role;
using scene::Theme;

namespace {

std::string temporary(const std::string& name) {
  const char* folder = std::getenv("TMPDIR");
  return std::string(folder ? folder : "/tmp") + "/lockstep_draw_test_" + name;
}

scene::Rgb pixel(const std::string& pixels, scene::Scene const& scene, float x, float y) {
  const size_t at =
      4 * (static_cast<size_t>(y) * static_cast<size_t>(scene.size.w) + static_cast<size_t>(x));
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(pixels.at(at + i)); };
  return {byte(2), byte(1), byte(0)};
}

scene::Scene gc_pause_stage(const scene::TextMeasure& measure, trace::Language language) {
  const toys::Moment moment = toys::gc_pause();
  return scene::compose_stage({.snapshot = moment.snapshot,
                               .scenario = moment.scenario,
                               .measure = measure,
                               .size = {1000, 620},
                               .language = language});
}

}  // namespace

TEST_CASE("pixels have the palette's colours where the scene says so") {
  const picture::PangoMeasure measure;
  const scene::Scene scene = gc_pause_stage(measure, trace::Language::kZh);
  for (const Theme theme : {Theme::kDark, Theme::kLight, Theme::kPrint}) {
    const scene::Palette& palette = palette_of(theme);
    const auto result = picture::pixels_of(scene, palette);
    REQUIRE(result.ok());
    const std::string& pixels = result.value();
    REQUIRE(pixels.size() == 1000u * 620 * 4);
    CHECK(pixel(pixels, scene, 1, 1) == palette.color({.role = Role::kBackground}));
    const scene::Region* chip = find_region(scene, "client/A/chip");
    REQUIRE(chip);
    CHECK(pixel(pixels, scene, chip->rect.x + 6, chip->rect.center().y) ==
          palette.color({.role = Role::kDangerFill}));
    const scene::Region* b = find_region(scene, "client/B");
    REQUIRE(b);
    CHECK(pixel(pixels, scene, b->rect.right() - 6, b->rect.bottom() - 6) ==
          palette.color({.role = Role::kIdentityWash, .identity = 1}));
  }
}

TEST_CASE("Chinese and Latin texts leave ink") {
  const picture::PangoMeasure measure;
  CHECK(measure.width("锁", {scene::Font::kSans, 20}) == Approx(20).margin(2));
  CHECK(measure.width("锁锁", {scene::Font::kSans, 20}) >
        measure.width("锁", {scene::Font::kSans, 20}) + 15);
  CHECK(measure.width("iiii", {scene::Font::kMono, 20}) ==
        Approx(measure.width("mmmm", {scene::Font::kMono, 20})));
  CHECK(measure.height({scene::Font::kSans, 20}) >= 20);
}

TEST_CASE("a PNG can be read back with the same pixels") {
  const picture::PangoMeasure measure;
  const scene::Scene scene = gc_pause_stage(measure, trace::Language::kEn);
  const std::string path = temporary("pause.png");
  REQUIRE_FALSE(picture::draw(scene, palette_of(Theme::kDark), path));
  cairo_surface_t* read = cairo_image_surface_create_from_png(path.c_str());
  REQUIRE(cairo_surface_status(read) == CAIRO_STATUS_SUCCESS);
  REQUIRE(cairo_image_surface_get_width(read) == 1000);
  REQUIRE(cairo_image_surface_get_height(read) == 620);
  const std::string pixels = picture::pixels_of(scene, palette_of(Theme::kDark)).value();
  const unsigned char* data = cairo_image_surface_get_data(read);
  const int stride = cairo_image_surface_get_stride(read);
  size_t different = 0;
  for (size_t y = 0; y < 620; y += 7) {
    for (size_t x = 0; x < 4000; ++x) {
      if (x % 4 != 3)
        different += data[y * static_cast<size_t>(stride) + x] !=
                     static_cast<unsigned char>(pixels[y * 4000 + x]);
    }
  }
  CHECK(different == 0);
  cairo_surface_destroy(read);
  std::remove(path.c_str());
}

TEST_CASE("the same scene gives the same bytes in every format") {
  const picture::PangoMeasure measure;
  const scene::Scene scene = gc_pause_stage(measure, trace::Language::kZh);
  for (const picture::Format format :
       {picture::Format::kPng, picture::Format::kSvg, picture::Format::kPdf}) {
    const auto once = picture::bytes_of(scene, palette_of(Theme::kLight), format);
    const auto again = picture::bytes_of(scene, palette_of(Theme::kLight), format);
    REQUIRE(once.ok());
    CHECK(once.value() == again.value());
  }
  CHECK(picture::bytes_of(scene, palette_of(Theme::kLight), picture::Format::kPdf)
            .value()
            .rfind("%PDF-", 0) == 0);
}

TEST_CASE("an SVG holds the texts as texts, safe for XML") {
  const picture::PangoMeasure measure;
  toys::Moment moment = toys::gc_pause();
  moment.scenario.resource.label = {"库存", "a<b & \"c\""};
  const auto scene_in = [&](trace::Language language) {
    return scene::compose_stage({.snapshot = moment.snapshot,
                                 .scenario = moment.scenario,
                                 .measure = measure,
                                 .size = {1400, 700},
                                 .language = language});
  };
  const std::string zh = picture::bytes_of(scene_in(trace::Language::kZh),
                                           palette_of(Theme::kLight), picture::Format::kSvg)
                             .value();
  CHECK(zh.find(">信念</text>") != std::string::npos);
  CHECK(zh.find("lock-0000000042") != std::string::npos);
  const std::string en = picture::bytes_of(scene_in(trace::Language::kEn),
                                           palette_of(Theme::kLight), picture::Format::kSvg)
                             .value();
  CHECK(en.find("a&lt;b &amp; &quot;c&quot; = 40") != std::string::npos);
  CHECK(en.find("a<b") == std::string::npos);
}

TEST_CASE("what cannot be written is said, and leaves nothing behind") {
  const picture::PangoMeasure measure;
  const scene::Scene scene = gc_pause_stage(measure, trace::Language::kEn);
  const scene::Palette& palette = palette_of(Theme::kDark);
  const auto nowhere = picture::draw(scene, palette, temporary("no/such/folder/a.png"));
  REQUIRE(nowhere);
  CHECK(nowhere->file.find("a.png") != std::string::npos);
  CHECK(nowhere->message.find("there is no directory") != std::string::npos);
  const auto ending = picture::draw(scene, palette, temporary("a.bmp"));
  REQUIRE(ending);
  CHECK(ending->message.find(".png, .svg or .pdf") != std::string::npos);
  scene::Scene huge = scene;
  huge.size = {100000, 10};
  CHECK(picture::draw(huge, palette, temporary("huge.png")));
  std::FILE* left = std::fopen(temporary("huge.png").c_str(), "rb");
  CHECK(left == nullptr);
}

TEST_CASE("the ending names the format, in any case of letters") {
  CHECK(picture::format_of("a/b.PNG").value() == picture::Format::kPng);
  CHECK(picture::format_of("b.svg").value() == picture::Format::kSvg);
  CHECK(picture::format_of("b.Pdf").value() == picture::Format::kPdf);
  CHECK_FALSE(picture::format_of("png").ok());
  CHECK_FALSE(picture::format_of("a.png/b").ok());
}
