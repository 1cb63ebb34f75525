// What the commands do, once the command line has been understood. Each returns the exit code: 0 done and
// all held; 1 a claim failed, a property was violated or two traces disagree; 2 bad usage or bad input;
// 3 the environment lacks something. Machine output goes to stdout, messages to stderr.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenario/problem.h"
#include "scene/palette.h"
#include "scene/scene.h"
#include "trace/text.h"

namespace lockstep {

enum ExitCode : int { kExitDone = 0, kExitFailed = 1, kExitInput = 2, kExitEnvironment = 3 };

enum class Backend : uint8_t { kSimulated, kLive };
enum class Output : uint8_t { kText, kJson };

/// Which real servers: some of our own, or somebody else's.
struct LiveTarget {
  std::optional<int> servers = {};  ///< not set: as many as the scenario has
  std::string connect = {};         ///< empty: our own
};

struct PlayCommand {
  std::string file = {};
  std::string variant = {};
  std::optional<uint64_t> seed = {};
  std::optional<int> tick_ms = {};  ///< another tick than the scenario's, which all its times then follow
  Backend backend = Backend::kSimulated;
  LiveTarget live = {};
  Output format = Output::kText;
  std::string out = {};  ///< a file; empty or "-": stdout
  trace::Language language = trace::Language::kZh;
};
int play_command(const PlayCommand& command);

struct CheckCommand {
  std::vector<std::string> files = {};  ///< empty: all lessons
  trace::Language language = trace::Language::kZh;
};
int check_command(const CheckCommand& command);

struct CompareCommand {
  std::string file = {};
  std::string variant = {};
  std::optional<int> tick_ms = {};
  LiveTarget live = {};
  std::string out = {};  ///< where to leave the recording of a live run; empty: nowhere
  trace::Language language = trace::Language::kZh;
};
/// Plays the file for real (or takes a recording of a live run), and says whether the simulator can produce it.
int compare_command(const CompareCommand& command);

struct DrawCommand {
  std::string file = {};
  std::string variant = {};
  std::string at = {};  ///< a step, counted from 1, "end", or seconds ("8.5s")
  std::string out = {};
  std::string chosen = {};  ///< a client's id
  scene::Size size = {1280, 800};
  float font_px = 0;  ///< 0: fitting the size
  scene::Theme theme = scene::Theme::kDark;
  trace::Language language = trace::Language::kZh;
};
int draw_command(const DrawCommand& command);

/// Prints problems to stderr, and gives the exit code that they call for.
int complain(const std::vector<scenario::Problem>& problems);

}  // namespace lockstep
