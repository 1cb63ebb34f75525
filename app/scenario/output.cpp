#include "scenario/output.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace lockstep::scenario {
namespace {

namespace fs = std::filesystem;

Problem wrong_name(const std::string& path, const std::string& message) {
  return {path, "", message};
}

/// What the system says about a failed call, and what can be done about it.
Problem refused(const std::string& path, int error) {
  Problem problem{path, "", "cannot be written: " + std::generic_category().message(error)};
  const bool name = error == ENAMETOOLONG || error == ENOENT || error == ENOTDIR || error == EISDIR;
  if (!name) problem.kind = ProblemKind::kEnvironment;
  problem.message +=
      error == ENOSPC ? "; make room, or choose another place" : "; choose another place";
  return problem;
}

/// Links are followed, so that what they lead to is replaced, not the link.
fs::path followed(const std::string& path) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  return error ? fs::path(path) : real;
}

/// A file that is removed again unless it is moved to its place.
class Part {
 public:
  explicit Part(const std::string& path) : place_(followed(path)), part_(part_of(path)) {}
  ~Part() {
    if (!moved_) std::remove(part_.c_str());
  }
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

  const std::string& name() const { return part_; }
  bool move() { return moved_ = std::rename(part_.c_str(), place_.c_str()) == 0; }

 private:
  fs::path place_;
  std::string part_;
  bool moved_ = false;
};

/// 0, or why it failed.
int write_to(const std::string& path, const std::function<void(std::ostream&)>& write) {
  std::ofstream file(path, std::ios::binary);
  if (!file) return errno;
  errno = 0;
  write(file);
  file.close();
  return file ? 0 : errno != 0 ? errno : EIO;
}

}  // namespace

std::optional<Problem> output_problem(const std::string& path) {
  if (path.empty()) return wrong_name("\"\"", "is no name; expected that of a file to write");
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status))
    return wrong_name(path, "is a directory; expected the name of a file in it");
  if (fs::exists(status)) return std::nullopt;
  fs::path folder = fs::path(path).parent_path();
  if (folder.empty()) folder = ".";
  if (fs::is_directory(folder, error)) return std::nullopt;
  if (fs::exists(folder, error))
    return wrong_name(
        path, "cannot be written: " + folder.string() + " is no directory; choose another place");
  return wrong_name(path, "cannot be written: there is no directory " + folder.string() +
                              "; make it, or choose another place");
}

std::string part_of(const std::string& path) { return followed(path).string() + ".part"; }

std::optional<Problem> write_file(const std::string& path,
                                  const std::function<void(std::ostream&)>& write) {
  if (auto problem = output_problem(path)) return problem;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    const int why = write_to(path, write);
    if (why != 0) return refused(path, why);
    return std::nullopt;
  }
  Part part(path);
  if (const int why = write_to(part.name(), write)) return refused(path, why);
  if (!part.move()) return refused(path, errno);
  return std::nullopt;
}

}  // namespace lockstep::scenario
