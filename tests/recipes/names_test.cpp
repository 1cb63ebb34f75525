// A set of names: what a std::set of them would hold, whatever is done to it and its copies.
#include <algorithm>
#include <random>
#include <set>

#include "catch.h"
#include "recipes/fields.h"
#include "recipes/names.h"
#include "recipes/zookeeper.h"

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

TEST_CASE("names know their neighbours by number, as sorting them all would tell") {
  std::mt19937_64 bits(12);
  // Signed numbers, equal ones under different names, and names without a number.
  const auto drawn = [&] {
    static const std::vector<std::string> kNumbers = {"-2147483648", "-0000000001", "0000000000", "2147483647"};
    const std::string prefix = std::string(1, static_cast<char>('a' + bits() % 3)) + "-";
    const uint64_t kind = bits() % 10;
    if (kind == 0) return prefix + "none";
    if (kind == 1) return prefix + kNumbers[bits() % kNumbers.size()];
    std::string number = std::to_string(bits() % 500);
    return prefix + std::string(10 - number.size(), '0') + number;
  };
  const auto number_of = [](const std::string& name) {
    int32_t number = 0;
    REQUIRE(zk::sequence_of(name, number));
    return number;
  };
  Names names;
  std::set<std::string> expected;
  for (int i = 0; i < 3000; ++i) {
    const std::string name = drawn();
    if (bits() % 3 != 0) {
      names.insert(name);
      expected.insert(name);
    } else {
      names.erase(name);
      expected.erase(name);
    }
    std::vector<std::pair<int32_t, std::string>> sorted;
    int32_t ignored = 0;
    for (const std::string& one : expected) {
      if (zk::sequence_of(one, ignored)) sorted.emplace_back(number_of(one), one);
    }
    std::sort(sorted.begin(), sorted.end());
    const std::string* first = names.first();
    REQUIRE((first == nullptr) == sorted.empty());
    if (first != nullptr) REQUIRE(*first == sorted.front().second);
    const std::string asked = drawn();
    REQUIRE(names.contains(asked) == (expected.count(asked) == 1));
    const std::string* before = names.before(asked);
    if (!zk::sequence_of(asked, ignored)) {
      REQUIRE(before == nullptr);
      continue;
    }
    const auto place = std::lower_bound(sorted.begin(), sorted.end(), std::pair(number_of(asked), asked));
    REQUIRE((before == nullptr) == (place == sorted.begin()));
    if (before != nullptr) REQUIRE(*before == std::prev(place)->second);
  }
}
