// The parts below the stage: fitting texts, folding rows, words, palettes.
#include <algorithm>
#include <cmath>
#include <string>

#include "catch.h"
#include "scene/fold.h"
#include "scene/palette.h"
#include "scene/strings.h"
#include "scene/toys.h"

using namespace lockstep;
using namespace lockstep::scene;

TEST_CASE("a fitted text is the longest beginning that fits, cut between characters") {
  const toys::PlainMeasure measure;
  const FontSize size = {Font::kSans, 10};
  for (const std::string text : {"hello world", "我持有锁，令牌 0x101", "a锁b锁c", "锁"}) {
    for (float room = 0; room < 140; room += 0.5f) {
      INFO(text << " in " << room);
      const std::string cut = fitted(measure, text, size, room);
      REQUIRE((cut.empty() || measure.width(cut, size) <= room));
      if (measure.width(text, size) <= room) {
        REQUIRE(cut == text);
        continue;
      }
      if (cut.empty()) {
        REQUIRE(measure.width("…", size) > room);
        continue;
      }
      REQUIRE(cut.substr(cut.size() - 3) == "…");
      const std::string kept = cut.substr(0, cut.size() - 3);
      REQUIRE(text.rfind(kept, 0) == 0);
      // One character more would not fit.
      size_t next = kept.size() + 1;
      while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xC0u) == 0x80u)
        ++next;
      REQUIRE(measure.width(text.substr(0, next) + "…", size) > room);
    }
  }
}

namespace {

std::string told(const std::vector<FoldItem>& items) {
  std::string text;
  for (const FoldItem& item : items) {
    if (!text.empty()) text += ' ';
    text += item.folded ? "(" + std::to_string(item.count) + ")" : std::to_string(item.first);
  }
  return text;
}

}  // namespace

TEST_CASE("folding shows all that fits, else the wanted rows and counts between") {
  const FoldRoom five = {.all = 5, .shown = 1, .folded = 1};
  CHECK(told(fold(5, {}, five)) == "0 1 2 3 4");
  CHECK(told(fold(9, {}, five)) == "0 1 2 3 (5)");
  CHECK(told(fold(9, {0, 8}, five)) == "0 1 2 (5) 8");
  CHECK(told(fold(9, {4}, five)) == "0 1 (2) 4 (4)");
  CHECK(told(fold(9, {4, 0, 8}, five)) == "0 (3) 4 (3) 8");
  CHECK(told(fold(9, {4, 0, 8, 3, 5}, {.all = 7, .shown = 1, .folded = 1})) == "0 (2) 3 4 5 (2) 8");
}

TEST_CASE("folding loses no row and never takes more room than there is") {
  for (int64_t rows = 0; rows < 40; ++rows) {
    for (float all = 5; all < 20; all += 0.7f) {
      const FoldRoom room = {.all = all, .shown = 2, .folded = 1.3f};
      const auto items = fold(rows, {rows / 2, 0, rows - 1, rows / 2 + 1, -1, rows}, room);
      INFO(rows << " rows in " << all << ": " << told(items));
      int64_t next = 0;
      float cost = 0;
      for (const FoldItem& item : items) {
        REQUIRE(item.first == next);
        REQUIRE((item.folded || item.count == 1));
        next += item.count;
        cost += item.folded ? room.folded : room.shown;
      }
      REQUIRE(next == rows);
      REQUIRE(cost <= all + 0.001f);
    }
  }
}

TEST_CASE("words have their values put in, and spans have the digits that matter") {
  CHECK(say(Word::kRefused, trace::Language::kEn, {"0x1", "0x2"}) == "refused: 0x1 < 0x2");
  CHECK(say(Word::kRefused, trace::Language::kZh, {"0x1", "{0}"}) == "拒绝：0x1 < {0}");
  CHECK(span_text(7200 * kMillisecond, trace::Language::kEn) == "7.2 s");
  CHECK(span_text(12059 * kMillisecond, trace::Language::kEn) == "12.0 s");
  CHECK(span_text(250 * kMillisecond, trace::Language::kEn) == "250 ms");
  CHECK(span_text(4050, trace::Language::kEn) == "4.0 ms");
  CHECK(span_text(-5, trace::Language::kEn) == "0 ms");
}

TEST_CASE("one is told apart from many") {
  CHECK(say(Word::kChildren, trace::Language::kEn, {"1"}) == "1 child");
  CHECK(say(Word::kChildren, trace::Language::kEn, {"0"}) == "0 children");
  CHECK(say(Word::kChildren, trace::Language::kEn, {"11"}) == "11 children");
  CHECK(counted("{0} [node is|nodes are] [a|b] here", true) == "{0} node is a here");
  CHECK(counted("nothing to count [", false) == "nothing to count [");
}

TEST_CASE("both languages take the same values") {
  for (int i = 0; i < static_cast<int>(Word::kWords_); ++i) {
    const auto key = static_cast<Word>(i);
    for (const std::string slot : {"{0}", "{1}"}) {
      INFO(word(key, trace::Language::kEn));
      CHECK((word(key, trace::Language::kZh).find(slot) != std::string::npos) ==
            (word(key, trace::Language::kEn).find(slot) != std::string::npos));
    }
  }
}

