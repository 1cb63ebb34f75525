#include "recipes/bug.h"

#include <cstdio>
#include <cstdlib>

namespace lockstep {

void bug(const char* message) {
  std::fprintf(stderr, "lockstep: a bug in Lockstep itself: %s\n", message);
  std::abort();
}

}  // namespace lockstep
