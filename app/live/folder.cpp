#include "live/folder.h"

#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace lockstep::live {
namespace {

// Dying servers may still be writing when we were killed, hence the attempts. What it needs is found whatever
// PATH we were given.
constexpr const char* kGuard = R"(PATH=/usr/bin:/bin
trap '' HUP INT TERM
read -r word
if [ "$word" = keep ]; then exit; fi
for attempt in 1 2 3 4 5 6 7 8 9 10; do
  rm -rf -- "$0" 2>/dev/null && exit
  sleep 0.2
done)";

}  // namespace

scenario::Result<Folder> Folder::make() {
  const char* base = std::getenv("TMPDIR");
  std::string path = std::string(base && *base ? base : "/tmp") + "/lockstep-XXXXXX";
  if (!mkdtemp(path.data())) {
    return scenario::Problem{path, "",
                             std::string("cannot make a folder here: ") + std::strerror(errno) +
                                 "; TMPDIR can name another place",
                             scenario::ProblemKind::kEnvironment};
  }
  auto guard = Process::start({.arguments = {"/bin/sh", "-c", kGuard, path},
                               .output_file = "/dev/null",
                               .outlives_us = true});
  if (!guard) {
    rmdir(path.c_str());
    return guard.problems();
  }
  Folder folder;
  folder.path_ = path;
  folder.guard_ = std::move(guard.value());
  return folder;
}

Folder::~Folder() {
  if (!guard_.running()) return;
  guard_.close_channel();
  while (guard_.wait() != ProcessChange::kEnded) continue;
}

void Folder::keep() { guard_.write_line("keep"); }

}  // namespace lockstep::live
