#include "trace/text.h"

#include <algorithm>
#include <optional>
#include <ostream>

#include "trace/ending.h"
#include "trace/sentences.h"

namespace lockstep::trace {
namespace {

// ---- Filling in a sentence ---------------------------------------------------------------------

std::optional<std::string> unless_empty(std::string text) {
  if (text.empty()) return std::nullopt;
  return text;
}

/// What follows the words that the form has matched: of "let go A>db", "A>db".
std::string rest_of(const Event& event, const SentenceForm& form) {
  const size_t matched = form.what.size() + 1;
  return event.data.what.size() > matched ? event.data.what.substr(matched) : event.lane;
}

/// A queue's node is known by its name without the GUID, any other by its path.
std::string node_text(const std::string& path) {
  const std::string name = short_name(path);
  int32_t number = 0;
  const bool queues = zk::sequence_of(name, number) || name != zk::name_in(path);
  return queues ? name : path;
}

/// The text of one member; nothing if it has nothing to say.
std::optional<std::string> member(std::string_view name, const Event& event,
                                  const SentenceForm& form) {
  const EventData& data = event.data;
  if (name == "lane") return event.lane;
  if (name == "what") return unless_empty(data.what);
  if (name == "rest") return rest_of(event, form);
  if (name == "path") return unless_empty(node_text(data.path));
  if (name == "peer") return unless_empty(data.peer);
  if (name == "session") return unless_empty(data.session);
  if (name == "error") return unless_empty(data.error);
  if (name == "line") return std::to_string(data.line);
  if (name == "value") return std::to_string(data.value);
  if (name == "token" && data.token != -1) return token_text(data.token);
  if (name == "zxid" && data.zxid != 0) return token_text(data.zxid);
  if (name == "seconds" && data.value != 0) return time_text(data.value);
  if (name == "stale" && data.stale) return std::string();
  return std::nullopt;
}

/// Fills one group, or what lies between groups; nothing if a member has nothing to say.
std::optional<std::string> fill(std::string_view group, const Event& event,
                                const SentenceForm& form) {
  std::string text;
  while (!group.empty()) {
    const size_t open = group.find('{');
    text += group.substr(0, open);
    if (open == std::string_view::npos) break;
    const size_t close = group.find('}', open);
    const auto value = member(group.substr(open + 1, close - open - 1), event, form);
    if (!value) return std::nullopt;
    text += *value;
    group.remove_prefix(close + 1);
  }
  return text;
}

}  // namespace

std::string sentence(const Event& event, Language language) {
  if (event.kind == EventKind::kEnded) {
    const std::string why = words_of_end(event.data.what, language);
    if (why != event.data.what) {
      Event told = event;
      told.data.what = why;
      return sentence(told, language);
    }
  }
  if (event.kind == EventKind::kIntervened && event.data.error == kNotPossible) {
    return (language == Language::kZh ? "干预没有效果：" : "Intervention without effect: ") + event.data.what;
  }
  const SentenceForm& form = form_of(event);
  std::string_view pattern = language == Language::kZh ? form.zh : form.en;
  std::string text;
  while (!pattern.empty()) {
    const bool optional = pattern.front() == '[';
    const size_t end = pattern.find(optional ? ']' : '[');
    const std::string_view group = pattern.substr(optional ? 1 : 0, optional ? end - 1 : end);
    // Outside of brackets every member is told, if only as a dash.
    if (const auto filled = fill(group, event, form)) {
      text += *filled;
    } else if (!optional) {
      text += event.lane + " \u2013";
    }
    pattern.remove_prefix(end == std::string_view::npos ? pattern.size()
                                                        : end + (optional ? 1 : 0));
  }
  return text;
}

std::string time_text(TimeUs time_us) {
  // Unsigned, since the smallest number has no positive twin.
  const auto bits = static_cast<uint64_t>(time_us);
  const uint64_t milliseconds = (time_us < 0 ? ~bits + 1 : bits) / uint64_t{kMillisecond};
  std::string fraction = std::to_string(milliseconds % 1000);
  fraction.insert(0, 3 - fraction.size(), '0');
  return (time_us < 0 ? "-" : "") + std::to_string(milliseconds / 1000) + "." + fraction + " s";
}

std::string short_name(std::string_view path_or_name) {
  const std::string_view name = zk::name_in(path_or_name);
  // Curator and our own fair lock: _c_GUID-NAME; kazoo: GUID__NAME. The GUIDs are 36 and 32 characters.
  constexpr size_t kProtected = 3 + 36 + 1;
  constexpr size_t kKazoo = 32;
  if (name.substr(0, 3) == "_c_" && name.size() > kProtected && name[kProtected - 1] == '-') {
    return std::string(name.substr(kProtected));
  }
  if (name.size() > kKazoo + 2 && name.substr(kKazoo, 2) == "__" &&
      name.find_first_not_of("0123456789abcdef") == kKazoo) {
    return std::string(name.substr(kKazoo + 2));
  }
  return std::string(name);
}

std::string token_text(int64_t token) {
  if (token == -1) return "\u2013";
  std::string digits;
  for (auto rest = static_cast<uint64_t>(token); rest != 0 || digits.empty(); rest >>= 4) {
    digits.insert(digits.begin(), "0123456789abcdef"[rest & 15]);
  }
  return "0x" + digits;
}

namespace {

std::string right(std::string text, size_t width) {
  return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}
std::string left(std::string text, size_t width) {
  return text.size() < width ? text + std::string(width - text.size(), ' ') : text;
}

}  // namespace

void write_text(const Trace& trace, Language language, std::ostream& out) {
  if (trace.empty()) return;
  const size_t number_width = std::to_string(trace.size()).size();
  const size_t time_width = time_text(trace.time_at(trace.size() - 1)).size();
  size_t lane_width = 0;
  for (int64_t index = 0; index < trace.size(); ++index) {
    lane_width = std::max(lane_width, trace.lane_at(index).size());
  }
  for (int64_t index = 0; index < trace.size(); ++index) {
    const Event event = trace.event(index);
    out << right(std::to_string(index + 1), number_width) << "  "
        << right(time_text(event.time_us), time_width) << "  " << left(event.lane, lane_width)
        << "  " << sentence(event, language) << '\n';
  }
}

}  // namespace lockstep::trace
