// The command line.
#include <cstdio>
#include <string>
#include <vector>

#if LOCKSTEP_WITH_LIVE
#include "live/live.h"
#endif

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
#if LOCKSTEP_WITH_LIVE
  // The parts of a live run, started by it.
  if (!arguments.empty() && arguments[0] == "client") return lockstep::live::client_main();
  if (!arguments.empty() && arguments[0] == "resource") {
    return lockstep::live::resource_main({arguments.begin() + 1, arguments.end()});
  }
#endif
  std::puts("lockstep " LOCKSTEP_VERSION);
}
