#include "trace/json_rows.h"

#include <limits>
#include <vector>

#include <nlohmann/json.hpp>

#include "scenario/schema.h"
#include "trace/delta.h"
#include "trace/names.h"

namespace lockstep::trace {
namespace {

using nlohmann::json;

template <class T>
void read_struct(const json& value, const Spot& spot, T& described, LineReader& reader);

template <class F>
void read_whole_number(const json& value, const Spot& spot, F& field, LineReader& reader) {
  const int64_t number = reader.number(value, spot, std::numeric_limits<F>::min());
  if (number > std::numeric_limits<F>::max()) {
    return reader.refuse(spot, std::to_string(number) +
                                   " is too large: the largest number here is " +
                                   std::to_string(std::numeric_limits<F>::max()));
  }
  field = static_cast<F>(number);
}

template <class F>
void read_field(const json& value, const Spot& spot, F& field, LineReader& reader) {
  if constexpr (Described<F>) {
    read_struct(value, spot, field, reader);
  } else if constexpr (std::is_same_v<F, std::string>) {
    field = reader.text(value, spot);
  } else if constexpr (std::is_same_v<F, bool>) {
    if (!value.is_boolean()) return reader.refuse(spot, "expected true or false");
    field = value.get<bool>();
  } else if constexpr (std::is_enum_v<F>) {
    const std::string name = reader.text(value, spot);
    if (!reader.failed() && !from_name(name, field)) {
      reader.refuse(spot, "\"" + name + "\" is no name here: expected one of " + names_of<F>());
    }
  } else {
    read_whole_number(value, spot, field, reader);
  }
}

/// True for a client's members that follow from the rows.
template <class T>
bool is_derived(const std::string& name) {
  return std::is_same_v<T, ClientRow> && (name == "danger" || name == "place");
}

void refuse_unknown(const std::string& name, const Spot& spot,
                    const std::vector<std::string>& known, LineReader& reader) {
  const std::string meant = scenario::nearest(name, known);
  reader.refuse(spot.at(name),
                meant.empty() ? "there is no such member here: expected " + scenario::one_of(known)
                              : "there is no such member here; did you mean \"" + meant + "\"?");
}

/// Changes the members that `value` names, and leaves the others.
template <class T>
void read_struct(const json& value, const Spot& spot, T& described, LineReader& reader) {
  if (!reader.is_object(value, spot)) return;
  size_t taken = 0;
  std::vector<std::string> names;
  T::each_field(described, [&](const char* name, auto& field) {
    names.emplace_back(name);
    const auto member = value.find(name);
    if (member == value.end() || reader.failed()) return;
    ++taken;
    read_field(*member, spot.at(name), field, reader);
  });
  if (taken == value.size() || reader.failed()) return;
  for (const auto& [name, member] : value.items()) {
    bool known = is_derived<T>(name);
    for (const std::string& other : names) known = known || other == name;
    if (!known) return refuse_unknown(name, spot, names, reader);
  }
}

/// One row of a merge patch: null takes it away.
template <class Row>
void read_row(const json& value, const Spot& spot, Table<Row> Snapshot::*table,
              const Snapshot& last, Writer& writer, LineReader& reader) {
  const Row* old = find(last.*table, spot.step);
  if (value.is_null()) {
    if (!old) return reader.refuse(spot, "null takes a row away, but there is none with this id");
    return writer.erase(table, spot.step);
  }
  Row row = old ? *old : Row{};
  read_struct(value, spot, row, reader);
  if (!reader.failed()) writer.put(table, spot.step, row);
}

/// Calls `visit(name, member)` for each table, so that a writer can be told which is meant.
template <class Visit>
void each_table_member(Visit&& visit) {
  visit("clients", &Snapshot::clients);
  visit("znodes", &Snapshot::znodes);
  visit("sessions", &Snapshot::sessions);
  visit("watches", &Snapshot::watches);
  visit("servers", &Snapshot::servers);
  visit("links", &Snapshot::links);
  visit("messages", &Snapshot::messages);
  visit("resources", &Snapshot::resources);
  visit("ledger", &Snapshot::ledger);
}

std::string pointer_of(const Spot& spot) {
  if (!spot.above) return {};
  return pointer_of(*spot.above) + "/" + scenario::pointer_step(std::string(spot.step));
}

}  // namespace

void LineReader::refuse(const Spot& spot, std::string message) {
  if (!problem_) problem_ = scenario::Problem{file_, pointer_of(spot), std::move(message)};
}

void LineReader::refuse_all(const scenario::Problem& problem) {
  if (!problem_) problem_ = problem;
}

bool LineReader::is_object(const json& value, const Spot& spot) {
  if (!value.is_object()) refuse(spot, "expected an object");
  return value.is_object();
}

int64_t LineReader::number(const json& value, const Spot& spot, int64_t least) {
  if (!value.is_number_integer()) {
    refuse(spot, "expected a whole number");
    return least;
  }
  const auto number = value.get<int64_t>();
  if (number < least) {
    refuse(spot, std::to_string(number) + " is too small: the smallest number here is " +
                     std::to_string(least));
    return least;
  }
  return number;
}

std::string LineReader::text(const json& value, const Spot& spot) {
  if (value.is_string()) return value.get<std::string>();
  refuse(spot, "expected a text");
  return {};
}

void LineReader::read_data(const json& value, const Spot& spot, EventData& data) {
  read_struct(value, spot, data, *this);
}

void LineReader::read_rows(const json& value, const Spot& spot, const Snapshot& last,
                           Writer& writer) {
  if (!is_object(value, spot)) return;
  std::vector<std::string> names = {"time_us", "facts"};
  size_t taken = value.count("time_us") + value.count("facts");
  each_table_member([&]<class Row>(const char* name, Table<Row> Snapshot::*table) {
    names.emplace_back(name);
    const auto rows = value.find(name);
    const Spot below = spot.at(name);
    if (rows == value.end() || failed() || !is_object(*rows, below)) return;
    ++taken;
    for (const auto& [id, row] : rows->items()) {
      if (!failed()) read_row(row, below.at(id), table, last, writer, *this);
    }
  });
  if (failed() || taken == value.size()) return;
  for (const auto& [name, member] : value.items()) {
    bool known = false;
    for (const std::string& other : names) known = known || other == name;
    if (!known) return refuse_unknown(name, spot, names, *this);
  }
}

void LineReader::read_counters(const json& value, const Spot& spot, Counters& counters) {
  // Counting goes on from here, so nothing may be near the end of what an int64 holds.
  constexpr int64_t kCountMax = int64_t{1} << 60;
  if (!is_object(value, spot)) return;
  Counters::each_count(counters, [&](const char* name, int64_t& field) {
    const auto member = value.find(name);
    if (member == value.end() || failed()) return;
    const bool counts = &field != &counters.token_granted_max;
    const Spot below = spot.at(name);
    field = number(*member, below, counts ? -1 : std::numeric_limits<int64_t>::min());
    if (counts && field > kCountMax) refuse(below, "nothing happens so often: expected a count");
  });
}

}  // namespace lockstep::trace
