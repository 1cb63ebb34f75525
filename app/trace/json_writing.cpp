#include <map>
#include <ostream>
#include <utility>

#include <nlohmann/json.hpp>

#include "scenario/reading.h"
#include "trace/delta.h"
#include "trace/json.h"
#include "trace/names.h"

namespace lockstep::trace {
namespace {

using Json = nlohmann::ordered_json;

/// Adds a member without looking whether it is there already.
void add(Json& object, std::string key, Json value) {
  object.get_ref<Json::object_t&>().emplace_back(std::move(key), std::move(value));
}

template <class T>
Json struct_to_json(const T& value, uint64_t fields);

constexpr uint64_t kAllFields = ~uint64_t{0};

template <class F>
Json field_to_json(const F& field) {
  if constexpr (Described<const F>) {
    return struct_to_json(field, kAllFields);
  } else if constexpr (std::is_enum_v<F>) {
    return std::string(name_of(field));
  } else {
    return field;
  }
}

/// The fields that the mask names, in the order of each_field.
template <class T>
Json struct_to_json(const T& value, uint64_t fields) {
  Json object = Json::object();
  size_t next = 0;
  T::each_field(value, [&](const char* name, const auto& field) {
    if (fields >> next++ & 1) add(object, name, field_to_json(field));
  });
  return object;
}

/// As struct_to_json for what differs; inside of a described field, too, only what differs.
template <class T>
Json changes_to_json(const T& before, const T& after) {
  Json object = Json::object();
  const auto olds = field_addresses(before);
  size_t next = 0;
  T::each_field(after, [&]<class F>(const char* name, const F& field) {
    const F& old = *static_cast<const F*>(olds[next++]);
    if (old == field) return;
    if constexpr (Described<const F>) {
      add(object, name, changes_to_json(old, field));
    } else {
      add(object, name, field_to_json(field));
    }
  });
  return object;
}

/// What a client's row shows beyond its own fields.
struct Standing {
  Danger danger = Danger::kNone;
  int64_t place = -1;

  bool operator==(const Standing&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("danger", self.danger);
    visit("place", self.place);
  }
};

/// Everything in a snapshot's JSON that follows from its rows.
struct Derived {
  Facts facts;
  std::map<std::string, Standing, ShorterFirst> standings;

