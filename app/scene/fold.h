// Folding a long row of clients into what fits: the rows that matter most, and counts of those between.
#pragma once

#include <cstdint>
#include <vector>

namespace lockstep::scene {

/// A run of rows: one that is shown, or several (at least one) that are folded into a count.
struct FoldItem {
  int64_t first = 0;
  int64_t count = 1;
  bool folded = false;

  bool operator==(const FoldItem&) const = default;
};

struct FoldRoom {
  float all = 0;     ///< room there is
  float shown = 1;   ///< that a shown row takes
  float folded = 1;  ///< that a count takes
};

/// Folds rows 0..rows-1, in their order. `wanted` names rows, the most important first; what room is left
/// is filled from row 0 on. Everything is shown if there is room. Requires room for one row and two counts.
std::vector<FoldItem> fold(int64_t rows, const std::vector<int64_t>& wanted, const FoldRoom& room);

}  // namespace lockstep::scene
