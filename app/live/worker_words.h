// How a client of a live run tells what it does: the same words as the simulator's events, and what each
// implies about the truth.
#pragma once

#include "live/wire.h"
#include "recipes/shelf.h"

namespace lockstep::live {

/// Fills in what an input is called, what must have been committed before it could come, and the watch
/// that it says is set. `request` is what a reply answers.
void describe_input(const recipes::Input& input, const zk::Request& request, ClientReport& report);

/// The event of a notice.
ClientReport report_of(const recipes::Notice& notice, const recipes::Recipe& recipe);

}  // namespace lockstep::live
