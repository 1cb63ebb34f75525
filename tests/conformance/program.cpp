// conformance --ops N --seed S --plan P --servers K: holds the simulator against a real server, for as long as one likes.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include "conformance/holding.h"

int main(int count, char** arguments) {
  using namespace lockstep::conformance;
  HoldOptions options{.seed = std::random_device{}(), .progress = true};
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string name = arguments[i];
    char* end = nullptr;
    const unsigned long long value = std::strtoull(arguments[i + 1], &end, 10);
    const bool servers = name == "--servers" && value >= 1 && value <= 5;
    if (*end != '\0' || (name != "--ops" && name != "--seed" && name != "--plan" && !servers)) count = 0;
    if (name == "--ops") options.steps = value;
    if (name == "--seed") options.seed = value;
    if (name == "--plan") options.first_plan = value;
    if (servers) options.servers = static_cast<int>(value);
  }
  if (count % 2 == 0) {
    std::fputs("usage: conformance [--ops N] [--seed S] [--plan P] [--servers 1..5]\n", stderr);
    return 2;
  }
  std::printf("seed %llu\n", static_cast<unsigned long long>(options.seed));
  const Verdict verdict = hold(options);
  std::printf("\n%zu operations: %s\n%s", verdict.steps,
              verdict.agree ? "no difference" : "they differ", verdict.text.c_str());
  return verdict.agree ? 0 : 1;
}
