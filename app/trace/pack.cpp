#include "trace/pack.h"

#include <cstring>

namespace lockstep::trace {
namespace {

/// Shorter strings cost no more than a reference to them.
constexpr size_t kReferredSizeMin = 4;

}  // namespace

void append_number(uint64_t value, Bytes& bytes) {
  std::array<uint8_t, kNumberBytesMax> number;
  bytes.insert(bytes.end(), number.data(), write_number(value, number.data()));
}

// ---- Packer ------------------------------------------------------------------------------------

void Packer::clear() {
  size_ = 0;
  strings_ = 0;
}

void Packer::put_string(std::string_view text) {
  // The lowest bit tells a reference (offset and size of the characters) from the characters themselves.
  const bool worth_it = text.size() >= kReferredSizeMin;
  for (size_t i = 0; worth_it && i < strings_; ++i) {
    const Literal literal = literals_[i];
    if (literal.size == text.size() &&
        std::memcmp(room_.data() + literal.offset, text.data(), text.size()) == 0) {
      put_number(uint64_t{literal.offset} << 1 | 1);
      put_number(text.size());
      return;
    }
  }
  put_number(uint64_t{text.size()} << 1);
  if (worth_it && strings_ < literals_.size()) {
    literals_[strings_++] = {static_cast<uint32_t>(size_), static_cast<uint32_t>(text.size())};
  }
  if (text.empty()) return;
  make_room(text.size());
  std::memcpy(room_.data() + size_, text.data(), text.size());
  size_ += text.size();
}

// ---- Unpacker ----------------------------------------------------------------------------------

uint64_t Unpacker::long_number() {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    require(at_ != end_, "packed bytes end too early: a record was cut, or read with other fields");
    const uint8_t byte = *at_++;
    value |= uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80) return value;
  }
  bug("a packed number has no end: read at the wrong place");
}

std::string_view Unpacker::string() {
  const uint64_t head = number();
  const bool refers = head & 1;
  const uint64_t size = refers ? number() : head >> 1;
  const auto available = static_cast<uint64_t>(refers ? end_ - base_ : end_ - at_);
  const uint64_t offset = refers ? head >> 1 : 0;
  require(size <= available && offset <= available - size,
          "a packed string has no such characters");
  const uint8_t* first = refers ? base_ + offset : at_;
  if (!refers) at_ += size;
  return {reinterpret_cast<const char*>(first), static_cast<size_t>(size)};
}

void Unpacker::skip(uint64_t bytes) {
  require(bytes <= static_cast<uint64_t>(end_ - at_),
          "packed bytes end too early: cannot skip a part");
  at_ += bytes;
}

void Unpacker::shorten(uint64_t bytes) {
  require(bytes <= static_cast<uint64_t>(end_ - at_),
          "packed bytes end too early: a part is missing");
  end_ = at_ + bytes;
}

}  // namespace lockstep::trace