  Derived(const Snapshot& snapshot, std::string_view lock_path) {
    const Truth truth = truth_of(snapshot, lock_path);
    facts = facts_of(snapshot, truth);
    for (const auto& [id, client] : snapshot.clients) {
      standings.emplace_hint(
          standings.end(), id,
          Standing{.danger = danger_of(snapshot, truth, id), .place = place_of(truth, id)});
    }
  }
};

void append_members(Json& object, Json more) {
  for (auto& [key, value] : more.get_ref<Json::object_t&>()) add(object, key, std::move(value));
}

// ---- Deltas ------------------------------------------------------------------------------------

/// A moment of the trace with what follows from it.
struct Moment {
  const Snapshot& snapshot;
  const Derived& derived;
};

template <class Row>
Json row_patch(const Row* before, const Row* after) {
  if (!after) return nullptr;
  return before ? changes_to_json(*before, *after) : struct_to_json(*after, kAllFields);
}

Json standing_patch(const Standing* before, const Standing& after) {
  return before ? changes_to_json(*before, after) : struct_to_json(after, kAllFields);
}

/// Patches by row for one table, in the order of the ids.
using Patches = std::map<std::string, Json, ShorterFirst>;

void patch_standings(const Moment& before, const Moment& after, Patches& patches) {
  for (const auto& [id, standing] : after.derived.standings) {
    const auto old = before.derived.standings.find(id);
    const Standing* known = old == before.derived.standings.end() ? nullptr : &old->second;
    if (known && *known == standing) continue;
    Json& patch = patches.try_emplace(id, Json::object()).first->second;
    append_members(patch, standing_patch(known, standing));
  }
}

/// The merge patch (RFC 7396) that turns one moment's JSON into the next one's.
Json delta_to_json(const Moment& before, const Moment& after, const std::vector<RowRef>& touched) {
  Json delta = Json::object();
  if (before.snapshot.time_us != after.snapshot.time_us)
    add(delta, "time_us", after.snapshot.time_us);
  uint8_t number = 0;
  Snapshot::each_table(after.snapshot, [&]<class Row>(const char* name, const Table<Row>& table) {
    Patches patches;
    for (const RowRef& row : touched) {
      if (row.table != number) continue;
      with_table(before.snapshot, number, [&]<class Other>(const Table<Other>& old) {
        if constexpr (std::is_same_v<Row, Other>) {
          const Row* was = find(old, row.id);
          const Row* is = find(table, row.id);
          // Put and taken back within one event: nothing to tell.
          if (was == is || (was && is && *was == *is)) return;
          patches.emplace(row.id, row_patch(was, is));
        }
      });
    }
    if (number == kTableNumber<ClientRow>) patch_standings(before, after, patches);
    ++number;
    if (patches.empty()) return;
    Json json = Json::object();
    for (auto& [id, patch] : patches) add(json, id, std::move(patch));
    add(delta, name, std::move(json));
  });
  Json facts = changes_to_json(before.derived.facts, after.derived.facts);
  if (!facts.empty()) add(delta, "facts", std::move(facts));
  return delta;
}

void write_line(const Json& json, std::ostream& out) {
  // Data of foreign nodes need not be UTF-8; JSON must be.
  out << json.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
}

Json snapshot_json(const Snapshot& snapshot, const Derived& derived) {
  Json json = Json::object();
  add(json, "time_us", snapshot.time_us);
  Snapshot::each_table(snapshot, [&]<class Row>(const char* name, const Table<Row>& table) {
    Json rows = Json::object();
    for (const auto& [id, row] : table) {
      Json object = struct_to_json(row, kAllFields);
      if constexpr (std::is_same_v<Row, ClientRow>) {
        append_members(object, struct_to_json(derived.standings.at(id), kAllFields));
      }
      add(rows, id, std::move(object));
    }
    add(json, name, std::move(rows));
  });
  add(json, "facts", struct_to_json(derived.facts, kAllFields));
  return json;
}

Json header_line(const Trace& trace, const Snapshot& initial, const Derived& derived) {
  Json header = Json::object();
  add(header, "lockstep_trace", 1);
  add(header, "version", LOCKSTEP_VERSION);
  add(header, "source", std::string(name_of(trace.header().source)));
  add(header, "events", trace.size());
  add(header, "scenario", scenario::scenario_to_json(trace.header().scenario));
  add(header, "initial", snapshot_json(initial, derived));
  return header;
}

}  // namespace

nlohmann::ordered_json snapshot_to_json(const Snapshot& snapshot, std::string_view lock_path) {
  return snapshot_json(snapshot, Derived(snapshot, lock_path));
}

nlohmann::ordered_json event_to_json(const Event& event) {
  Json json = Json::object();
  add(json, "i", event.index);
  add(json, "t_us", event.time_us);
  add(json, "lane", event.lane);
  add(json, "kind", std::string(name_of(event.kind)));
  if (event.cause != kNoEvent) add(json, "cause", event.cause);
  const uint64_t told = changed_fields(EventData{}, event.data);
  if (told != 0) add(json, "data", struct_to_json(event.data, told));
  return json;
}

void write_json_lines(const Trace& trace, std::ostream& out) {
  Cursor before(trace);
  Cursor after(trace);
  Derived old(before.snapshot(), trace.lock_path());
  write_line(header_line(trace, before.snapshot(), old), out);
  for (int64_t index = 0; index < trace.size(); ++index) {
    after.seek(index);
    Derived now(after.snapshot(), trace.lock_path());
    Json line = event_to_json(trace.event(index));
    Json delta =
        delta_to_json({before.snapshot(), old}, {after.snapshot(), now}, trace.touched(index));
    if (!delta.empty()) add(line, "delta", std::move(delta));
    write_line(line, out);
    before.seek(index);
    old = std::move(now);
  }
}

}  // namespace lockstep::trace
