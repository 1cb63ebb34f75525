#include "recipes/paths.h"

#include <algorithm>
#include <cstdint>

namespace lockstep::zk {
namespace {

/// Calls `each(name, is_last)` for what lies between slashes, until it returns false; then that.
template <class Each>
bool every_name(std::string_view path, const Each& each) {
  for (size_t from = 1; from <= path.size();) {
    const size_t to = std::min(path.find('/', from), path.size());
    if (!each(path.substr(from, to - from), to == path.size())) return false;
    from = to + 1;
  }
  return true;
}

bool is_dots(std::string_view name) { return name == "." || name == ".."; }

bool is_between(uint32_t code, uint32_t from, uint32_t to) { return code >= from && code <= to; }

/// The server sees UTF-16: what needs two units there is refused, as are private and control characters.
bool is_refused(uint32_t code) {
  return code <= 0x1f || is_between(code, 0x7f, 0x9f) || is_between(code, 0xd800, 0xf8ff) || code >= 0xfff0;
}

/// Takes one character off the front of UTF-8.
uint32_t take_code(std::string_view& text) {
  const auto byte = [&](size_t at) { return static_cast<uint32_t>(static_cast<unsigned char>(text[at])); };
  const uint32_t first = byte(0);
  const size_t more = first < 0xc0 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
  uint32_t code = more == 0 ? first : first & (0x3fu >> more);
  for (size_t i = 1; i <= more && i < text.size(); ++i) code = code << 6 | (byte(i) & 0x3fu);
  text.remove_prefix(std::min(more + 1, text.size()));
  return code;
}

bool has_refused(std::string_view text) {
  while (!text.empty()) {
    if (is_refused(take_code(text))) return true;
  }
  return false;
}

}  // namespace

bool is_valid_path(std::string_view path) {
  if (path.empty() || path.front() != '/') return false;
  if (path == "/") return true;
  if (has_refused(path) || path.back() == '/') return false;
  return every_name(path, [](std::string_view name, bool) { return !name.empty() && !is_dots(name); });
}

bool is_valid_for_c(std::string_view path, bool sequential) {
  if (path.empty() || path.front() != '/') return false;
  if (path == "/") return true;
  if (path.back() == '/' && !sequential) return false;
  if (std::any_of(path.begin(), path.end(), [](char c) { return c > 0 && c < 0x1f; })) return false;
  return every_name(path, [&](std::string_view name, bool is_last) {
    const bool number_follows = is_last && sequential;
    return number_follows || (!name.empty() && !is_dots(name));
  });
}

}  // namespace lockstep::zk
