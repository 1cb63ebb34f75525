#include "scene/fold.h"

#include <algorithm>

namespace lockstep::scene {
namespace {

/// Shown rows, sorted, and what they and the counts between them cost.
class Choice {
 public:
  Choice(int64_t rows, const FoldRoom& room) : rows_(rows), room_(room) {}

  const std::vector<int64_t>& shown() const { return shown_; }
  bool full() const { return static_cast<float>(shown_.size() + 1) * room_.shown > room_.all; }

  void add(int64_t row) {
    const auto at = std::lower_bound(shown_.begin(), shown_.end(), row);
    if (row < 0 || row >= rows_ || (at != shown_.end() && *at == row)) return;
    const auto added = shown_.insert(at, row);
    if (cost() > room_.all && shown_.size() > 1) shown_.erase(added);
  }

  std::vector<FoldItem> items() const {
    std::vector<FoldItem> result;
    int64_t next = 0;
    for (const int64_t row : shown_) {
      if (row > next) result.push_back({next, row - next, true});
      result.push_back({row, 1, false});
      next = row + 1;
    }
    if (next < rows_) result.push_back({next, rows_ - next, true});
    return result;
  }

 private:
  float cost() const {
    int64_t gaps = 0;
    int64_t next = 0;
    for (const int64_t row : shown_) {
      if (row > next) ++gaps;
      next = row + 1;
    }
    if (next < rows_) ++gaps;
    return static_cast<float>(shown_.size()) * room_.shown +
           static_cast<float>(gaps) * room_.folded;
  }

  int64_t rows_;
  FoldRoom room_;
  std::vector<int64_t> shown_;
};

}  // namespace

std::vector<FoldItem> fold(int64_t rows, const std::vector<int64_t>& wanted, const FoldRoom& room) {
  std::vector<FoldItem> all;
  if (static_cast<float>(rows) * room.shown <= room.all) {
    for (int64_t row = 0; row < rows; ++row) all.push_back({row, 1, false});
    return all;
  }
  Choice choice(rows, room);
  for (const int64_t row : wanted) {
    if (choice.full()) break;
    choice.add(row);
  }
  for (int64_t row = 0; row < rows && !choice.full(); ++row) {
    const size_t before = choice.shown().size();
    choice.add(row);
    const bool was_shown = std::binary_search(choice.shown().begin(), choice.shown().end(), row);
    if (choice.shown().size() == before && !was_shown) break;  // no room for any more
  }
  return choice.items();
}

}  // namespace lockstep::scene
