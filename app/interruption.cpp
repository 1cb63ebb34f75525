#include "interruption.h"

#include <signal.h>
#include <unistd.h>

#include <climits>
#include <cstring>

namespace lockstep {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};

// A signal handler reaches nothing but what has a fixed place.
char half_written[PATH_MAX];

void remove_and_end(int signal) {
  unlink(half_written);
  raise(signal);  // The handler was for once: now it ends the program.
}

}  // namespace

RemovedOnInterruption::RemovedOnInterruption(const std::string& path) {
  if (path.size() >= sizeof half_written) return;  // No file has such a name.
  std::memcpy(half_written, path.c_str(), path.size() + 1);
  for (const int number : kSignals) {
    struct sigaction before = {};
    sigaction(number, nullptr, &before);
    if (before.sa_handler != SIG_DFL) continue;  // As `nohup` does: it is not to end us.
    struct sigaction removing = {};
    removing.sa_handler = remove_and_end;
    removing.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(number, &removing, nullptr);
  }
}

RemovedOnInterruption::~RemovedOnInterruption() {
  for (const int number : kSignals) {
    struct sigaction now = {};
    sigaction(number, nullptr, &now);
    if (now.sa_handler == remove_and_end) signal(number, SIG_DFL);
  }
  half_written[0] = '\0';
}

}  // namespace lockstep