// ---- Palettes ----------------------------------------------------------------------------------

namespace {

double linear(double channel) {
  return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

struct Light {
  double r = 0;
  double g = 0;
  double b = 0;
};
Light light_of(Rgb c) { return {linear(c.r / 255.0), linear(c.g / 255.0), linear(c.b / 255.0)}; }

/// WCAG 2.1's contrast ratio.
double contrast(Rgb a, Rgb b) {
  const auto luminance = [](Rgb c) {
    const Light l = light_of(c);
    return 0.2126 * l.r + 0.7152 * l.g + 0.0722 * l.b;
  };
  const double x = luminance(a) + 0.05;
  const double y = luminance(b) + 0.05;
  return x > y ? x / y : y / x;
}

/// How people without red (protanopia) or green (deuteranopia) receptors see it: Machado et al. 2009.
Light seen(Light c, const double (&m)[9]) {
  const auto row = [&](int i) {
    return std::clamp(m[i] * c.r + m[i + 1] * c.g + m[i + 2] * c.b, 0.0, 1.0);
  };
  return {row(0), row(3), row(6)};
}

/// Distance in Oklab, where 0.02 is just noticeable side by side.
double distance(Light x, Light y) {
  const auto lab = [](Light c) {
    const double l = std::cbrt(0.4122214708 * c.r + 0.5363325363 * c.g + 0.0514459929 * c.b);
    const double m = std::cbrt(0.2119034982 * c.r + 0.6806995451 * c.g + 0.1073969566 * c.b);
    const double s = std::cbrt(0.0883024619 * c.r + 0.2817188376 * c.g + 0.6299787005 * c.b);
    return Light{0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
                 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
                 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
  };
  const Light a = lab(x);
  const Light b = lab(y);
  return std::sqrt((a.r - b.r) * (a.r - b.r) + (a.g - b.g) * (a.g - b.g) +
                   (a.b - b.b) * (a.b - b.b));
}

constexpr double kReadable = 4.5;  // WCAG AA
constexpr Theme kThemes[] = {Theme::kDark, Theme::kLight, Theme::kPrint};

}  // namespace

TEST_CASE("texts are readable on what they lie on, in every theme") {
  for (const Theme theme : kThemes) {
    const Palette& p = palette_of(theme);
    const auto check = [&](Ink text, Ink ground) {
      INFO("theme " << static_cast<int>(theme) << ", role " << static_cast<int>(text.role) << " on "
                    << static_cast<int>(ground.role) << ", hue " << text.identity << '/'
                    << ground.identity);
      CHECK(contrast(p.color(text), p.color(ground)) >= kReadable);
    };
    for (const Role ground : {Role::kBackground, Role::kPanel, Role::kCard}) {
      for (const Role text :
           {Role::kText, Role::kTextDim, Role::kAccent, Role::kOk, Role::kWarn, Role::kDanger}) {
        check({.role = text}, {.role = ground});
      }
    }
    for (const Role text : {Role::kText, Role::kTextDim}) {
      for (const Role wash : {Role::kDangerWash, Role::kOkWash, Role::kWarnWash})
        check({.role = text}, {.role = wash});
    }
    check({.role = Role::kDanger}, {.role = Role::kDangerWash});
    check({.role = Role::kWarn}, {.role = Role::kDangerWash});  // a paused client in danger
    check({.role = Role::kWarn}, {.role = Role::kWarnWash});
    check({.role = Role::kOk}, {.role = Role::kOkWash});
    check({.role = Role::kOnDangerFill}, {.role = Role::kDangerFill});
    check({.role = Role::kBackground}, {.role = Role::kAccent});
    for (int32_t hue = 0; hue < kIdentities; ++hue) {
      check({.role = Role::kOnIdentity, .identity = hue},
            {.role = Role::kIdentity, .identity = hue});
      for (const Role text : {Role::kText, Role::kTextDim, Role::kWarn, Role::kOk}) {
        check({.role = text}, {.role = Role::kIdentityWash, .identity = hue});
      }
      check({.role = Role::kIdentity, .identity = hue}, {.role = Role::kCard});
    }
  }
}

TEST_CASE("hues are told apart, also without red or green") {
  constexpr double kProtan[9] = {0.152286, 1.052583,  -0.204868, 0.114503, 0.786281,
                                 0.099216, -0.003882, -0.048116, 1.051998};
  constexpr double kDeutan[9] = {0.367322, 0.860646,  -0.227968, 0.280085, 0.672501,
                                 0.047413, -0.011820, 0.042940,  0.968881};
  for (const Theme theme : kThemes) {
    const Palette& p = palette_of(theme);
    for (size_t a = 0; a < p.identity.size(); ++a) {
      for (size_t b = a + 1; b < p.identity.size(); ++b) {
        INFO("theme " << static_cast<int>(theme) << ", hues " << a << " and " << b);
        const Light x = light_of(p.identity[a]);
        const Light y = light_of(p.identity[b]);
        CHECK(distance(x, y) > 0.05);
        CHECK(distance(seen(x, kProtan), seen(y, kProtan)) > 0.05);
        CHECK(distance(seen(x, kDeutan), seen(y, kDeutan)) > 0.05);
      }
    }
  }
}
