#include "recipes/guid.h"

#include "recipes/fields.h"

namespace lockstep::recipes {
namespace {

void append_hex(std::string& text, uint64_t value, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
    text += "0123456789abcdef"[(value >> shift) & 15];
  }
}

}  // namespace

std::string guid_of(uint64_t seed, uint32_t attempt) {
  const uint64_t high = mix64(hash_combine(seed, 2 * uint64_t{attempt}));
  const uint64_t low = mix64(hash_combine(seed, 2 * uint64_t{attempt} + 1));
  std::string text;
  append_hex(text, high >> 32, 8);
  text += '-';
  append_hex(text, high >> 16, 4);
  text += '-';
  append_hex(text, high, 4);
  text += '-';
  append_hex(text, low >> 48, 4);
  text += '-';
  append_hex(text, low, 12);
  return text;
}

}  // namespace lockstep::recipes
