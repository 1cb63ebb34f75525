// A name's own part: by it an attempt finds its node again when the reply to the create was lost.
#pragma once

#include <cstdint>
#include <string>

namespace lockstep::recipes {

/// "8d3ca1f0-52b1-9e04-77aa-0c5b1e9d2f46": the same seed and attempt give the same, others give others.
std::string guid_of(uint64_t seed, uint32_t attempt);

}  // namespace lockstep::recipes
