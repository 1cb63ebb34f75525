#include "recipes/names.h"

#include <random>
#include <set>

#include "catch.h"

using lockstep::Names;

TEST_CASE("a set of names holds what a plain set would, and its copies what it held then") {
  std::mt19937_64 bits(1);
  Names names;
  std::set<std::string> plain;
  Names copy;
  std::set<std::string> plain_copy;
  for (int i = 0; i < 3000; ++i) {
    const std::string name = "lock-" + std::to_string(bits() % 700);
    if (bits() % 3 == 0) {
      REQUIRE(names.erase(name) == (plain.erase(name) == 1));
    } else {
      REQUIRE(names.insert(name) == plain.insert(name).second);
    }
    REQUIRE(names.size() == plain.size());
    if (i == 1500) {
      copy = names;
      plain_copy = plain;
    }
  }
  CHECK(std::set<std::string>(names.begin(), names.end()) == plain);
  CHECK(std::set<std::string>(copy.begin(), copy.end()) == plain_copy);
  for (const std::string& name : plain) REQUIRE(names.erase(name));
  CHECK(names.empty());
  CHECK(names == Names());
}

TEST_CASE("names come in the same order, however they came in") {
  Names up;
  Names down;
  for (int i = 0; i < 1000; ++i) {
    up.insert(std::to_string(i));
    down.insert(std::to_string(999 - i));
  }
  CHECK(up == down);
  CHECK(std::vector<std::string>(up.begin(), up.end()) == std::vector<std::string>(down.begin(), down.end()));
}
