// Writing files: complete, or as they were before.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>

#include "catch.h"
#include "scenario/output.h"

using namespace lockstep::scenario;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "lockstep_output_XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  size_t size() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(path_), fs::directory_iterator()));
  }

 private:
  fs::path path_;
};

std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::optional<Problem> put(const std::string& path, const std::string& text) {
  return write_file(path, [&](std::ostream& out) { out << text; });
}

}  // namespace

TEST_CASE("a file is written, and replaced, and nothing is left beside it") {
  const Folder folder;
  CHECK_FALSE(put(folder.file("a"), "one"));
  CHECK_FALSE(put(folder.file("a"), "two"));
  CHECK(content(folder.file("a")) == "two");
  CHECK(folder.size() == 1);
}

TEST_CASE("what cannot be written to its end leaves the old file as it was") {
  const Folder folder;
  REQUIRE_FALSE(put(folder.file("a"), "old"));
  const auto failing = [](std::ostream& out) {
    out << "half";
    out.setstate(std::ios::badbit);
  };
  REQUIRE(write_file(folder.file("a"), failing));
  CHECK(content(folder.file("a")) == "old");
  CHECK(folder.size() == 1);
}

TEST_CASE("a link stays one, and what it leads to is written") {
  const Folder folder;
  REQUIRE_FALSE(put(folder.file("real"), "old"));
  fs::create_symlink("real", folder.file("link"));
  CHECK_FALSE(put(folder.file("link"), "new"));
  CHECK(fs::is_symlink(folder.file("link")));
  CHECK(content(folder.file("real")) == "new");
}

TEST_CASE("devices are written to, not replaced") {
  CHECK_FALSE(put("/dev/null", "text"));
  CHECK(fs::is_character_file("/dev/null"));
  const auto full = put("/dev/full", "text");
  CHECK(fs::is_character_file("/dev/full"));
  REQUIRE(full);
  CHECK(full->kind == ProblemKind::kEnvironment);
  CHECK_THAT(full->message, Contains("No space left") && Contains("make room"));
}

TEST_CASE("names that can be no file are bad input, before anything is written") {
  const Folder folder;
  REQUIRE_FALSE(put(folder.file("file"), "text"));
  for (const auto& [name, said] : std::vector<std::pair<std::string, std::string>>{
           {"", "is no name"},
           {folder.file("."), "is a directory"},
           {folder.file("no/such/file"), "there is no directory"},
           {folder.file("file/in"), "is no directory"},
           {folder.file(std::string(400, 'x')), "too long"}}) {
    INFO(name);
    const auto problem = put(name, "text");
    REQUIRE(problem);
    CHECK(problem->kind == ProblemKind::kInput);
    CHECK_THAT(problem->message, Contains(said));
  }
  CHECK(folder.size() == 1);
}
