// Lessons with something wrong at a random place: each is read or refused with a place and a message, and
// none crashes. The seeds are fixed; a failure prints the lesson.
#include <random>
#include <string>
#include <vector>

#include "scenario/reading.h"
#include "tiny.h"

using namespace lockstep;
using namespace lockstep::course;
using nlohmann::json;

namespace {

class Mutator {
 public:
  explicit Mutator(uint64_t seed) : bits_(seed) {}

  size_t below(size_t bound) { return static_cast<size_t>(bits_() % bound); }

  /// Changes one node of the tree: another value, a member gone, a member renamed.
  void mutate(json& root) {
    std::vector<std::string> pointers;
    const json flat = root.flatten();
    for (const auto& [pointer, ignored] : flat.items()) {
      for (size_t end = pointer.find('/', 1); end != std::string::npos;
           end = pointer.find('/', end + 1)) {
        pointers.push_back(pointer.substr(0, end));
      }
      pointers.push_back(pointer);
    }
    json& node = root.at(json::json_pointer(pointers[below(pointers.size())]));
    if (node.is_object() && !node.empty() && below(3) > 0) {
      auto member = node.begin();
      std::advance(member, static_cast<std::ptrdiff_t>(below(node.size())));
      const json value = member.value();
      const std::string key = member.key();
      node.erase(key);
      if (below(2) == 0) node[key + "x"] = value;
      return;
    }
    if (node.is_array() && !node.empty() && below(2) == 0) {
      node.erase(below(node.size()));
    } else {
      node = strange();
    }
  }

 private:
  json strange() {
    switch (below(12)) {
      case 0: return nullptr;
      case 1: return true;
      case 2: return -1;
      case 3: return 9223372036854775807;
      case 4: return 1.5;
      case 5: return 1e300;
      case 6: return "";
      case 7: return "/clients/~2/x";
      case 8: return std::string(3000, 'A');
      case 9: return json::array();
      case 10: return json::object();
      default: return json::parse(R"([{"at": "/facts/holders", "max": 1}])");
    }
  }

  std::mt19937_64 bits_;
};

}  // namespace

TEST_CASE("no lesson crashes its reader") {
  const auto text = scenario::read_file(scenario::data_folder() + "/lessons/L18-gc-pause.json");
  REQUIRE(text.ok());
  const std::vector<json> lessons = {tiny(), json::parse(text.value())};
  int refused = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    Mutator mutator(seed);
    json lesson = lessons[seed % 2];
    for (size_t i = 0; i <= mutator.below(3); ++i) mutator.mutate(lesson);
    INFO("seed " << seed << ": " << lesson.dump());
    const scenario::Result<Lesson> read = lesson_from_json(lesson, "f.json");
    if (read) continue;
    ++refused;
    REQUIRE_FALSE(read.problems().empty());
    for (const scenario::Problem& problem : read.problems()) {
      REQUIRE(problem.file == "f.json");
      REQUIRE_FALSE(problem.message.empty());
    }
  }
  CHECK(refused > 100);  // Or the changes are none.
}

TEST_CASE("no bytes crash the parser") {
  const std::string text = tiny().dump();
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    Mutator mutator(seed);
    std::string bytes = text;
    for (size_t i = 0; i <= mutator.below(4); ++i)
      bytes[mutator.below(bytes.size())] = static_cast<char>(mutator.below(256));
    bytes.resize(bytes.size() - mutator.below(3));
    const auto parsed = scenario::parse_json(bytes, "f.json");
    if (!parsed) CHECK_FALSE(parsed.problems().front().message.empty());
  }
}
