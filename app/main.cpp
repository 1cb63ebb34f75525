// The command line: what can be asked, and which command answers.
#include <CLI/CLI.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "commands.h"
#include "gui/gui.h"
#include "scenario/schema.h"
#include "usage.h"

#if LOCKSTEP_WITH_LIVE
#include "live/live.h"
#endif

namespace {

using namespace lockstep;

const usage::Words<trace::Language> kLanguages = {{"zh", trace::Language::kZh},
                                                  {"en", trace::Language::kEn}};
const usage::Words<scene::Theme> kThemes = {{"dark", scene::Theme::kDark},
                                            {"light", scene::Theme::kLight},
                                            {"print", scene::Theme::kPrint}};
const usage::Words<Backend> kBackends = {{"sim", Backend::kSimulated}, {"live", Backend::kLive}};
const usage::Words<Output> kFormats = {{"text", Output::kText}, {"json", Output::kJson}};
const usage::Bounds kServers = {1, 5};
const usage::Bounds kTickMs = {1, 60'000};

/// English only where the environment asks for a language that is not Chinese.
trace::Language language_of_environment() {
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string locale = value;
    const bool unset = locale == "C" || locale == "POSIX" || locale.rfind("C.", 0) == 0;
    return unset || locale.rfind("zh", 0) == 0 ? trace::Language::kZh : trace::Language::kEn;
  }
  return trace::Language::kZh;
}

/// Everything that the command line can say.
struct Arguments {
  PlayCommand play;
  CheckCommand check;
  CompareCommand compare;
  DrawCommand draw;
  gui::GuiOptions window;
  gui::DriveOptions drive;
  int servers_count = 1;
};

constexpr const char* kAnyFile = "a lesson, a scenario or a trace";
constexpr const char* kPlayed = "a lesson, a scenario or a trace; - is standard input";

CLI::Option* add_file(CLI::App* app, std::string& file, const char* what) {
  return app->add_option("FILE", file, what)->option_text(" ");
}

void add_language(CLI::App* app, trace::Language& language) {
  usage::add_word(app, "--lang", language, kLanguages, "Chinese or English");
}

void add_window_options(CLI::App* app, Arguments& arguments) {
  gui::GuiOptions& window = arguments.window;
  add_file(app, window.file, kAnyFile);
  add_language(app, window.language);
  usage::add_word(app, "--theme", window.theme, kThemes, "colours");
  usage::add_font(app, window.font_px);
  usage::add_size(app, window.size);
  app->add_flag("--safe", window.safe, "start without remembered settings");
  app->add_flag("--live", window.live, "play the file on real servers at once");
}

void add_tick(CLI::App* app, std::optional<int>& tick_ms) {
  usage::add_number(app, {"--tick", "MS", "another tick than the scenario's, in milliseconds; its times follow"}, tick_ms,
                    kTickMs);
}

void add_play(CLI::App& app, Arguments& arguments) {
  CLI::App* command = app.add_subcommand(
      "play", "play a lesson or a scenario without a window, and tell what happens");
  PlayCommand& play = arguments.play;
  add_file(command, play.file, kPlayed)->required();
  usage::add_text(command, {"--variant", "ID", "the id of one of the lesson's variants"},
                  play.variant);
  usage::add_number(command, {"--seed", "N", "another seed than the scenario's"}, play.seed, {});
  add_tick(command, play.tick_ms);
  usage::add_word(command, "--backend", play.backend, kBackends,
                  "simulated, or real processes on real servers");
  usage::add_number(command,
                    {"--servers", "N", "live: how many servers to start, 1 to 5; else as many as the scenario lists"},
                    play.live.servers, kServers);
  usage::add_text(
      command, {"--connect", "HOST:PORT,...", "servers that run already (live), as host:port,..."},
      play.live.connect);
  usage::add_word(command, "--format", play.format, kFormats,
                  "sentences, or a trace as JSON Lines");
  usage::add_text(command, {"--out", "FILE", "a file to write; none or - is standard output"},
                  play.out);
  add_language(command, play.language);
  command->footer("Try: lockstep play lessons/L18-gc-pause.json --variant no-check --lang en");
}

void add_check(CLI::App& app, Arguments& arguments) {
  CLI::App* command =
      app.add_subcommand("check", "hold every claim of the given lessons, or of all");
  command->add_option("FILE", arguments.check.files, "lessons, or folders of them; none: the course")
      ->option_text("...");
  add_language(command, arguments.check.language);
}

void add_compare(CLI::App& app, Arguments& arguments) {
  CLI::App* command = app.add_subcommand(
      "compare", "play a lesson or a scenario for real, and see whether the simulator can produce that run");
  CompareCommand& compare = arguments.compare;
  add_file(command, compare.file, "a lesson, a scenario, or a trace of a live run")->required();
  usage::add_text(command, {"--variant", "ID", "the id of one of the lesson's variants"}, compare.variant);
  add_tick(command, compare.tick_ms);
  usage::add_number(command, {"--servers", "N", "how many servers to start, 1 to 5; else as many as the scenario lists"},
                    compare.live.servers, kServers);
  usage::add_text(command, {"--connect", "HOST:PORT,...", "servers that run already, as host:port,..."},
                  compare.live.connect);
  usage::add_text(command, {"--out", "FILE", "where to leave the recording, as JSON Lines"}, compare.out);
  add_language(command, compare.language);
  command->footer("Try: lockstep compare lessons/L18-gc-pause.json --servers 1 --lang en");
}

void add_draw(CLI::App& app, Arguments& arguments) {
  CLI::App* command = app.add_subcommand("draw", "draw one moment as a picture; needs no display");
  DrawCommand& draw = arguments.draw;
  add_file(command, draw.file, kPlayed)->required();
  usage::add_text(command, {"--out", "PICTURE", "a file to write that ends in .png, .svg or .pdf"},
                  draw.out)
      ->required();
  usage::add_text(command,
                  {"--at", "MOMENT", "a step's number, as the window counts; a time like 8.5s; or \"end\" (default)"},
                  draw.at);
  usage::add_text(command, {"--variant", "ID", "the id of one of the lesson's variants"},
                  draw.variant);
  usage::add_text(command, {"--client", "ID", "the id of the client that is looked at"},
                  draw.chosen);
  usage::add_size(command, draw.size);
  usage::add_font(command, draw.font_px);
  usage::add_word(command, "--theme", draw.theme, kThemes, "colours");
  add_language(command, draw.language);
  command->footer("Try: lockstep draw lessons/L18-gc-pause.json --at 8.9s --out gc-pause.png");
}

void add_others(CLI::App& app, Arguments& arguments) {
  add_window_options(
      app.add_subcommand("open", "the window (what lockstep does without a command)"), arguments);
  CLI::App* drive =
      app.add_subcommand("drive", "drive the window from a script: clicks, keys, pictures");
  drive
      ->add_option("SCRIPT", arguments.drive.script,
                   "a JSON file that says what to do, step by step")
      ->required()
      ->option_text(" ");
  drive->footer("A script is {\"steps\": [STEP, ...]}; the steps:\n" + gui::drive_steps() +
                "Try: lockstep drive assets/window.json");
  CLI::App* servers = app.add_subcommand(
      "servers", "local ZooKeeper servers until Ctrl-C; prints their connect string");
  usage::add_number(servers, {"--count", "N", "how many, 1 (default) to 5"},
                    arguments.servers_count, kServers);
  app.add_subcommand("client", "a client of a live run; started by it")->group("");
  app.add_subcommand("resource", "the resource of a live run; started by it")->group("");
}

#if LOCKSTEP_WITH_LIVE
int servers_command(int count) {
  const auto problems = live::run_servers(
      count, [](const std::string& connect) { std::cout << connect << std::endl; });
  return problems.empty() ? kExitDone : complain(problems);
}
#endif

int dispatch_live(const std::string& command, const Arguments& arguments) {
#if LOCKSTEP_WITH_LIVE
  if (command == "client") return live::client_main();
  if (command == "resource") return live::resource_main();
  return servers_command(arguments.servers_count);
#else
  (void)arguments;
  std::cerr << "lockstep: " << command
            << ": this program was built without real ZooKeeper; install libzookeeper-mt-dev, "
               "libsqlite3-dev and "
               "libasio-dev, and build again with app/run\n";
  return kExitEnvironment;
#endif
}

/// What is given instead of a command must be a file: else it was meant to be one of the commands.
bool is_misspelt_command(const std::string& file) {
  if (file.empty() || file.find_first_of("./\\") != std::string::npos) return false;
  std::error_code error;
  return !std::filesystem::exists(file, error);
}

int complain_of_command(const CLI::App& app, const std::string& name) {
  std::vector<std::string> commands;
  for (const CLI::App* command :
       app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); })) {
    commands.push_back(command->get_name());
  }
  const std::string meant = scenario::nearest(name, commands);
  scenario::Problem problem{name, "", "is neither a command nor a file; "};
  problem.message += meant.empty() ? "the commands are " + scenario::one_of(commands)
                                   : "did you mean \"" + meant + "\"?";
  return complain({problem});
}

