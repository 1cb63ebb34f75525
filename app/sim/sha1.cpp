#include "sim/sha1.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace lockstep::sim {
namespace {

constexpr size_t kBlock = 64;

uint32_t byte_at(std::string_view bytes, size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

void put_big_endian(std::string& bytes, uint64_t value, size_t size) {
  for (size_t i = size; i-- > 0;) bytes += static_cast<char>(value >> (8 * i) & 0xff);
}

/// The message, a one bit, zeros up to whole blocks, and at their end the message's length in bits.
std::string padded(std::string_view message) {
  std::string bytes(message);
  bytes += static_cast<char>(0x80);
  while (bytes.size() % kBlock != kBlock - 8) bytes += '\0';
  put_big_endian(bytes, 8 * static_cast<uint64_t>(message.size()), 8);
  return bytes;
}

using State = std::array<uint32_t, 5>;

std::array<uint32_t, 80> schedule(std::string_view block) {
  std::array<uint32_t, 80> words = {};
  for (size_t i = 0; i < 64; ++i) words[i / 4] = words[i / 4] << 8 | byte_at(block, i);
  for (size_t i = 16; i < 80; ++i) {
    words[i] = std::rotl(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
  }
  return words;
}

/// The function and constant of each of the four rounds of twenty.
uint32_t mixed(size_t round, uint32_t b, uint32_t c, uint32_t d) {
  switch (round) {
    case 0: return ((b & c) | (~b & d)) + 0x5a827999u;
    case 1: return (b ^ c ^ d) + 0x6ed9eba1u;
    case 2: return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdcu;
    default: return (b ^ c ^ d) + 0xca62c1d6u;
  }
}

void take(State& state, std::string_view block) {
  auto [a, b, c, d, e] = state;
  const std::array<uint32_t, 80> words = schedule(block);
  for (size_t i = 0; i < 80; ++i) {
    const uint32_t next = std::rotl(a, 5) + mixed(i / 20, b, c, d) + e + words[i];
    e = d;
    d = c;
    c = std::rotl(b, 30);
    b = a;
    a = next;
  }
  const State after = {a, b, c, d, e};
  for (size_t i = 0; i < state.size(); ++i) state[i] += after[i];
}

}  // namespace

std::string sha1(std::string_view message) {
  State state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  const std::string bytes = padded(message);
  for (size_t at = 0; at < bytes.size(); at += kBlock) {
    take(state, std::string_view(bytes).substr(at, kBlock));
  }
  std::string digest;
  for (const uint32_t word : state) put_big_endian(digest, word, 4);
  return digest;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t at = 0; at < bytes.size(); at += 3) {
    const size_t count = std::min<size_t>(3, bytes.size() - at);
    uint32_t group = 0;
    for (size_t i = 0; i < 3; ++i) group = group << 8 | (i < count ? byte_at(bytes, at + i) : 0);
    for (size_t i = 0; i < 4; ++i) text += i <= count ? kDigits[group >> (18 - 6 * i) & 0x3f] : '=';
  }
  return text;
}

}  // namespace lockstep::sim
