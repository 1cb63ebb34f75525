// A temporary folder that is removed again, whatever ends us.
//
// A guard, a small process with a session of its own, waits for us to let go of it or to die, and then
// removes the folder. It is the only one that removes, so that both endings take the same way.
#pragma once

#include <string>

#include "live/process.h"
#include "scenario/problem.h"

namespace lockstep::live {

class Folder {
 public:
  Folder() = default;
  /// Below $TMPDIR, or /tmp.
  static scenario::Result<Folder> make();
  /// Has it removed, and waits until it is gone.
  ~Folder();
  Folder(Folder&&) noexcept = default;
  Folder& operator=(Folder&&) noexcept = default;

  const std::string& path() const { return path_; }
  /// Leaves the folder where it is: for somebody who wants to look.
  void keep();

 private:
  std::string path_;
  Process guard_;
};

}  // namespace lockstep::live
