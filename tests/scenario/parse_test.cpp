// Bytes to JSON: what is refused, and where the complaint points.
#include <nlohmann/json.hpp>

#include "catch.h"
#include "scenario/reading.h"

using namespace lockstep::scenario;

namespace {

std::string complaint(const std::string& text) {
  const auto parsed = parse_json(text, "f.json");
  REQUIRE_FALSE(parsed.ok());
  REQUIRE(parsed.problems().size() == 1);
  return describe(parsed.problems().front());
}

bool begins(const std::string& text, const std::string& with) { return text.rfind(with, 0) == 0; }

std::string nested(size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

}  // namespace

TEST_CASE("plain JSON is read as it stands") {
  const auto parsed = parse_json(R"({"a": [1, -2, 0.5, "栅", null, true], "b": {}})", "f.json");
  REQUIRE(parsed.ok());
  CHECK(parsed.value().at("a").at(1) == -2);
  CHECK(parsed.value().at("a").at(3) == "栅");
  CHECK(parsed.value().at("b").empty());
}

TEST_CASE("broken JSON is refused with line and column") {
  CHECK(begins(complaint(""), "f.json: line 1, column 1: not JSON"));
  CHECK(begins(complaint("{\n  \"a\": tru }"), "f.json: line 2, column 11: not JSON"));
  CHECK(begins(complaint("{\"a\": 1"), "f.json: line 1, column 7: not JSON"));
}

TEST_CASE("columns count characters, not bytes") {
  CHECK(begins(complaint("[\"栅栅\" x]"), "f.json: line 1, column 7: "));
}

TEST_CASE("text after the value is refused") {
  CHECK(begins(complaint("{}\n]"), "f.json: line 2, column 1: not JSON"));
}

TEST_CASE("a key twice in one object is refused where it stands again") {
  CHECK(complaint("{\"a\": 1,\n \"b\": {\"a\": 2},\n \"a\": 3}") ==
        "f.json: line 3, column 4: the key \"a\" stands twice in one object; remove one of them");
}

TEST_CASE("what is not UTF-8 is refused") {
  CHECK(complaint("[\"ab\xff\"]") == "f.json: line 1, column 5: this byte is not UTF-8; save the file as UTF-8");
}

TEST_CASE("depth is bounded at 64") {
  CHECK(parse_json(nested(64), "f.json").ok());
  CHECK(complaint(nested(65)) ==
        "f.json: line 1, column 65: nested deeper than 64 levels, the most that is read");
  CHECK(begins(complaint(std::string(1000000, '[')), "f.json: line 1, column 65: "));
}

TEST_CASE("integers that 64 bits with a sign cannot hold are refused") {
  CHECK(parse_json("[9223372036854775807, -9223372036854775808]", "f.json").ok());
  CHECK(begins(complaint("[9223372036854775808]"), "f.json: line 1, column 21: the number 9223372036854775808 is too large"));
}

TEST_CASE("files that cannot be read are named with the reason") {
  const auto missing = read_file("no/such/file.json");
  REQUIRE_FALSE(missing.ok());
  CHECK(describe(missing.problems().front()) == "no/such/file.json: there is no such file; check the path");
  const auto folder = read_file(data_folder());
  REQUIRE_FALSE(folder.ok());
  CHECK(folder.problems().front().message == "is a directory; a file was expected");
}
