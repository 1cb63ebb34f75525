// How the command line reads the values of its options, and what it says about a command line that it
// cannot read: one line, with what stands there, what was expected, and where to read on.
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scene/scene.h"

namespace lockstep::usage {

/// The words that an option takes, and what each of them means.
template <class T>
using Words = std::vector<std::pair<std::string, T>>;

/// An option, as its command's help shows it.
struct Named {
  std::string name;   ///< "--lang"
  std::string shown;  ///< what stands for its value ("N")
  std::string what;   ///< what it is
};

struct Bounds {
  int64_t least = 0;
  int64_t most = INT64_MAX;
};

/// "en|zh", for the help.
std::string choices(const std::vector<std::string>& words);

/// Refuses what stands behind an option.
[[noreturn]] void refuse_value(const std::string& name, const std::string& text,
                               const std::string& expected);
[[noreturn]] void refuse_word(const std::string& name, const std::string& text,
                              const std::vector<std::string>& words);

/// The whole number `text`; anything else is refused.
int64_t whole_number(const std::string& name, const std::string& text, const Bounds& bounds);

template <class T>
struct NumberOf {
  using Type = T;
};
template <class T>
struct NumberOf<std::optional<T>> {
  using Type = T;
};
/// The number that an option fills in, whether it may be left out or not.
template <class T>
using Number = typename NumberOf<T>::Type;

template <class T>
CLI::Option* add_word(CLI::App* app, const std::string& name, T& value, const Words<T>& words,
                      const std::string& what) {
  std::vector<std::string> texts;
  for (const auto& [text, meaning] : words) texts.push_back(text);
  const auto read = [&value, name, words, texts](const std::string& given) {
    for (const auto& [text, meaning] : words) {
      if (text != given) continue;
      value = meaning;
      return;
    }
    refuse_word(name, given, texts);
  };
  return app->add_option_function<std::string>(name, read, what)->option_text(choices(texts));
}

template <class T>
CLI::Option* add_number(CLI::App* app, const Named& named, T& value, const Bounds& bounds) {
  const auto read = [&value, name = named.name, bounds](const std::string& given) {
    value = static_cast<Number<T>>(whole_number(name, given, bounds));
  };
  return app->add_option_function<std::string>(named.name, read, named.what)
      ->option_text(named.shown);
}

CLI::Option* add_text(CLI::App* app, const Named& named, std::string& value);
/// A size like 1280x800, from 320x240 to 16384 a side.
CLI::Option* add_size(CLI::App* app, scene::Size& size);
/// A font's size in pixels, 12 to 40.
CLI::Option* add_font(CLI::App* app, float& font_px);

/// Says what is wrong with the command line, on stderr; or prints the help or the version that was asked for.
/// Returns the exit code.
int answer(const CLI::App& app, const CLI::ParseError& error);

}  // namespace lockstep::usage
