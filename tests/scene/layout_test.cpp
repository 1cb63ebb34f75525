// What must hold of every stage, whatever is on it: nothing overlaps, nothing is cut off, everybody is
// there or counted, and danger looks like danger.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "catch.h"
#include "scene/faults.h"
#include "scene/stage.h"
#include "scene/toys.h"
#include "trace/facts.h"

using namespace lockstep;
using namespace lockstep::scene;
using faults::fault_of;
using faults::kRounding;
using faults::lies_in;

namespace {

struct Case {
  Size size;
  float font_px;
  trace::Language language;
};

std::vector<Case> cases() {
  std::vector<Case> made;
  for (const Size size : {Size{860, 560}, Size{1280, 800}, Size{1920, 1080}, Size{3840, 2160}}) {
    for (const float font : {12.0f, 15.0f, 22.0f, 40.0f}) {
      made.push_back({size, font, trace::Language::kZh});
      made.push_back({size, font, trace::Language::kEn});
    }
  }
  return made;
}

std::string told(const Case& c, int clients) {
  return std::to_string(static_cast<int>(c.size.w)) + "x" +
         std::to_string(static_cast<int>(c.size.h)) + ", font " +
         std::to_string(static_cast<int>(c.font_px)) +
         (c.language == trace::Language::kZh ? ", zh, " : ", en, ") + std::to_string(clients) +
         " clients";
}

Scene stage_of(const toys::Moment& moment, const Case& c, const TextMeasure& measure,
               const std::string& chosen) {
  return compose_stage({.snapshot = moment.snapshot,
                        .scenario = moment.scenario,
                        .measure = measure,
                        .size = c.size,
                        .font_px = c.font_px,
                        .language = c.language,
                        .chosen = chosen});
}

/// The roles of the shapes that lie in the rectangle.
std::set<Role> roles_in(const Scene& scene, Rect rect) {
  std::set<Role> roles;
  for (const Shape& shape : scene.shapes) {
    if (!lies_in(bounds_of(shape), rect.inset(-4))) continue;
    if (const Box* box = std::get_if<Box>(&shape)) {
      if (box->fill.opacity > 0) roles.insert(box->fill.role);
      if (box->stroke.width > 0) roles.insert(box->stroke.ink.role);
    } else if (const Text* text = std::get_if<Text>(&shape)) {
      roles.insert(text->ink.role);
    } else if (const Line* line = std::get_if<Line>(&shape)) {
      roles.insert(line->stroke.ink.role);
    }
  }
  return roles;
}

int64_t first_number_in(const std::string& text) {
  const size_t at = text.find_first_of("0123456789");
  return at == std::string::npos ? -1 : std::stoll(text.substr(at));
}

}  // namespace

TEST_CASE("nothing on a stage overlaps or is cut off") {
  const toys::PlainMeasure measure;
  for (const int clients : {0, 1, 2, 3, 4, 7, 30, 200}) {
    const toys::Moment moment = toys::random_moment(clients, 11 + static_cast<uint64_t>(clients));
    for (const Case& c : cases()) {
      INFO(told(c, clients));
      const std::string chosen = clients > 0 ? moment.scenario.clients.back().id : "";
      const Scene scene = stage_of(moment, c, measure, chosen);
      REQUIRE(scene.size == c.size);
      REQUIRE(fault_of(scene, measure) == "");
    }
  }
}

TEST_CASE("nor on one with an ensemble") {
  const toys::PlainMeasure measure;
  for (const int servers : {2, 3, 5, 7}) {
    for (const int clients : {0, 2, 10, 200}) {
      toys::Moment moment = toys::random_moment(clients, 5 + static_cast<uint64_t>(clients));
      toys::make_ensemble(moment, servers, static_cast<uint64_t>(servers));
      for (const Case& c : cases()) {
        INFO(told(c, clients) << ", " << servers << " servers");
        const Scene scene = stage_of(moment, c, measure, "");
        REQUIRE(fault_of(scene, measure) == "");
        for (int i = 1; i <= servers; ++i) {
          const std::string id = "zk" + std::to_string(i);
          REQUIRE(text_in(scene, "server/" + id).find(id) != std::string::npos);
        }
      }
    }
  }
}

