#include "usage.h"

#include <charconv>
#include <cstdlib>
#include <iostream>

#include "scenario/problem.h"
#include "scenario/schema.h"

namespace lockstep::usage {
namespace {

constexpr float kFontPxMin = 12;
constexpr float kFontPxMax = 40;

bool parse_size(const std::string& text, scene::Size& size) {
  int width = 0;
  int height = 0;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%5dx%5d%c", &width, &height, &rest) != 2) return false;
  if (width < 320 || height < 240 || width > 16384 || height > 16384) return false;
  size = {static_cast<float>(width), static_cast<float>(height)};
  return true;
}

/// The command that was being read: the innermost that has been named.
const CLI::App& command_of(const CLI::App& app) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  return chosen.empty() ? app : command_of(*chosen.back());
}

/// "lockstep play".
std::string full_name(const CLI::App& app, const CLI::App& command) {
  return &app == &command ? app.get_name() : app.get_name() + " " + command.get_name();
}

std::vector<std::string> options_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    if (option->nonpositional()) names.push_back(option->get_name());
  }
  return names;
}

/// About an argument for which there is no place.
std::string unexpected(const CLI::App& command, const std::string& argument) {
  if (argument.size() < 2 || argument[0] != '-') return argument + ": expected nothing more here";
  const std::string name = argument.substr(0, argument.find('='));
  const std::vector<std::string> known = options_of(command);
  const std::string meant = scenario::nearest(name, known);
  if (!meant.empty()) return name + ": there is no such option; did you mean " + meant + "?";
  std::string all;
  for (const std::string& one : known) all += " " + one;
  return name + ": there is no such option; there are" + all;
}

std::string complaint(const CLI::App& command, const CLI::ParseError& error) {
  // What is too much is told before what is missing: mostly it is the same thing, misspelt.
  const std::vector<std::string> extras = command.remaining();
  if (!extras.empty()) return unexpected(command, extras.front());
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_required() && option->count() == 0) {
      return option->get_name() + " is missing: " + option->get_description();
    }
  }
  return error.what();
}

}  // namespace

std::string choices(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : "|") + word;
  return text;
}

void refuse_value(const std::string& name, const std::string& text, const std::string& expected) {
  throw CLI::ValidationError(name + " " + (text.empty() ? "\"\"" : text) + ": expected " +
                             expected);
}

void refuse_word(const std::string& name, const std::string& text,
                 const std::vector<std::string>& words) {
  refuse_value(name, text, scenario::one_of(words));
}

int64_t whole_number(const std::string& name, const std::string& text, const Bounds& bounds) {
  int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  const bool fits =
      error == std::errc() && rest == end && number >= bounds.least && number <= bounds.most;
  if (!fits) {
    refuse_value(name, text,
                 "a whole number from " + std::to_string(bounds.least) + " to " +
                     std::to_string(bounds.most));
  }
  return number;
}

CLI::Option* add_text(CLI::App* app, const Named& named, std::string& value) {
  const auto read = [&value, named](const std::string& given) {
    if (given.empty()) refuse_value(named.name, given, named.what);
    value = given;
  };
  return app->add_option_function<std::string>(named.name, read, named.what)
      ->option_text(named.shown);
}

CLI::Option* add_size(CLI::App* app, scene::Size& size) {
  const auto read = [&size](const std::string& text) {
    if (!parse_size(text, size))
      refuse_value("--size", text, "WIDTHxHEIGHT in pixels, from 320x240 to 16384x16384");
  };
  return app
      ->add_option_function<std::string>("--size", read,
                                         "width and height in pixels, like 1280x800")
      ->option_text("WxH");
}

CLI::Option* add_font(CLI::App* app, float& font_px) {
  const auto read = [&font_px](const std::string& text) {
    char* end = nullptr;
    const float size = std::strtof(text.c_str(), &end);
    const bool fits = !text.empty() && *end == '\0' && size >= kFontPxMin && size <= kFontPxMax;
    if (!fits) refuse_value("--font", text, "a font size in pixels, from 12 to 40");
    font_px = size;
  };
  return app->add_option_function<std::string>("--font", read, "font size in pixels, 12 to 40")
      ->option_text("PX");
}

int answer(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
  const CLI::App& command = command_of(app);
  const std::string name = full_name(app, command);
  scenario::Problem problem{name, "", complaint(command, error) + "; see " + name + " --help"};
  std::cerr << scenario::describe(problem) << "\n";
  return 2;
}

}  // namespace lockstep::usage
