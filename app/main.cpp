// The command line: what can be asked, and which command answers.
#include <CLI/CLI.hpp>

#include <cstdlib>
#include <iostream>
#include <map>

#include "commands.h"
#include "gui/gui.h"

#if LOCKSTEP_WITH_LIVE
#include "live/live.h"
#endif

namespace {

using namespace lockstep;

const std::map<std::string, trace::Language> kLanguages = {{"zh", trace::Language::kZh}, {"en", trace::Language::kEn}};
const std::map<std::string, scene::Theme> kThemes = {
    {"dark", scene::Theme::kDark}, {"light", scene::Theme::kLight}, {"print", scene::Theme::kPrint}};
const std::map<std::string, Backend> kBackends = {{"sim", Backend::kSimulated}, {"live", Backend::kLive}};
const std::map<std::string, Output> kFormats = {{"text", Output::kText}, {"json", Output::kJson}};

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

/// A size like 1280x800, from 320x240 to 16384 a side.
bool parse_size(const std::string& text, scene::Size& size) {
  int width = 0;
  int height = 0;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%dx%d%c", &width, &height, &rest) != 2) return false;
  if (width < 320 || height < 240 || width > 16384 || height > 16384) return false;
  size = {static_cast<float>(width), static_cast<float>(height)};
  return true;
}

template <class T>
CLI::Option* add_choice(CLI::App* app, const std::string& name, T& value, const std::map<std::string, T>& choices,
                        const std::string& what) {
  return app->add_option(name, value, what)->transform(CLI::CheckedTransformer(choices))->option_text("");
}

CLI::Option* add_size(CLI::App* app, scene::Size& size) {
  return app
      ->add_option_function<std::string>(
          "--size",
          [&size](const std::string& text) {
            if (!parse_size(text, size)) {
              throw CLI::ValidationError("--size " + text, "expected WIDTHxHEIGHT, from 320x240 to 16384x16384");
            }
          },
          "width and height in pixels, like 1280x800")
      ->option_text("WxH");
}

CLI::Option* add_font(CLI::App* app, float& font_px) {
  return app->add_option("--font", font_px, "font size in pixels, 12 to 40")->check(CLI::Range(12.0F, 40.0F))->option_text("PX");
}

/// Everything that the command line can say.
struct Arguments {
  PlayCommand play;
  CheckCommand check;
  DrawCommand draw;
  gui::GuiOptions window;
  gui::DriveOptions drive;
  int servers_count = 1;
  std::vector<std::string> resource;
};

void add_window_options(CLI::App* app, Arguments& arguments) {
  gui::GuiOptions& window = arguments.window;
  app->add_option("FILE", window.file, "a lesson, a scenario or a trace");
  add_choice(app, "--lang", window.language, kLanguages, "zh or en");
  add_choice(app, "--theme", window.theme, kThemes, "dark, light or print");
  add_font(app, window.font_px);
  add_size(app, window.size);
  app->add_flag("--safe", window.safe, "start without remembered settings");
  app->add_flag("--live", window.live, "play the file on real servers at once");
}

void add_play(CLI::App& app, Arguments& arguments) {
  CLI::App* command = app.add_subcommand("play", "play a scenario or lesson without a window, and print its trace");
  PlayCommand& play = arguments.play;
  command->add_option("FILE", play.file, "a lesson, a scenario or a trace")->required();
  command->add_option("--variant", play.variant, "the lesson's variant with this id");
  command->add_option("--seed", play.seed, "another seed than the scenario's");
  add_choice(command, "--backend", play.backend, kBackends, "sim (default) or live: real processes on real servers");
  CLI::Option* servers = command->add_option("--servers", play.live.servers, "live: how many servers to start, 1 to 5");
  servers->check(CLI::Range(1, 5));
  command->add_option("--connect", play.live.connect, "live: servers that run already, host:port,...")->excludes(servers);
  add_choice(command, "--format", play.format, kFormats, "text (default) or json");
  command->add_option("--out", play.out, "a file instead of standard output");
  add_choice(command, "--lang", play.language, kLanguages, "zh or en");
}

void add_check(CLI::App& app, Arguments& arguments) {
  CLI::App* command = app.add_subcommand("check", "hold every claim of the given lessons, or of all");
  command->add_option("FILE", arguments.check.files, "lessons");
  add_choice(command, "--lang", arguments.check.language, kLanguages, "zh or en");
}

void add_draw(CLI::App& app, Arguments& arguments) {
  CLI::App* command = app.add_subcommand("draw", "draw one moment as a picture; needs no display");
  DrawCommand& draw = arguments.draw;
  command->add_option("FILE", draw.file, "a lesson, a scenario or a trace")->required();
  command->add_option("--out", draw.out, "the picture: .png, .svg or .pdf")->required();
  command->add_option("--at", draw.at, "an event's number, \"end\" (default), or a time like 8.5s");
  command->add_option("--variant", draw.variant, "the lesson's variant with this id");
  command->add_option("--client", draw.chosen, "the client that is looked at");
  add_size(command, draw.size);
  add_font(command, draw.font_px);
  add_choice(command, "--theme", draw.theme, kThemes, "dark, light or print");
  add_choice(command, "--lang", draw.language, kLanguages, "zh or en");
}

void add_others(CLI::App& app, Arguments& arguments) {
  add_window_options(app.add_subcommand("open", "the window (what lockstep does without a command)"), arguments);
  CLI::App* drive = app.add_subcommand("drive", "drive the window from a script: clicks, keys, pictures");
  drive->add_option("SCRIPT", arguments.drive.script, "a JSON file")->required();
  CLI::App* servers = app.add_subcommand("servers", "local ZooKeeper servers until Ctrl-C");
  servers->add_option("--count", arguments.servers_count, "how many, 1 to 5")->check(CLI::Range(1, 5));
  app.add_subcommand("client", "a client of a live run; started by it")->group("");
  CLI::App* resource = app.add_subcommand("resource", "the resource of a live run; started by it")->group("");
  resource->add_option("ARGUMENTS", arguments.resource);
}

#if LOCKSTEP_WITH_LIVE
int servers_command(int count) {
  const auto problems =
      live::run_servers(count, [](const std::string& connect) { std::cout << connect << std::endl; });
  return problems.empty() ? kExitDone : complain(problems);
}
#endif

int dispatch_live(const std::string& command, const Arguments& arguments) {
#if LOCKSTEP_WITH_LIVE
  if (command == "client") return live::client_main();
  if (command == "resource") return live::resource_main(arguments.resource);
  return servers_command(arguments.servers_count);
#else
  (void)arguments;
  std::cerr << "lockstep: " << command
            << ": this program was built without real ZooKeeper; install libzookeeper-mt-dev, libsqlite3-dev and "
               "libasio-dev, and build again with app/run\n";
  return kExitEnvironment;
#endif
}

int dispatch(const CLI::App& app, const Arguments& arguments) {
  const std::vector<const CLI::App*> chosen = app.get_subcommands([](const CLI::App*) { return true; });
  for (const CLI::App* command : chosen) {
    if (!command->parsed()) continue;
    const std::string name = command->get_name();
    if (name == "play") return play_command(arguments.play);
    if (name == "check") return check_command(arguments.check);
    if (name == "draw") return draw_command(arguments.draw);
    if (name == "drive") return gui::drive_main(arguments.drive);
    if (name == "open") return gui::window_main(arguments.window);
    return dispatch_live(name, arguments);
  }
  return gui::window_main(arguments.window);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Lockstep teaches distributed locks by running them.", "lockstep");
  Arguments arguments;
  const trace::Language language = language_of_environment();
  arguments.play.language = arguments.check.language = arguments.draw.language = arguments.window.language = language;
  app.set_version_flag("--version", "lockstep " LOCKSTEP_VERSION);
  app.require_subcommand(0, 1);
  add_play(app, arguments);
  add_check(app, arguments);
  add_draw(app, arguments);
  add_others(app, arguments);
  add_window_options(&app, arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return code == 0 ? kExitDone : kExitInput;
  }
  return dispatch(app, arguments);
}
