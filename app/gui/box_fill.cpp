#include "gui/box_fill.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace lockstep::gui {
namespace {

/// A level line through a rounded box: where its outline lies at both sides, and which way it faces at the left.
struct BoxRow {
  ImVec2 left;
  ImVec2 right;
  ImVec2 normal;
};

/// From the top to the bottom; none within the straight sides.
std::vector<BoxRow> rows_of(ImVec2 from, ImVec2 to, float radius) {
  constexpr float kQuarterTurn = 1.5707963f;
  const int steps = std::clamp(static_cast<int>(0.45f * radius), 2, 12);
  std::vector<BoxRow> rows;
  for (const float side : {-1.0f, 1.0f}) {  // the upper corners, then the lower ones
    for (int step = 0; step <= steps; ++step) {
      const int at = side < 0 ? step : steps - step;
      const float turn = kQuarterTurn * static_cast<float>(at) / static_cast<float>(steps);
      const float inset = radius * (1 - std::sin(turn));
      const float depth = radius * (1 - std::cos(turn));
      const float y = side < 0 ? from.y + depth : to.y - depth;
      rows.push_back(
          {{from.x + inset, y}, {to.x - inset, y}, {-std::sin(turn), side * std::cos(turn)}});
    }
  }
  return rows;
}

}  // namespace

void fill_box(ImDrawList& list, ImVec2 from, ImVec2 to, float radius, ImU32 color) {
  if (radius < 1) return list.AddRectFilled(from, to, color);
  const std::vector<BoxRow> rows = rows_of(from, to, radius);
  const auto count = static_cast<int>(rows.size());
  const ImVec2 white = ImGui::GetFontTexUvWhitePixel();
  const ImU32 clear = color & ~IM_COL32_A_MASK;
  constexpr float kHalfFringe = 0.5f;  // pixels, in and out of the outline
  list.PrimReserve(6 * 3 * (count - 1) + 6 * 2, 4 * count);
  const unsigned int first = list._VtxCurrentIdx;
  for (const BoxRow& row : rows) {
    const ImVec2 by = {row.normal.x * kHalfFringe, row.normal.y * kHalfFringe};
    list.PrimWriteVtx({row.left.x + by.x, row.left.y + by.y}, white, clear);
    list.PrimWriteVtx({row.left.x - by.x, row.left.y - by.y}, white, color);
    list.PrimWriteVtx({row.right.x + by.x, row.right.y - by.y}, white, color);
    list.PrimWriteVtx({row.right.x - by.x, row.right.y + by.y}, white, clear);
  }
  const auto quad = [&](int a, int b, int c, int d) {
    for (const int corner : {a, b, c, a, c, d}) {
      list.PrimWriteIdx(static_cast<ImDrawIdx>(first + static_cast<unsigned int>(corner)));
    }
  };
  for (int row = 0; row + 1 < count; ++row) {
    for (int column = 0; column < 3; ++column) {
      const int at = 4 * row + column;
      quad(at, at + 1, at + 5, at + 4);
    }
  }
  quad(0, 3, 2, 1);  // the fringe above and below
  const int last = 4 * (count - 1);
  quad(last + 1, last + 2, last + 3, last);
}

}  // namespace lockstep::gui
