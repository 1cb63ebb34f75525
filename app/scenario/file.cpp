#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

#include "scenario/reading.h"
#include "scenario/schema.h"

namespace lockstep::scenario {
namespace {

namespace fs = std::filesystem;

Problem unreadable(const std::string& path, const std::string& why) { return {path, "", why}; }

/// The file beside the missing one that was probably meant: a name near it, or the only one that begins so.
std::string file_meant(const fs::path& path, const fs::path& folder) {
  std::error_code error;
  std::vector<std::string> names;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    names.push_back(at->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  const std::string near = nearest(path.filename().string(), names);
  if (!near.empty()) return near;
  const std::string start = path.stem().string();
  const auto begins = [&](const std::string& name) {
    return !start.empty() && name.rfind(start, 0) == 0;
  };
  const auto found = std::find_if(names.begin(), names.end(), begins);
  return std::count_if(names.begin(), names.end(), begins) == 1 ? *found : std::string();
}

Problem missing(const std::string& path) {
  if (path.empty()) return unreadable("\"\"", "is no name of a file");
  const fs::path folder = fs::path(path).parent_path();
  std::error_code error;
  if (!folder.empty() && !fs::is_directory(folder, error)) {
    return unreadable(path, "there is no directory " + folder.string() + "; check the path");
  }
  const std::string meant = file_meant(path, folder.empty() ? "." : folder);
  const std::string advice =
      meant.empty() ? "check the path" : "did you mean " + (folder / meant).string() + "?";
  return unreadable(path, "there is no such file; " + advice);
}

Problem too_large(const std::string& path) {
  return unreadable(path, "is larger than " + std::to_string(kFileBytesMax >> 20) +
                              " MiB, the most that is read");
}

}  // namespace

Result<std::ifstream> open_input(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) return missing(path);
  if (error) return unreadable(path, "cannot be read: " + error.message());
  if (fs::is_directory(status)) return unreadable(path, "is a directory; a file was expected");
  std::ifstream in(path, std::ios::binary);
  if (!in) return unreadable(path, "cannot be opened: " + std::generic_category().message(errno));
  return in;
}

Result<std::string> read_to_end(std::istream& in, const std::string& path) {
  std::error_code error;
  if (fs::is_regular_file(path, error) && fs::file_size(path, error) > kFileBytesMax && !error)
    return too_large(path);
  // Read up to the limit and one byte more, since the size of a pipe is not known before.
  std::string text;
  std::string block(1u << 16, '\0');
  while (in && text.size() <= kFileBytesMax) {
    in.read(block.data(), static_cast<std::streamsize>(block.size()));
    text.append(block, 0, static_cast<size_t>(in.gcount()));
  }
  if (in.bad()) return unreadable(path, "cannot be read to its end");
  if (text.size() > kFileBytesMax) return too_large(path);
  return text;
}

Result<std::string> read_file(const std::string& path) {
  Result<std::ifstream> in = open_input(path);
  if (!in) return in.problems();
  return read_to_end(in.value(), path);
}

std::string data_folder() {
  std::error_code error;
  const fs::path binary = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    const fs::path beside = binary.parent_path();
    for (const fs::path& folder : {beside, beside.parent_path()}) {
      if (fs::is_directory(folder / "assets", error)) return folder.string();
    }
  }
  return LOCKSTEP_SOURCE_DIR;
}

}  // namespace lockstep::scenario
