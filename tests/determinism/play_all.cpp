// play_all FOLDER: plays the scenario of each lesson in FOLDER with several seeds and prints, for each, how many
// events there were and a hash of the trace as a file. Two builds of it must print the same.
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "play/run.h"
#include "recipes/fields.h"
#include "scenario/reading.h"
#include "trace/json.h"

namespace lockstep {
namespace {

/// Beside the scenario's own.
constexpr uint64_t kSeeds[] = {1, 2, 3, 0xffff'ffff'ffff'ffff};

void complain(const std::vector<scenario::Problem>& problems) {
  for (const scenario::Problem& problem : problems) {
    std::fprintf(stderr, "play_all: %s\n", scenario::describe(problem).c_str());
  }
}

void play(const std::string& name, const scenario::Scenario& scenario) {
  const trace::Trace trace = play::play_to_end(scenario);
  std::ostringstream lines;
  trace::write_json_lines(trace, lines);
  std::printf("%s, seed %" PRIu64 ": %" PRId64 " events, %016" PRIx64 "\n", name.c_str(), scenario.seed, trace.size(),
              hash_of(lines.str()));
}

bool play_lesson(const std::filesystem::path& path) {
  const auto text = scenario::read_file(path.string());
  if (!text) return complain(text.problems()), false;
  const auto json = scenario::parse_json(text.value(), path.string());
  if (!json) return complain(json.problems()), false;
  const auto read = scenario::scenario_from_json(json.value().value("scenario", nlohmann::json()), path.string(), "/scenario");
  if (!read) return complain(read.problems()), false;
  scenario::Scenario scenario = read.value();
  const std::string name = path.filename().string();
  play(name, scenario);
  for (const uint64_t seed : kSeeds) {
    scenario.seed = seed;
    play(name, scenario);
  }
  return true;
}

int play_folder(const char* folder) {
  std::vector<std::filesystem::path> lessons;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".json") lessons.push_back(entry.path());
  }
  if (lessons.empty()) {
    std::fprintf(stderr, "play_all: %s: no lessons there; expected *.json\n", folder);
    return 2;
  }
  std::sort(lessons.begin(), lessons.end());
  return std::all_of(lessons.begin(), lessons.end(), play_lesson) ? 0 : 2;
}

}  // namespace
}  // namespace lockstep

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: play_all FOLDER\n", stderr);
    return 2;
  }
  return lockstep::play_folder(arguments[1]);
}