TEST_CASE("the GC pause fits everywhere, and says what matters in both languages") {
  const toys::PlainMeasure measure;
  const toys::Moment moment = toys::gc_pause();
  for (const Case& c : cases()) {
    INFO(told(c, 3));
    const Scene scene = stage_of(moment, c, measure, "A");
    REQUIRE(fault_of(scene, measure) == "");
    const bool zh = c.language == trace::Language::kZh;
    REQUIRE(text_in(scene, "client/A").find(zh ? "持有" : "I hold") != std::string::npos);
    REQUIRE(text_in(scene, "client/A").find("0x101") != std::string::npos);
    REQUIRE(text_in(scene, "client/A/chip").find(zh ? "危险" : "danger") != std::string::npos);
    REQUIRE(text_in(scene, "client/B/chip").find(zh ? "事实" : "truth") != std::string::npos);
    REQUIRE(text_in(scene, "session/A#1").find(zh ? "过期" : "expired") != std::string::npos);
    REQUIRE(text_in(scene, "message/17").find("60") != std::string::npos);
    REQUIRE(text_in(scene, "resource/db").find("40") != std::string::npos);
  }
}

TEST_CASE("danger is shown for the clients in danger and for no other") {
  const toys::PlainMeasure measure;
  const Case c = {{1920, 1080}, 14, trace::Language::kEn};
  size_t dangerous = 0;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    const toys::Moment moment = toys::random_moment(4, seed);
    const Scene scene = stage_of(moment, c, measure, "");
    for (const auto& [id, row] : moment.snapshot.clients) {
      INFO("seed " << seed << ", client " << id);
      const Region* card = find_region(scene, "client/" + id);
      REQUIRE(card);
      const bool danger = trace::danger_of(moment.snapshot, moment.scenario.lock_path, id) ==
                          trace::Danger::kDangerous;
      dangerous += danger ? 1 : 0;
      const std::set<Role> roles = roles_in(scene, card->rect);
      CHECK((roles.count(Role::kDanger) == 1) == danger);
      CHECK((roles.count(Role::kDangerFill) == 1) == danger);
      CHECK((text_in(scene, card->id).find("danger") != std::string::npos) == danger);
    }
  }
  REQUIRE(dangerous > 3);
}

TEST_CASE("a thousand clients fold: everybody is shown or counted, and who matters is shown") {
  const toys::PlainMeasure measure;
  const toys::Moment moment = toys::random_moment(1000, 5);
  const std::string chosen = toys::client_name(500);
  const Scene scene = stage_of(moment, {{1920, 1080}, 14, trace::Language::kEn}, measure, chosen);
  REQUIRE(fault_of(scene, measure) == "");
  int64_t seen = 0;
  bool danger = false;
  for (const Region& region : scene.regions) {
    const bool in_belief =
        region.parent >= 0 && scene.regions[static_cast<size_t>(region.parent)].id == "band/belief";
    if (!in_belief) continue;
    const bool folded = region.id.rfind("folded/", 0) == 0;
    seen += folded ? first_number_in(text_in(scene, region.id)) : 1;
    danger = danger || (!folded && text_in(scene, region.id).find("danger") != std::string::npos);
  }
  CHECK(seen == 1000);
  CHECK(danger);
  CHECK(find_region(scene, "client/" + chosen));
}

TEST_CASE("unfolded, all thousand stand side by side") {
  const toys::PlainMeasure measure;
  const toys::Moment moment = toys::random_moment(1000, 5);
  const Scene scene = compose_stage({.snapshot = moment.snapshot,
                                     .scenario = moment.scenario,
                                     .measure = measure,
                                     .size = {1280, 700},
                                     .unfolded = true});
  CHECK(scene.size.w > 1280);
  for (int i = 0; i < 1000; i += 37) CHECK(find_region(scene, "client/" + toys::client_name(i)));
  const auto lies_inside = [&](const Region& region) {
    return region.rect.right() <= scene.size.w + kRounding;
  };
  CHECK(std::all_of(scene.regions.begin(), scene.regions.end(), lies_inside));
}

TEST_CASE("the same moment gives the same scene") {
  const toys::PlainMeasure measure;
  const Case c = {{1280, 800}, 14, trace::Language::kZh};
  CHECK(stage_of(toys::random_moment(12, 3), c, measure, "C") ==
        stage_of(toys::random_moment(12, 3), c, measure, "C"));
}