int dispatch(const CLI::App& app, const Arguments& arguments) {
  const std::vector<const CLI::App*> chosen =
      app.get_subcommands([](const CLI::App*) { return true; });
  for (const CLI::App* command : chosen) {
    if (!command->parsed()) continue;
    const std::string name = command->get_name();
    if (name == "play") return play_command(arguments.play);
    if (name == "check") return check_command(arguments.check);
    if (name == "compare") return compare_command(arguments.compare);
    if (name == "draw") return draw_command(arguments.draw);
    if (name == "drive") return gui::drive_main(arguments.drive);
    if (name == "open") return gui::window_main(arguments.window);
    return dispatch_live(name, arguments);
  }
  if (is_misspelt_command(arguments.window.file))
    return complain_of_command(app, arguments.window.file);
  return gui::window_main(arguments.window);
}

/// What the help calls itself and the commands.
void name_help(CLI::App& app) {
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    command->set_help_flag("-h,--help", "print this help");
    if (!command->get_group().empty()) command->group("Commands");
  }
  app.set_help_flag("-h,--help", "print this help; of a command: lockstep COMMAND --help");
}

/// Whoever starts us may have closed standard input, output or error. Files opened later must not get their
/// numbers, and be written to by mistake: writing to these fails.
void hold_standard_descriptors() {
  for (int descriptor = open("/dev/null", O_RDONLY);
       descriptor >= 0 && descriptor <= STDERR_FILENO;) {
    descriptor = open("/dev/null", O_RDONLY);
  }
}

}  // namespace

int main(int argc, char** argv) {
  hold_standard_descriptors();
  CLI::App app("Lockstep teaches distributed locks by running them.", "lockstep");
  Arguments arguments;
  const trace::Language language = language_of_environment();
  arguments.play.language = arguments.check.language = arguments.compare.language = arguments.draw.language =
      arguments.window.language = language;
  app.set_version_flag("--version", "lockstep " LOCKSTEP_VERSION, "print the version");
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  app.get_formatter()->label("Positionals", "Arguments");
  app.get_formatter()->label("REQUIRED", "(needed)");
  app.require_subcommand(0, 1);
  app.footer(
      "Exit codes: 0 done and all held; 1 a claim failed; 2 bad usage or bad input;\n"
      "3 the environment lacks something, which the message names; 130, 143 ended by Ctrl-C or\n"
      "by SIGTERM, leaving nothing behind (servers: 0, since that is how it ends).");
  add_play(app, arguments);
  add_check(app, arguments);
  add_compare(app, arguments);
  add_draw(app, arguments);
  add_others(app, arguments);
  add_window_options(&app, arguments);
  name_help(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return usage::answer(app, error);
  }
  return dispatch(app, arguments);
}
