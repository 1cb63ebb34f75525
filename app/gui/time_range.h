// Which stretch of time the timeline shows.
#pragma once

#include "gui/document.h"
#include "gui/view.h"

namespace lockstep::gui {

/// With `all`: from the start to the end of what is known, a little longer than that while it grows.
TimeRange shown_range(const TimeRange& range, const Document& document, TimeUs now_us);

/// Narrower (factor < 1) or wider round a time that stays in its place.
TimeRange zoomed(const TimeRange& range, TimeUs around_us, double factor);

TimeRange panned(const TimeRange& range, TimeUs by_us);

/// Moved so that `at_us` is in sight, if it is not.
TimeRange showing(const TimeRange& range, TimeUs at_us);

}  // namespace lockstep::gui
