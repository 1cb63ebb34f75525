#include "trace/conditions.h"

#include <type_traits>
#include <vector>

#include "trace/delta.h"
#include "trace/names.h"

namespace lockstep::trace {
namespace {

using scenario::Test;
using scenario::Value;

// ---- Pointers ----------------------------------------------------------------------------------

/// The tokens of a JSON Pointer (RFC 6901), unescaped; false if it is none.
bool tokens_of(std::string_view pointer, std::vector<std::string>& tokens) {
  if (pointer.empty()) return true;
  if (pointer.front() != '/') return false;
  for (size_t i = 0; i < pointer.size(); ++i) {
    if (pointer[i] == '/') {
      tokens.emplace_back();
    } else if (pointer[i] != '~') {
      tokens.back() += pointer[i];
    } else if (++i < pointer.size() && (pointer[i] == '0' || pointer[i] == '1')) {
      tokens.back() += pointer[i] == '0' ? '~' : '/';
    } else {
      return false;
    }
  }
  return true;
}

/// The tokens that are left to follow.
struct Rest {
  const std::string* begin = nullptr;
  const std::string* end = nullptr;

  bool empty() const { return begin == end; }
  const std::string& front() const { return *begin; }
  Rest behind() const { return {begin + 1, end}; }
};

// ---- Values ------------------------------------------------------------------------------------

template <class F>
Value value_of(const F& field, Rest rest);

/// The value in a described struct.
template <class T>
Value value_in(const T& described, Rest rest) {
  if (rest.empty()) return true;
  Value value;
  T::each_field(described, [&](const char* name, const auto& field) {
    if (rest.front() == name) value = value_of(field, rest.behind());
  });
  return value;
}

template <class F>
Value value_of(const F& field, Rest rest) {
  if constexpr (Described<const F>) {
    return value_in(field, rest);
  } else {
    if (!rest.empty()) return {};
    if constexpr (std::is_same_v<F, bool>)
      return field;
    else if constexpr (std::is_same_v<F, std::string>)
      return field;
    else if constexpr (std::is_enum_v<F>)
      return std::string(name_of(field));
    else
      return static_cast<int64_t>(field);
  }
}

Value client_value(const Snapshot& snapshot, std::string_view lock_path, Rest rest) {
  const std::string& id = rest.front();
  const ClientRow* client = find(snapshot.clients, id);
  if (!client) return {};
  const Rest field = rest.behind();
  if (field.begin + 1 == field.end) {
    if (field.front() == "danger") return std::string(name_of(danger_of(snapshot, lock_path, id)));
    if (field.front() == "place") return place_of(truth_of(snapshot, lock_path), id);
  }
  return value_in(*client, field);
}

Value table_value(const Snapshot& snapshot, Rest rest) {
  Value value;
  Snapshot::each_table(snapshot, [&](const char* name, const auto& table) {
    if (rest.front() != name) return;
    if (rest.behind().empty()) {
      value = true;
    } else if (const auto* row = find(table, rest.behind().front())) {
      value = value_in(*row, rest.behind().behind());
    }
  });
  return value;
}

// ---- What could be there -----------------------------------------------------------------------

std::string pointer_to(Rest all, const std::string* end) {
  std::string pointer;
  for (const std::string* token = all.begin; token != end; ++token) pointer += "/" + *token;
  return pointer;
}

/// The names of a described struct's fields.
template <class T>
std::vector<std::string> fields_of() {
  std::vector<std::string> names;
  const T value;
  T::each_field(value, [&](const char* name, const auto&) { names.emplace_back(name); });
  if constexpr (std::is_same_v<T, ClientRow>) names.insert(names.end(), {"danger", "place"});
  return names;
}

/// Says that `rest.front()` is none of `names`; false, to be returned.
bool refuse(Rest all, Rest rest, const std::vector<std::string>& names, std::string& why) {
  const std::string place = pointer_to(all, rest.begin);
  why = "nothing is called \"" + rest.front() + "\" " +
        (place.empty() ? "in a snapshot" : "in " + place) + ": expected one of ";
  for (size_t i = 0; i < names.size(); ++i) why += (i ? ", " : "") + names[i];
  return false;
}

template <class T>
bool known_in(Rest all, Rest rest, std::string& why) {
  if (rest.empty()) return true;
  bool found = false;
  bool known = false;
  const T value;
  T::each_field(value, [&]<class F>(const char* name, const F&) {
    if (rest.front() != name) return;
    found = true;
    if constexpr (Described<const F>) {
      known = known_in<F>(all, rest.behind(), why);
    } else {
      known = rest.behind().empty();
    }
  });
  const bool derived =
      std::is_same_v<T, ClientRow> && (rest.front() == "danger" || rest.front() == "place");
  if (!found && !derived) return refuse(all, rest, fields_of<T>(), why);
  if (derived) known = rest.behind().empty();
  if (!known && why.empty()) {
    why = pointer_to(all, rest.begin + 1) + " is a single value: expected the pointer to end there";
  }
  return known;
}

bool known_in_snapshot(Rest all, std::string& why) {
  if (all.empty()) return true;
  if (all.front() == "facts") return known_in<Facts>(all, all.behind(), why);
  if (all.front() == "time_us") {
    if (all.behind().empty()) return true;
    why = "/time_us is a single value: expected the pointer to end there";
    return false;
  }
  std::vector<std::string> names = {"time_us", "facts"};
  bool found = false;
  bool known = true;
  const Snapshot none;
  Snapshot::each_table(none, [&]<class Row>(const char* name, const Table<Row>&) {
    names.emplace_back(name);
    if (all.front() != name) return;
    found = true;
    // The second token is an id: any may come to be.
    if (!all.behind().empty()) known = known_in<Row>(all, all.behind().behind(), why);
  });
  return found ? known : refuse(all, all, names, why);
}

}  // namespace

Value value_at(const Snapshot& snapshot, std::string_view lock_path, std::string_view pointer) {
  std::vector<std::string> tokens;
  if (!tokens_of(pointer, tokens)) return {};
  if (tokens.empty()) return true;
  const Rest rest{tokens.data(), tokens.data() + tokens.size()};
  if (rest.front() == "time_us") return rest.behind().empty() ? Value(snapshot.time_us) : Value();
  if (rest.front() == "facts") return value_in(facts_of(snapshot, lock_path), rest.behind());
  if (rest.front() == "clients" && !rest.behind().empty()) {
    return client_value(snapshot, lock_path, rest.behind());
  }
  return table_value(snapshot, rest);
}

bool known_pointer(std::string_view pointer, std::string& why) {
  why.clear();
  std::vector<std::string> tokens;
  if (!tokens_of(pointer, tokens)) {
    why =
        "not a JSON Pointer: expected \"/\" before each name, with ~1 for a slash and ~0 for a "
        "tilde in it";
    return false;
  }
  return known_in_snapshot({tokens.data(), tokens.data() + tokens.size()}, why);
}

bool holds(const scenario::Condition& condition, const Snapshot& snapshot,
           std::string_view lock_path) {
  const Value value = value_at(snapshot, lock_path, condition.at);
  const auto* number = std::get_if<int64_t>(&value);
  const auto* bound = std::get_if<int64_t>(&condition.operand);
  switch (condition.test) {
    case Test::kIs: return value == condition.operand;
    case Test::kNot: return value != condition.operand;
    case Test::kMin: return number && bound && *number >= *bound;
    case Test::kMax: return number && bound && *number <= *bound;
    case Test::kSameAs: break;
  }
  // Two things that are both absent are not the same thing.
  const auto* other = std::get_if<std::string>(&condition.operand);
  return other && value.index() != 0 && value == value_at(snapshot, lock_path, *other);
}

std::string to_text(const Value& value) {
  return std::visit(overloaded{
                        [](std::monostate) { return std::string("nothing"); },
                        [](bool flag) { return std::string(flag ? "true" : "false"); },
                        [](int64_t number) { return std::to_string(number); },
                        [](const std::string& text) { return "\"" + text + "\""; },
                    },
                    value);
}

}  // namespace lockstep::trace
