// Describing a struct once, so that everything generic can be derived from that one description.
//
// A described struct has a static template `each_field(self, visit)` that calls
// `visit("name", self.member)` for each member, in a fixed order. From it follow: hashing (here), the
// JSON of a snapshot, the binary deltas of a trace, and the comparison of two worlds. A member that is
// missing there is a member that comparison and hashing do not see, so each_field lists all of them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace lockstep {

/// True for structs that describe their members by each_field.
template <class T>
concept Described = requires(T& value) { T::each_field(value, [](const char*, auto&) {}); };

/// One round of splitmix64's finalizer: spreads the bits of `x` over all 64.
constexpr uint64_t mix64(uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/// Folds `value` into `seed`; order matters.
constexpr uint64_t hash_combine(uint64_t seed, uint64_t value) {
  return mix64(seed ^ (value + 0x9e3779b97f4a7c15ull + (seed << 6) + (seed >> 2)));
}

/// The hash of a described value, a number, an enumerator, a string or a container of those.
/// Equal values have equal hashes on every machine; containers are hashed in their own order, which is
/// never that of pointers or hash tables.
template <class T>
uint64_t hash_of(const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return mix64(static_cast<uint64_t>(static_cast<std::underlying_type_t<T>>(value)));
  } else if constexpr (std::is_arithmetic_v<T>) {
    return mix64(static_cast<uint64_t>(value));
  } else if constexpr (std::is_same_v<T, std::string>) {
    uint64_t hash = 1469598103934665603ull;
    for (const char c : value) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
    return mix64(hash);
  } else if constexpr (Described<const T>) {
    uint64_t hash = 17;
    T::each_field(value, [&](const char*, const auto& field) {
      hash = hash_combine(hash, hash_of(field));
    });
    return hash;
  } else if constexpr (requires { value.has_value(); }) {
    return value ? hash_combine(1, hash_of(*value)) : 0;
  } else if constexpr (requires { value.index(); }) {
    return std::visit(
        [&](const auto& alternative) { return hash_combine(value.index(), hash_of(alternative)); },
        value);
  } else if constexpr (requires { value.first; value.second; }) {
    return hash_combine(hash_of(value.first), hash_of(value.second));
  } else {
    uint64_t hash = mix64(value.size());
    for (const auto& element : value) hash = hash_combine(hash, hash_of(element));
    return hash;
  }
}

/// Member-wise equality of two described values.
template <class T>
  requires Described<const T>
bool fields_equal(const T& a, const T& b) {
  // Both sides are walked in step: the members of `b` are collected by address first.
  std::vector<const void*> others;
  T::each_field(b, [&](const char*, const auto& field) { others.push_back(&field); });
  size_t next = 0;
  bool equal = true;
  T::each_field(a, [&]<class F>(const char*, const F& field) {
    equal = equal && field == *static_cast<const F*>(others[next++]);
  });
  return equal;
}

/// std::visit over a set of lambdas.
template <class... Ts>
struct overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
overloaded(Ts...) -> overloaded<Ts...>;

}  // namespace lockstep
