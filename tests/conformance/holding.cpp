#include "conformance/holding.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "conformance/players.h"
#include "live/folder.h"
#include "live/servers.h"

namespace lockstep::conformance {
namespace {

std::string told(const Plan& plan) {
  std::string text;
  for (const Step& step : plan) text += "  " + text_of(step) + "\n";
  return text;
}

constexpr auto kMinimizingMax = std::chrono::seconds(40);

class Holding {
 public:
  Holding(Player& simulated, Player& real) : simulated_(simulated), real_(real) {}

  /// Empty if both told the same.
  std::string difference_of(const Plan& plan) {
    const Played left = simulated_.play(plan);
    const Played right = real_.play(plan);
    if (!left.trouble.empty()) return "the simulator: " + left.trouble;
    if (!right.trouble.empty()) return "the real server: " + right.trouble;
    return difference(left.log, right.log);
  }

  /// As short as it comes within a minute: one plan takes a second or two.
  std::string explained(const Plan& plan) {
    const auto end = std::chrono::steady_clock::now() + kMinimizingMax;
    const Plan shortest = minimized(plan, [&](const Plan& shorter) {
      return std::chrono::steady_clock::now() < end && !difference_of(shorter).empty();
    });
    const std::string left = difference_of(shortest);
    return "they differ after\n" + told(shortest) + (left.empty() ? "but not always: this time they agreed\n" : left);
  }

 private:
  Player& simulated_;
  Player& real_;
};

}  // namespace

Verdict hold(const HoldOptions& options) {
  scenario::Result<live::Folder> folder = live::Folder::make();
  if (!folder) return {.text = scenario::describe(folder.problems().front())};
  // What a server deletes by itself, by its own clock, is held apart (containers_test.cpp).
  setenv("JAVA_TOOL_OPTIONS", "-Dznode.container.checkIntervalMs=2000000000", 1);
  live::ServersOptions wanted;
  wanted.folder = folder.value().path();
  wanted.count = options.servers;
  scenario::Result<live::Servers> servers = live::Servers::start(wanted);
  if (!servers) return {.text = scenario::describe(servers.problems().front())};
  std::vector<live::Address> addresses;
  for (int i = 0; i < options.servers; ++i) addresses.push_back(servers.value().address(i));
  const auto simulated = simulator(static_cast<uint32_t>(options.servers));
  const auto real = real_servers(addresses);
  Holding holding(*simulated, *real);
  Verdict verdict;
  for (uint64_t number = options.first_plan; verdict.steps < options.steps; ++number) {
    const Plan plan = plan_of(options.seed * 1'000'003 + number, options.steps_a_plan);
    const std::string difference = holding.difference_of(plan);
    verdict.steps += plan.size();
    if (options.progress) std::fprintf(stderr, "\r%zu of %zu", verdict.steps, options.steps);
    if (difference.empty()) continue;
    if (options.progress) std::fprintf(stderr, "\n%s\nminimizing ...\n", difference.c_str());
    verdict.text = "plan " + std::to_string(number) + ":\n" + difference + holding.explained(plan);
    return verdict;
  }
  verdict.agree = true;
  return verdict;
}

}  // namespace lockstep::conformance
