#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "scenario/reading.h"

namespace lockstep::scenario {
namespace {

namespace fs = std::filesystem;

Problem unreadable(const std::string& path, const std::string& why) { return {path, "", why}; }

}  // namespace

Result<std::string> read_file(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    return unreadable(path, "there is no such file; check the path");
  }
  if (error) return unreadable(path, "cannot be read: " + error.message());
  if (fs::is_directory(status)) return unreadable(path, "is a directory; a file was expected");

  std::ifstream in(path, std::ios::binary);
  if (!in) return unreadable(path, "cannot be opened: " + std::generic_category().message(errno));
  // Read up to the limit and one byte more, since the size of a pipe is not known before.
  std::string text;
  std::string block(1u << 16, '\0');
  while (in && text.size() <= kFileBytesMax) {
    in.read(block.data(), static_cast<std::streamsize>(block.size()));
    text.append(block, 0, static_cast<size_t>(in.gcount()));
  }
  if (in.bad()) return unreadable(path, "cannot be read to its end");
  if (text.size() > kFileBytesMax) {
    return unreadable(path, "is larger than " + std::to_string(kFileBytesMax >> 20) +
                                " MiB, the most that is read");
  }
  return text;
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
