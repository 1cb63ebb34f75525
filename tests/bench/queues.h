// The workload that everything here is measured with: clients that queue for one lock, each writing to the
// resource whenever it holds it, and then queueing again.
#pragma once

#include <cstdint>

#include "scenario/scenario.h"

namespace lockstep::bench {

/// `clients` clients of one server, which all start within the first second and never have enough: such a
/// run goes on for as long as somebody lets it.
scenario::Scenario endless_queue(uint32_t clients);

}  // namespace lockstep::bench
