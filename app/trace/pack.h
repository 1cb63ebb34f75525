// Described structs as few bytes: what differs between two values of one struct.
//
// Numbers are variable-length, signed ones zigzag. Changed fields are named by a bit mask in the order of
// each_field; a changed number is written as its difference, a changed bool as nothing (it flipped), a
// changed string whole, a changed described struct as its own changes. Unpacking needs the value before.
//
// A string that occurred before in the same record is written as a reference to that place, so that an
// event, its message and its node name a path once. References are offsets from the record's start.
//
// The bytes are only ever our own: a reader that meets nonsense ends the program (see bug.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "recipes/fields.h"
#include "recipes/bug.h"

namespace lockstep::trace {

using Bytes = std::vector<uint8_t>;

/// The most bytes that a number takes.
constexpr size_t kNumberBytesMax = 10;

/// Writes a number, returns the place behind it.
inline uint8_t* write_number(uint64_t value, uint8_t* at) {
  while (value >= 0x80) {
    *at++ = static_cast<uint8_t>(value | 0x80);
    value >>= 7;
  }
  *at++ = static_cast<uint8_t>(value);
  return at;
}

void append_number(uint64_t value, Bytes& bytes);

/// Writes one record. Reused from record to record, it allocates nothing once it has grown.
class Packer {
 public:
  void put_number(uint64_t value) {
    make_room(kNumberBytesMax);
    size_ = static_cast<size_t>(write_number(value, room_.data() + size_) - room_.data());
  }
  void put_signed(int64_t value) {
    put_number(static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63));
  }
  void put_string(std::string_view text);

  /// Begins a new record: what comes next refers to nothing before.
  void clear();
  /// Lets strings that follow refer to nothing before, without losing the bytes.
  void forget_strings() { strings_ = 0; }

  Bytes copy() const { return {data(), data() + size_}; }
  void append_to(Bytes& bytes) const { bytes.insert(bytes.end(), data(), data() + size_); }
  const uint8_t* data() const { return room_.data(); }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

 private:
  struct Literal {
    uint32_t offset = 0;  // of the first character
    uint32_t size = 0;
  };

  void make_room(size_t bytes) {
    if (room_.size() - size_ < bytes) room_.resize(2 * room_.size() + bytes);
  }

  Bytes room_;       // what is written, and room for more
  size_t size_ = 0;  // of what is written
  std::array<Literal, 12> literals_;
  size_t strings_ = 0;
};

/// Reads one record, from its start.
class Unpacker {
 public:
  struct Range {
    const uint8_t* begin = nullptr;
    const uint8_t* end = nullptr;
  };
  explicit Unpacker(Range record) : base_(record.begin), at_(record.begin), end_(record.end) {}

  uint64_t number() {
    if (at_ != end_ && *at_ < 0x80) return *at_++;
    return long_number();
  }
  int64_t signed_number() {
    const uint64_t value = number();
    return static_cast<int64_t>(value >> 1 ^ (~(value & 1) + 1));
  }
  /// Valid as long as the bytes are.
  std::string_view string();
  bool done() const { return at_ == end_; }
  void skip(uint64_t bytes);
  /// Keeps only so many bytes of what is left.
  void shorten(uint64_t bytes);
  /// What is left, as a record of its own.
  Unpacker rest() const { return Unpacker({.begin = at_, .end = end_}); }

 private:
  uint64_t long_number();

  const uint8_t* base_;
  const uint8_t* at_;
  const uint8_t* end_;
};

constexpr size_t kFieldsMax = 32;

/// The addresses of a described value's fields, in order: to walk two values in step.
template <class T>
std::array<const void*, kFieldsMax> field_addresses(const T& value) {
  std::array<const void*, kFieldsMax> addresses;
  size_t next = 0;
  T::each_field(value, [&](const char*, const auto& field) { addresses[next++] = &field; });
  return addresses;
}

/// One bit for each field that differs.
template <class T>
uint64_t changed_fields(const T& before, const T& after) {
  const auto olds = field_addresses(before);
  uint64_t mask = 0;
  size_t next = 0;
  T::each_field(after, [&]<class F>(const char*, const F& field) {
    if (!(field == *static_cast<const F*>(olds[next]))) mask |= uint64_t{1} << next;
    ++next;
  });
  return mask;
}

template <class T>
void pack_changes(const T& before, const T& after, uint64_t mask, Packer& packer);

template <class F>
void pack_field(const F& before, const F& after, Packer& packer) {
  if constexpr (std::is_same_v<F, bool>) {
    return;
  } else if constexpr (std::is_same_v<F, std::string>) {
    packer.put_string(after);
  } else if constexpr (Described<const F>) {
    pack_changes(before, after, changed_fields(before, after), packer);
  } else {
    // Unsigned, so that the difference of any two numbers is defined.
    packer.put_signed(
        static_cast<int64_t>(static_cast<uint64_t>(after) - static_cast<uint64_t>(before)));
  }
}

/// Writes `mask`, which is changed_fields(before, after), and the fields that it names.
template <class T>
void pack_changes(const T& before, const T& after, uint64_t mask, Packer& packer) {
  packer.put_number(mask);
  const auto olds = field_addresses(before);
  size_t next = 0;
  T::each_field(after, [&]<class F>(const char*, const F& field) {
    if (mask >> next & 1) pack_field(*static_cast<const F*>(olds[next]), field, packer);
    ++next;
  });
}

/// As above, against a value with every field at its default.
template <class T>
void pack_whole(const T& value, Packer& packer) {
  const T nothing;
  pack_changes(nothing, value, changed_fields(nothing, value), packer);
}

/// Turns the value before into the value after.
template <class T>
void unpack_changes(T& value, Unpacker& unpacker) {
  const uint64_t mask = unpacker.number();
  size_t next = 0;
  T::each_field(value, [&]<class F>(const char*, F& field) {
    if (!(mask >> next++ & 1)) return;
    if constexpr (std::is_same_v<F, bool>) {
      field = !field;
    } else if constexpr (std::is_same_v<F, std::string>) {
      field.assign(unpacker.string());
    } else if constexpr (Described<const F>) {
      unpack_changes(field, unpacker);
    } else {
      field = static_cast<F>(static_cast<uint64_t>(field) +
                             static_cast<uint64_t>(unpacker.signed_number()));
    }
  });
  require(mask >> next == 0,
          "packed bytes name a field that the struct lacks: read as another struct?");
}

}  // namespace lockstep::trace
