#include "gui/time_range.h"

#include <algorithm>

namespace lockstep::gui {
namespace {

constexpr TimeUs kShortest = 2 * kMillisecond;

}  // namespace

TimeRange shown_range(const TimeRange& range, const Document& document, TimeUs now_us) {
  if (!range.all) return range;
  const TimeUs end = std::max(document.index().end_us(), now_us);
  if (document.tape().ended()) return {true, 0, std::max(end + end / 40, 100 * kMillisecond)};
  // Grows in steps, so that the picture does not crawl while a run is played.
  TimeUs to = 200 * kMillisecond;
  while (to < end + end / 8) to += to / 2;
  return {true, 0, to};
}

TimeRange zoomed(const TimeRange& range, TimeUs around_us, double factor) {
  const double length = static_cast<double>(range.to_us - range.from_us);
  const double next = std::max(length * factor, static_cast<double>(kShortest));
  const double share = static_cast<double>(around_us - range.from_us) / std::max(length, 1.0);
  const auto from = static_cast<TimeUs>(static_cast<double>(around_us) - share * next);
  return panned({false, from, from + static_cast<TimeUs>(next)}, 0);
}

TimeRange panned(const TimeRange& range, TimeUs by_us) {
  const TimeUs length = range.to_us - range.from_us;
  const TimeUs from = std::max<TimeUs>(0, range.from_us + by_us);
  return {false, from, from + length};
}

TimeRange showing(const TimeRange& range, TimeUs at_us) {
  if (range.all || (at_us >= range.from_us && at_us <= range.to_us)) return range;
  const TimeUs length = range.to_us - range.from_us;
  return panned(range, at_us - range.from_us - (at_us > range.to_us ? length * 3 / 4 : length / 4));
}

}  // namespace lockstep::gui
