#include "scene/timeline_rows.h"

#include <algorithm>

#include "scene/fold.h"
#include "scene/strings.h"

namespace lockstep::scene {
namespace {

constexpr float kRowLeast = 1.6f;  // in font sizes
constexpr float kRowBest = 3.2f;
constexpr float kAxis = 2.3f;

int64_t others_of(const TimelineIndex& index) { return index.first_client(); }

std::vector<int64_t> wanted_of(const TimelineInput& input) {
  std::vector<int64_t> wanted;
  const auto& lanes = input.index.lanes();
  const int64_t clients = input.index.clients();
  for (int64_t i = 0; i < clients; ++i) {
    if (lanes[static_cast<size_t>(i + input.index.first_client())] != input.chosen) continue;
    wanted = {i, 0, i - 1, i + 1};
    break;
  }
  if (wanted.empty() && clients > 0) wanted.push_back(0);
  wanted.push_back(clients - 1);
  return wanted;
}

TimelineRow row_of(const TimelineInput& input, uint32_t lane) {
  const TimelineIndex& index = input.index;
  TimelineRow row{.lane = lane, .name = index.lanes()[lane]};
  if (index.is_client(lane)) return row;
  row.kind =
      lane == index.resource_lane() ? TimelineRow::Kind::kResource : TimelineRow::Kind::kServer;
  return row;
}

void add_rows(const TimelineInput& input, float height, TimelineRows& rows) {
  const TimelineIndex& index = input.index;
  const float least = kRowLeast * rows.sizes.u;
  const float for_clients = height - static_cast<float>(others_of(index)) * least;
  // At least the first and two counts: fold() needs that much.
  const FoldRoom room{.all = std::max(for_clients, 3 * least), .shown = least, .folded = least};
  rows.row_of_lane.assign(index.lanes().size(), -1);
  for (const FoldItem& item : fold(index.clients(), wanted_of(input), room)) {
    const int64_t first = item.first + index.first_client();
    TimelineRow row = row_of(input, static_cast<uint32_t>(first));
    if (item.folded) {
      row.kind = TimelineRow::Kind::kFolded;
      row.count = item.count;
      row.name = say(Word::kMoreClients, input.language, {std::to_string(item.count)});
    }
    for (int64_t lane = first; lane < first + item.count; ++lane) {
      rows.row_of_lane[static_cast<size_t>(lane)] = static_cast<int32_t>(rows.rows.size());
    }
    rows.rows.push_back(std::move(row));
  }
  for (size_t lane = 0; lane < index.first_client(); ++lane) {
    rows.row_of_lane[lane] = static_cast<int32_t>(rows.rows.size());
    rows.rows.push_back(row_of(input, static_cast<uint32_t>(lane)));
  }
}

}  // namespace

TimelineRows rows_of(const TimelineInput& input) {
  TimelineRows rows;
  // Lowered until the least number of rows fits.
  const auto fewest =
      static_cast<float>(std::min<int64_t>(input.index.clients(), 3) + others_of(input.index));
  const float font_max = input.size.h / (fewest * kRowLeast + kAxis + 0.6f);
  rows.sizes = sizes_of(input.measure,
                        std::max(4.0f, std::min({input.font_px, font_max, input.size.w / 20})));
  const float u = rows.sizes.u;
  const float height = input.size.h - (kAxis + 0.6f) * u;
  add_rows(input, height, rows);
  float widest = 3 * u;
  for (const TimelineRow& row : rows.rows) {
    widest = std::max(widest, input.measure.width(row.name, rows.sizes.small) + 0.8f * u);
  }
  rows.label_x = 1.2f * u;
  rows.label_w = std::min(widest, 9 * u);
  const float left = rows.label_x + rows.label_w + 1.0f * u;
  const auto count = static_cast<float>(std::max<size_t>(rows.rows.size(), 1));
  rows.row_h = std::min(height / count, 4.2f * u);
  rows.plot = {left, 0.4f * u, input.size.w - 2.2f * u - left, rows.row_h * count};
  rows.axis = {left, rows.plot.bottom(), rows.plot.w, kAxis * u};
  float top = rows.plot.y;
  for (TimelineRow& row : rows.rows) {
    row.top = top;
    row.y = top + 0.62f * rows.row_h;
    top += rows.row_h;
  }
  return rows;
}

const TimelineRow* row_of_lane(const TimelineRows& rows, uint32_t lane) {
  if (lane >= rows.row_of_lane.size() || rows.row_of_lane[lane] < 0) return nullptr;
  return &rows.rows[static_cast<size_t>(rows.row_of_lane[lane])];
}

TimeUs tick_step(TimeUs range_us, float width, float least) {
  const float wanted = static_cast<float>(range_us) * least / std::max(width, 1.0f);
  for (TimeUs power = 1;; power *= 10) {
    for (const TimeUs factor : {1, 2, 5}) {
      if (static_cast<float>(power * factor) >= wanted) return power * factor;
    }
  }
}

std::string tick_text(TimeUs time_us, TimeUs step_us) {
  size_t digits = 0;
  for (TimeUs unit = kSecond; digits < 6 && step_us % unit != 0; unit /= 10) ++digits;
  std::string fraction = std::to_string(time_us % kSecond);
  fraction.insert(0, 6 - fraction.size(), '0');
  std::string text = std::to_string(time_us / kSecond);
  if (digits > 0) text += "." + fraction.substr(0, digits);
  return text + " s";
}

float timeline_height(const TimelineInput& input) {
  const auto rows =
      static_cast<float>(std::min<int64_t>(input.index.clients(), 6) + others_of(input.index));
  return (rows * kRowBest + kAxis + 0.6f) * input.font_px;
}

}  // namespace lockstep::scene
