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
  CHECK(complaint(" \n") == "f.json: is empty; expected JSON");
  CHECK(begins(complaint("{\n  \"a\": tru }"), "f.json: line 2, column 11: not JSON"));
  CHECK(begins(complaint("{\"a\": 1"), "f.json: line 1, column 7: not JSON"));
}

TEST_CASE("the usual slips are told apart") {
  const std::vector<std::pair<std::string, std::string>> slips = {
      {"{\"a\": 1,}", "line 1, column 9: not JSON: a comma stands before this }; remove the comma"},
      {"[1, 2, ]", "line 1, column 8: not JSON: a comma stands before this ]"},
      {"[1 2]", "line 1, column 5: not JSON: a comma is missing before this"},
      {"{\"a\": 1 \"b\": 2}", "a comma is missing before this"},
      {"{\"a\" 1}", "a colon is missing"},
      {"{a: 1}", "line 1, column 2: not JSON: expected a key in double quotes"},
      {"{'a': 1}", "double quotes, not in single ones"},
      {"{\"a\": 1} // note", "something follows after the end"},
      {"{\n// note\n\"a\": 1}", "line 2, column 1: not JSON: JSON has no comments"},
      {"{\"a\": 1e999}", "line 1, column 12: this number is too large"},
      {"{\"a\": \"x", "was the file cut off?"},
      {"{\"a\": [1, 2", "was the file cut off?"},
      {"{\"a\": \"\xe5\xba", "was the file cut off?"},
      {"{\"a\": fals", "was the file cut off?"},
      {"{\"a\": 1.", "was the file cut off?"},
      {"{\"a\": \"x\ny\"}", "write a line break in it as \\n"},
      {"{\"a\": \"C:\\new\\dir\"}", "no such escape"},
      {"{\"a\": \"\\ud800\"}", "this \\u escape is no character"},
      {"# Lessons", "line 1, column 1: not JSON: expected { at the start"},
      {"{\"a\": NaN}", "expected a text in double quotes, a number, true, false, null, { or ["},
      {std::string("\x7f"
                   "ELF\0\0",
                   6),
       "line 1, column 1: not JSON: this is no text file"},
      {std::string("\xff\xfe{\0}\0", 6), "is UTF-16; save the file as UTF-8"},
  };
  for (const auto& [text, said] : slips) {
    INFO(text);
    CHECK_THAT(complaint(text), Catch::Matchers::Contains(said));
  }
}

TEST_CASE("control characters in texts and keys are refused, escaped or not") {
  CHECK(complaint("[\"a\\u0000b\"]") ==
        "f.json: line 1, column 11: this text holds a control character (byte 0); remove it");
  CHECK(begins(complaint("{\"a\\u001bb\": 1}"),
               "f.json: line 1, column 11: this text holds a control character"));
  CHECK(parse_json("[\"two\\nlines and a\\ttab\"]", "f.json").ok());
}

TEST_CASE("JSON of more than 32 MiB is refused before it is read") {
  CHECK(complaint(std::string((32u << 20) + 1, ' ')) ==
        "f.json: is larger than 32 MiB, the most that is read as one JSON value");
}

TEST_CASE("a problem is told on one line, whatever it quotes") {
  const Problem problem{"f\x1b[31m.json", "/a\nb", "is \"\xc2\x9b\x07\"", ProblemKind::kInput};
  CHECK(describe(problem) == "f\\u001b[31m.json#/a\\u000ab: is \"\\u009b\\u0007\"");
  const Problem endless{"", "", std::string(5000, 'x'), ProblemKind::kInput};
  CHECK(describe(endless).size() < 1500);
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
  CHECK(complaint("[\"ab\xff\"]") ==
        "f.json: line 1, column 5: this byte is not UTF-8; save the file as UTF-8");
}

TEST_CASE("depth is bounded at 64") {
  CHECK(parse_json(nested(64), "f.json").ok());
  CHECK(complaint(nested(65)) ==
        "f.json: line 1, column 65: nested deeper than 64 levels, the most that is read");
  CHECK(begins(complaint(std::string(1000000, '[')), "f.json: line 1, column 65: "));
}

TEST_CASE("integers that 64 bits with a sign cannot hold are refused") {
  CHECK(parse_json("[9223372036854775807, -9223372036854775808]", "f.json").ok());
  CHECK(begins(complaint("[9223372036854775808]"),
               "f.json: line 1, column 21: the number 9223372036854775808 is too large"));
}

TEST_CASE("files that cannot be read are named with the reason") {
  const auto missing = read_file("no/such/file.json");
  REQUIRE_FALSE(missing.ok());
  CHECK(describe(missing.problems().front()) ==
        "no/such/file.json: there is no directory no/such; check the path");
  const auto near = read_file(data_folder() + "/lessons/L18.json");
  REQUIRE_FALSE(near.ok());
  CHECK(describe(near.problems().front()) ==
        data_folder() + "/lessons/L18.json: there is no such file; did you mean " + data_folder() +
            "/lessons/L18-gc-pause.json?");
  const auto within = read_file(data_folder() + "/README.md/file.json");  // a path through a file
  REQUIRE_FALSE(within.ok());
  CHECK(within.problems().front().message ==
        "there is no directory " + data_folder() + "/README.md; check the path");
  const auto folder = read_file(data_folder());
  REQUIRE_FALSE(folder.ok());
  CHECK(folder.problems().front().message == "is a directory; a file was expected");
}
