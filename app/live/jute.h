// Reading jute, the encoding that ZooKeeper uses on the wire and on disk: big-endian numbers, and strings,
// buffers and vectors with their length before them (-1: none).
#pragma once

#include <cstdint>
#include <string>

namespace lockstep::live {

/// Reads one value after the other. Past the end every value is zero, and ok() says so.
class JuteReader {
 public:
  /// `bytes` must outlive the reader.
  explicit JuteReader(const std::string& bytes) : bytes_(bytes) {}

  bool ok() const { return ok_; }
  bool at_end() const { return at_ >= bytes_.size(); }

  int64_t i64() { return static_cast<int64_t>(big_endian(8)); }
  int32_t i32() { return static_cast<int32_t>(static_cast<uint32_t>(big_endian(4))); }
  bool boolean() { return big_endian(1) != 0; }

  /// A string or a buffer.
  std::string text() {
    const int32_t length = i32();
    if (length <= 0) return "";
    if (static_cast<size_t>(length) > bytes_.size() - at_) {
      ok_ = false;
      return "";
    }
    at_ += static_cast<size_t>(length);
    return bytes_.substr(at_ - static_cast<size_t>(length), static_cast<size_t>(length));
  }

  /// The number of a vector's elements; never more than there are bytes left.
  int32_t count() {
    const int32_t number = i32();
    if (number <= 0) return 0;
    if (static_cast<size_t>(number) > bytes_.size() - at_) {
      ok_ = false;
      return 0;
    }
    return number;
  }

 private:
  uint64_t big_endian(size_t size) {
    if (size > bytes_.size() - at_) {
      ok_ = false;
      at_ = bytes_.size();
      return 0;
    }
    uint64_t value = 0;
    for (size_t i = 0; i < size; ++i)
      value = value << 8 | static_cast<unsigned char>(bytes_[at_++]);
    return value;
  }

  const std::string& bytes_;
  size_t at_ = 0;
  bool ok_ = true;
};

}  // namespace lockstep::live
