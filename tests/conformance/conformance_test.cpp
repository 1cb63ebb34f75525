// The simulator is held against a real server: the same random plans, the same things told to each session.
#include <cstdlib>
#include <random>

#include "catch.h"
#include "conformance/holding.h"
#include "conformance/players.h"

using namespace lockstep;
using namespace lockstep::conformance;

TEST_CASE("the simulated ensemble tells what a real one of three servers tells") {
  const uint64_t seed = std::random_device{}();
  INFO("seed " << seed << "; again: tests/conformance/run --servers 3 --seed " << seed);
  const Verdict verdict = hold({.seed = seed, .steps = 3'000, .servers = 3});
  INFO(verdict.text);
  CHECK(verdict.agree);
}

TEST_CASE("the simulator tells what a real server tells") {
  const uint64_t seed = std::random_device{}();
  INFO("seed " << seed << "; again: tests/conformance/run --seed " << seed);
  const Verdict verdict = hold({.seed = seed, .steps = 20'000});
  INFO(verdict.text);
  CHECK(verdict.agree);
}
