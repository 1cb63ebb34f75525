#include <algorithm>

#include "scenario/schema.h"

namespace lockstep::scenario {
namespace {

struct Pair {
  const std::string& a;
  const std::string& b;
};

/// Insertions, deletions, replacements and swaps of neighbours that turn one into the other.
size_t edits_between(const Pair& words) {
  const size_t width = words.b.size() + 1;
  std::vector<size_t> above(width);
  std::vector<size_t> row(width);
  std::vector<size_t> next(width);
  for (size_t j = 0; j < width; ++j) row[j] = j;
  for (size_t i = 1; i <= words.a.size(); ++i) {
    next[0] = i;
    for (size_t j = 1; j < width; ++j) {
      const size_t replaced = row[j - 1] + (words.a[i - 1] == words.b[j - 1] ? 0 : 1);
      next[j] = std::min({row[j] + 1, next[j - 1] + 1, replaced});
      const bool swapped =
          i > 1 && j > 1 && words.a[i - 1] == words.b[j - 2] && words.a[i - 2] == words.b[j - 1];
      if (swapped) next[j] = std::min(next[j], above[j - 2] + 1);
    }
    above.swap(row);
    row.swap(next);
  }
  return row.back();
}

}  // namespace

std::string nearest(const std::string& name, const std::vector<std::string>& known) {
  constexpr size_t kNameMax = 64;  // Longer ones are no typing mistakes.
  if (name.size() > kNameMax) return {};
  std::string best;
  size_t fewest = std::max<size_t>(1, name.size() / 3) + 1;
  for (const std::string& candidate : known) {
    const size_t edits = edits_between({name, candidate});
    if (edits < fewest && edits < name.size()) {  // Something must be the same.
      fewest = edits;
      best = candidate;
    }
  }
  return best;
}

std::string one_of(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += "\"" + names[i] + "\"";
  }
  return text;
}

std::string some_of(std::vector<std::string> names) {
  constexpr size_t kShown = 8;
  if (names.size() <= kShown) return one_of(names);
  const size_t more = names.size() - kShown;
  names.resize(kShown);
  return one_of(names) + " (and " + std::to_string(more) + " more)";
}

}  // namespace lockstep::scenario
