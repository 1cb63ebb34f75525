#include "scenario/problem.h"

#include "scenario/place.h"

namespace lockstep::scenario {
namespace {

/// How much of one name or message is shown: longer ones quote what somebody has made up.
constexpr size_t kShownMax = 1200;

/// `text` without what a terminal would obey (it may quote a stranger's file), and not endless.
std::string on_one_line(const std::string& text) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string line;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool starts = (byte & 0xc0) != 0x80;  // a character; never cut within one
    if (line.size() >= kShownMax && starts) return line + "...";
    const bool c1 =
        byte == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0;
    const unsigned code = c1 ? static_cast<unsigned char>(text[++i]) : byte;
    if (c1 || byte < 0x20 || byte == 0x7f) {
      line += std::string("\\u00") + kDigits[code >> 4] + kDigits[code & 0xf];
    } else {
      line += text[i];
    }
  }
  return line;
}

}  // namespace

std::string describe(const Problem& problem) {
  std::string where = on_one_line(problem.file);
  if (!problem.pointer.empty()) where += "#" + on_one_line(problem.pointer);
  const std::string message = on_one_line(problem.message);
  return where.empty() ? message : where + ": " + message;
}

std::string pointer_step(const std::string& key) {
  std::string step;
  for (const char c : key) {
    if (c == '~') {
      step += "~0";
    } else if (c == '/') {
      step += "~1";
    } else {
      step += c;
    }
  }
  return step;
}

Place Place::at(const std::string& key) const { return {file, pointer + "/" + pointer_step(key)}; }

}  // namespace lockstep::scenario
