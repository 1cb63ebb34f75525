// A set of names: what a std::set of them would hold, whatever is done to it and its copies.
#include <algorithm>
#include <random>
#include <set>

#include "catch.h"
#include "recipes/fields.h"
#include "recipes/names.h"

using namespace lockstep;

namespace {

std::set<std::string> content(const Names& names) { return {names.begin(), names.end()}; }

}  // namespace

TEST_CASE("names are a set: copies keep what they had, and order does not tell how it came to be") {
  std::mt19937_64 bits(11);
  Names names;
  std::set<std::string> expected;
  std::vector<std::pair<Names, std::set<std::string>>> kept;
  for (int i = 0; i < 4000; ++i) {
    const std::string name = "lock-" + std::to_string(bits() % 900);
    if (bits() % 3 != 0) {
      REQUIRE(names.insert(name) == expected.insert(name).second);
    } else {
      REQUIRE(names.erase(name) == (expected.erase(name) == 1));
    }
    REQUIRE(names.size() == expected.size());
    if (i % 500 == 0) kept.emplace_back(names, expected);
  }
  kept.emplace_back(names, expected);
  for (const auto& [copy, had] : kept) {
    CHECK(content(copy) == had);
    CHECK(static_cast<size_t>(std::distance(copy.begin(), copy.end())) == copy.size());
    const Names afresh(std::vector<std::string>(had.begin(), had.end()));
    CHECK(copy == afresh);
    CHECK(hash_of(copy) == hash_of(afresh));
    CHECK(std::equal(copy.begin(), copy.end(), afresh.begin()));
  }
  CHECK_FALSE(kept.front().first == names);
}

TEST_CASE("an emptied set of names is as a new one") {
  Names names;
  CHECK_FALSE(names.erase("a"));
  CHECK(names.insert("a"));
  CHECK(names.erase("a"));
  CHECK(names.empty());
  CHECK(names == Names());
  CHECK(names.begin() == names.end());
}
