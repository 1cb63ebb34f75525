#include "gui/drive_script.h"

#include <nlohmann/json.hpp>

#include <array>
#include <functional>
#include <optional>

#include "gui/gui.h"
#include "scenario/reading.h"

namespace lockstep::gui {
namespace {

using nlohmann::json;
using scenario::Problem;
using scenario::Result;

/// A step's member, and where it stands.
struct Place {
  std::string file;
  std::string pointer;

  Problem expected(const std::string& what) const {
    return {.file = file, .pointer = pointer, .message = "expected " + what};
  }
  Place at(const std::string& key) const { return {file, pointer + "/" + key}; }
};

Result<std::string> text_of(const json& value, const Place& place) {
  if (!value.is_string() || value.get<std::string>().empty()) return place.expected("a text");
  return value.get<std::string>();
}

/// Calls `make` with the text.
template <class Make>
Result<Step> with_text(const json& value, const Place& place, Make make) {
  const Result<std::string> text = text_of(value, place);
  if (!text) return text.problems();
  return Step(make(text.value()));
}

Result<Step> read_key(const json& value, const Place& place) {
  KeyPress press;
  if (!value.is_string() || !key_named(value.get<std::string>(), press)) {
    return place.expected("a key, as \"space\", \"shift+right\", \"ctrl+z\", \"p\" or \"?\"");
  }
  return Step(KeyStep{press});
}

Result<Step> read_drag(const json& value, const Place& place) {
  const bool right = value.is_array() && value.size() == 3 && value[0].is_string() &&
                     value[1].is_number() && value[2].is_number();
  if (!right) return place.expected("[id, dx, dy]");
  return Step(
      DragStep{value[0].get<std::string>(), {value[1].get<float>(), value[2].get<float>()}});
}

Result<Step> read_scroll(const json& value, const Place& place) {
  const bool right =
      value.is_array() && value.size() == 2 && value[0].is_string() && value[1].is_number();
  if (!right) return place.expected("[id, steps]");
  return Step(ScrollStep{value[0].get<std::string>(), value[1].get<float>()});
}

Result<Step> read_frames(const json& value, const Place& place) {
  if (!value.is_number_integer() || value.get<int64_t>() < 1 || value.get<int64_t>() > 100000) {
    return place.expected("a number of frames from 1 to 100000");
  }
  return Step(FramesStep{value.get<int32_t>()});
}

Result<Step> read_wait(const json& value, const Place& place) {
  if (!value.is_object()) return place.expected("a condition, or {\"on_screen\": text}");
  WaitStep step;
  json rest = value;
  if (const auto frames = rest.find("frames"); frames != rest.end()) {
    const Result<Step> read = read_frames(*frames, place.at("frames"));
    if (!read) return read.problems();
    step.frames_max = std::get<FramesStep>(read.value()).frames;
    rest.erase("frames");
  }
  if (rest.contains("on_screen")) {
    const Result<std::string> text = text_of(rest["on_screen"], place.at("on_screen"));
    if (!text) return text.problems();
    step.on_screen = text.value();
    return Step(step);
  }
  const auto condition = scenario::condition_from_json(rest, place.file, place.pointer);
  if (!condition) return condition.problems();
  step.condition = condition.value();
  return Step(step);
}

Result<Step> read_expect(const json& value, const Place& place) {
  const auto condition = scenario::condition_from_json(value, place.file, place.pointer);
  if (!condition) return condition.problems();
  return Step(ExpectStep{condition.value()});
}

bool is_pair(const json& value) {
  return value.is_array() && value.size() == 2 && value[0].is_number() && value[1].is_number();
}

Result<Step> read_pixel(const json& value, const Place& place) {
  PixelStep step;
  if (!value.is_object() || !value.contains("near"))
    return place.expected("{\"at\": [x, y], \"near\": colour}");
  for (const auto& [key, member] : value.items()) {
    if (key == "at" && is_pair(member)) {
      step.at = {member[0].get<float>(), member[1].get<float>()};
    } else if (key == "item" && member.is_string()) {
      step.item = member.get<std::string>();
    } else if (key == "tolerance" && member.is_number_integer()) {
      step.tolerance = member.get<int32_t>();
    } else if (key == "near" && member.is_string()) {
      step.color = member.get<std::string>();
    } else {
      return place.at(key).expected(
          "one of at [x, y], item (an id), near (a colour), tolerance (0 to 255)");
    }
  }
  scene::Rgb color;
  if (!color_named(step.color, scene::palette_of(scene::Theme::kDark), color)) {
    return place.at("near").expected("a colour's role as \"danger_fill\", or \"#rrggbb\"");
  }
  return Step(step);
}

Result<Step> read_desktop(const json& value, const Place& place) {
  if (!value.is_number() || value.get<float>() <= 0 || value.get<float>() > 600)
    return place.expected("seconds, up to 600");
  return Step(DesktopStep{value.get<float>()});
}

Result<Step> read_size(const json& value, const Place& place) {
  if (!is_pair(value) || value[0].get<float>() < 320 || value[1].get<float>() < 240) {
    return place.expected("[width, height], at least [320, 240]");
  }
  return Step(SizeStep{{value[0].get<float>(), value[1].get<float>()}});
}

Result<Step> read_language(const json& value, const Place& place) {
  if (value != "zh" && value != "en") return place.expected("\"zh\" or \"en\"");
  return Step(LookStep{.language = value.get<std::string>()});
}

Result<Step> read_theme(const json& value, const Place& place) {
  if (value != "dark" && value != "light" && value != "print")
    return place.expected("\"dark\", \"light\" or \"print\"");
  return Step(LookStep{.theme = value.get<std::string>()});
}

Result<Step> read_font(const json& value, const Place& place) {
  if (!value.is_number() || value.get<float>() < kFontPxMin || value.get<float>() > kFontPxMax) {
    return place.expected("a font size from 12 to 40 pixels");
  }
  return Step(LookStep{.font_px = value.get<float>()});
}

using Reader = std::function<Result<Step>(const json&, const Place&)>;

Reader text_reader(Step (*make)(std::string)) {
  return [make](const json& value, const Place& place) { return with_text(value, place, make); };
}

/// A step that a script may hold.
struct StepKind {
  const char* name;
  const char* value;  ///< as it is written
  const char* what;
  Reader read;
};

/// All of them: for reading, for complaints and for the help.
const std::vector<StepKind>& step_kinds() {
  static const std::vector<StepKind> kinds = {
      {"open", "FILE", "opens it: from the working folder, else from Lockstep's own",
       text_reader([](std::string text) { return Step(OpenStep{text}); })},
      {"key", "\"shift+right\"", "presses a key: space, ctrl+z, p, ?, ...", read_key},
      {"click", "ID",
       "clicks an item, which must be in sight; \"message/*70\": the first that says 70",
       text_reader([](std::string text) {
         return Step(MouseStep{MouseAct::kClick, text});
       })},
      {"context", "ID", "clicks it with the right button", text_reader([](std::string text) {
         return Step(MouseStep{MouseAct::kContext, text});
       })},
      {"hover", "ID", "moves the mouse onto it", text_reader([](std::string text) {
         return Step(MouseStep{MouseAct::kHover, text});
       })},
      {"drag", "[ID, DX, DY]", "drags it by so many pixels", read_drag},
      {"scroll", "[ID, STEPS]", "turns the wheel over it", read_scroll},
      {"frames", "N", "lets N frames go by, each 1/60 s", read_frames},
      {"wait_until", "CONDITION",
       "or {\"on_screen\": WORDS}; 3000 frames at most, or \"frames\" beside it", read_wait},
      {"expect", "CONDITION", "as {\"at\": \"/clients/A/process\", \"is\": \"paused\"}",
       read_expect},
      {"expect_on_screen", "WORDS", "these words, or the item of this id, is in sight",
       text_reader([](std::string text) {
         return Step(ScreenStep{text, true});
       })},
      {"expect_not_on_screen", "WORDS", "it is not", text_reader([](std::string text) {
         return Step(ScreenStep{text, false});
       })},
      {"expect_enabled", "ID", "the item can be clicked", text_reader([](std::string text) {
         return Step(EnabledStep{text, true});
       })},
      {"expect_disabled", "ID", "it cannot", text_reader([](std::string text) {
         return Step(EnabledStep{text, false});
       })},
      {"expect_pixel", "{\"at\": [X, Y], \"near\": COLOUR, \"tolerance\": 12}",
       "with \"item\": ID instead of \"at\", any of its pixels; COLOUR: danger_fill, #rrggbb",
       read_pixel},
      {"desktop", "SECONDS", "hears the real mouse and keyboard from now on, each wait so long",
       read_desktop},
      {"where", "ID", "prints \"ID x y\", the item's middle on the screen",
       text_reader([](std::string text) { return Step(WhereStep{text}); })},
      {"picture", "\"out.png\"", "writes the window as a picture",
       text_reader([](std::string text) { return Step(PictureStep{text}); })},
      {"size", "[W, H]", "resizes the window", read_size},
      {"language", "\"zh\"", "or \"en\"", read_language},
      {"theme", "\"dark\"", "or \"light\", \"print\"", read_theme},
      {"font_px", "N", "the font's size, 12 to 40", read_font},
  };
  return kinds;
}

Result<Step> read_step(const json& value, const Place& place) {
  if (!value.is_object() || value.size() != 1)
    return place.expected("an object with one member, which names the step");
  const std::string name = value.begin().key();
  std::string names;
  for (const StepKind& kind : step_kinds()) {
    if (name == kind.name) return kind.read(value.begin().value(), place.at(name));
    names += (names.empty() ? "" : ", ") + std::string(kind.name);
  }
  return place.at(name).expected("one of the steps " + names);
}

constexpr std::array<const char*, 19> kRoles = {"background",
                                                "panel",
                                                "card",
                                                "text",
                                                "text_dim",
                                                "line",
                                                "accent",
                                                "ok",
                                                "warn",
                                                "danger",
                                                "danger_fill",
                                                "on_danger_fill",
                                                "danger_wash",
                                                "ok_wash",
                                                "warn_wash",
                                                "",
                                                "",
                                                "",
                                                ""};

}  // namespace

Result<Script> read_script(const std::string& file) {
  const auto bytes = scenario::read_file(file);
  if (!bytes) return bytes.problems();
  const auto parsed = scenario::parse_json(bytes.value(), file);
  if (!parsed) return parsed.problems();
  const json& root = parsed.value();
  const Place top = {file, ""};
  if (!root.is_object() || root.size() != 1 || !root.contains("steps") ||
      !root["steps"].is_array()) {
    return top.expected("{\"steps\": [...]}");
  }
  Script script = {.file = file};
  std::vector<Problem> problems;
  const Place steps = top.at("steps");
  for (size_t i = 0; i < root["steps"].size(); ++i) {
    Result<Step> step = read_step(root["steps"][i], steps.at(std::to_string(i)));
    if (step) script.steps.push_back(std::move(step.value()));
    if (!step) problems.insert(problems.end(), step.problems().begin(), step.problems().end());
  }
  if (!problems.empty()) return problems;
  return script;
}

std::string drive_steps() {
  std::string all;
  for (const StepKind& kind : step_kinds()) {
    all += std::string("  {\"") + kind.name + "\": " + kind.value + "}  " + kind.what + "\n";
  }
  return all;
}

bool color_named(const std::string& name, const scene::Palette& palette, scene::Rgb& color) {
  for (size_t i = 0; i < kRoles.size(); ++i) {
    if (name.empty() || name != kRoles[i]) continue;
    color = palette.color({.role = static_cast<scene::Role>(i)});
    return true;
  }
  if (name.rfind("identity:", 0) == 0 && name.size() == 10) {
    color = palette.color({.role = scene::Role::kIdentity, .identity = name[9] - '0'});
    return true;
  }
  if (name.size() != 7 || name[0] != '#') return false;
  const auto digit = [&](size_t i) -> int {
    const auto found = std::string_view("0123456789abcdef").find(name[i]);
    return found == std::string_view::npos ? -1 : static_cast<int>(found);
  };
  int parts[3] = {};
  for (size_t i = 0; i < 3; ++i) {
    const int high = digit(1 + 2 * i);
    const int low = digit(2 + 2 * i);
    if (high < 0 || low < 0) return false;
    parts[i] = 16 * high + low;
  }
  color = {static_cast<uint8_t>(parts[0]), static_cast<uint8_t>(parts[1]),
           static_cast<uint8_t>(parts[2])};
  return true;
}

}  // namespace lockstep::gui
