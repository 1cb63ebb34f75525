#include <algorithm>
#include <istream>
#include <utility>

#include <nlohmann/json.hpp>

#include "scenario/reading.h"
#include "scenario/schema.h"
#include "trace/json.h"
#include "trace/json_rows.h"
#include "trace/names.h"

namespace lockstep::trace {
namespace {

using nlohmann::json;
using scenario::Problem;
using scenario::Result;

constexpr int64_t kFormat = 1;
/// What is read must fit into memory.
constexpr int64_t kEventsMax = 20'000'000;

/// The members of an object, by name: all that it may have.
void refuse_others(const json& object, const std::vector<std::string>& known, LineReader& reader) {
  for (const auto& [name, member] : object.items()) {
    bool found = false;
    for (const std::string& other : known) found = found || other == name;
    if (!found) {
      return reader.refuse(Spot{}.at(name), "there is no such member in this line: expected " +
                                                scenario::one_of(known));
    }
  }
}

/// The member of a line, or nullptr after a complaint.
const json* required(const json& line, const char* name, const char* expected, LineReader& reader) {
  const auto member = line.find(name);
  if (member != line.end()) return &*member;
  reader.refuse(Spot{},
                std::string("the member \"") + name + "\" is missing: expected " + expected);
  return nullptr;
}

// ---- The header --------------------------------------------------------------------------------

void read_format(const json& line, LineReader& reader) {
  const json* format =
      required(line, "lockstep_trace", "1, the format's number; is this a trace?", reader);
  const Spot root;
  if (!format) return;
  const int64_t number = reader.number(*format, root.at("lockstep_trace"), 0);
  if (!reader.failed() && number != kFormat) {
    reader.refuse(root.at("lockstep_trace"), "this is format " + std::to_string(number) +
                                                 " of traces: this Lockstep reads format 1");
  }
}

void read_source(const json& line, Source& source, LineReader& reader) {
  const json* member = required(line, "source", "where the trace comes from", reader);
  if (!member) return;
  const Spot root;
  const Spot spot = root.at("source");
  const std::string name = reader.text(*member, spot);
  if (!reader.failed() && !from_name(name, source)) {
    reader.refuse(spot, "\"" + name + "\" is no source: expected one of " + names_of<Source>());
  }
}

void read_scenario(const json& line, scenario::Scenario& scenario, LineReader& reader) {
  const json* member = required(line, "scenario", "the scenario that was played", reader);
  if (!member) return;
  auto result = scenario::scenario_from_json(*member, reader.file(), "/scenario");
  if (!result) return reader.refuse_all(result.problems().front());
  scenario = std::move(result.value());
}

/// Rows are read by way of a trace of their own, since only a writer puts rows.
void read_initial(const json& line, Snapshot& initial, LineReader& reader) {
  const json* member = required(line, "initial", "the snapshot before the first event", reader);
  if (!member) return;
  const Spot root;
  const Spot spot = root.at("initial");
  Trace rows;
  Writer writer(rows);
  reader.read_rows(*member, spot, rows.last(), writer);
  if (reader.failed()) return;
  initial = rows.last();
  if (const auto time = member->find("time_us"); time != member->end()) {
    initial.time_us = reader.number(*time, spot.at("time_us"), 0);
  }
  if (const auto facts = member->find("facts"); facts != member->end()) {
    reader.read_counters(*facts, spot.at("facts"), initial.counters);
  }
}

/// How many events there should be; of a header that does not say so, none.
void read_count(const json& line, int64_t& count, LineReader& reader) {
  const auto member = line.find("events");
  if (member != line.end()) count = reader.number(*member, Spot{}.at("events"), 0);
}

Trace read_header(const json& line, int64_t& count, LineReader& reader) {
  Header header;
  Snapshot initial;
  if (!reader.is_object(line, Spot{})) return {};
  if (!reader.failed()) read_format(line, reader);
  if (!reader.failed()) {
    refuse_others(line, {"lockstep_trace", "version", "source", "events", "scenario", "initial"},
                  reader);
  }
  if (!reader.failed()) read_count(line, count, reader);
  if (!reader.failed()) read_source(line, header.source, reader);
  if (!reader.failed()) read_scenario(line, header.scenario, reader);
  if (!reader.failed()) read_initial(line, initial, reader);
  if (reader.failed()) return {};
  return Trace(std::move(header), std::move(initial));
}

// ---- Events ------------------------------------------------------------------------------------

void read_index(const json& line, int64_t expected, LineReader& reader) {
  const json* member = required(line, "i", "the event's number", reader);
  if (!member) return;
  const Spot root;
  const int64_t index = reader.number(*member, root.at("i"), 0);
  if (!reader.failed() && index != expected) {
    reader.refuse(root.at("i"), "this is event " + std::to_string(index) + ", but event " +
                                    std::to_string(expected) +
                                    " comes next: lines are missing, doubled or out of order");
  }
}

void read_time(const json& line, TimeUs before, Event& event, LineReader& reader) {
  const json* member = required(line, "t_us", "the event's time in microseconds", reader);
  if (!member) return;
  const Spot root;
  event.time_us = reader.number(*member, root.at("t_us"), 0);
  if (!reader.failed() && event.time_us < before) {
    reader.refuse(root.at("t_us"), std::to_string(event.time_us) +
                                       " is before the event above, which is at " +
                                       std::to_string(before) + ": times never fall");
  }
}

void read_kind(const json& line, Event& event, LineReader& reader) {
  const json* member = required(line, "kind", "what happened", reader);
  if (!member) return;
  const Spot root;
  const std::string name = reader.text(*member, root.at("kind"));
  if (!reader.failed() && !from_name(name, event.kind)) {
    reader.refuse(root.at("kind"),
                  "\"" + name + "\" is no kind of event: expected one of " + names_of<EventKind>());
  }
}

void read_cause(const json& line, int64_t index, Event& event, LineReader& reader) {
  const auto member = line.find("cause");
  if (member == line.end()) return;
  const Spot root;
  event.cause = reader.number(*member, root.at("cause"), 0);
  if (!reader.failed() && event.cause >= index) {
    reader.refuse(
        root.at("cause"),
        "an event's cause is an earlier event: expected a number below " + std::to_string(index));
  }
}

void read_event(const json& line, Trace& trace, LineReader& reader) {
  if (!reader.is_object(line, Spot{})) return;
  refuse_others(line, {"i", "t_us", "lane", "kind", "cause", "data", "delta"}, reader);
  Event event;
  const Spot root;
  if (!reader.failed()) read_index(line, trace.size(), reader);
  if (!reader.failed()) read_time(line, trace.last().time_us, event, reader);
  if (!reader.failed()) read_kind(line, event, reader);
  if (!reader.failed()) read_cause(line, trace.size(), event, reader);
  const json* lane =
      reader.failed() ? nullptr : required(line, "lane", "where it happened", reader);
  if (lane) event.lane = reader.text(*lane, root.at("lane"));
  if (const auto data = line.find("data"); data != line.end() && !reader.failed()) {
    reader.read_data(*data, root.at("data"), event.data);
  }
  Writer writer(trace);
  if (const auto delta = line.find("delta"); delta != line.end() && !reader.failed()) {
    reader.read_rows(*delta, root.at("delta"), trace.last(), writer);
  }
  if (!reader.failed()) writer.commit(std::move(event));
}

/// One line as JSON. A line that ends early is mostly the last one of a recording that broke off.
json parse_line(const std::string& text, LineReader& reader) {
  if (text.empty()) {
    reader.refuse(Spot{}, "the line is empty: expected one JSON object a line");
    return {};
  }
  auto parsed = scenario::parse_json(text, reader.file());
  if (parsed) return std::move(parsed.value());
  scenario::Problem problem = parsed.problems().front();
  const std::string first_line = "line 1, ";  // The file's line is known, and told.
  if (problem.message.rfind(first_line, 0) == 0) problem.message.erase(0, first_line.size());
  reader.refuse_all(problem);
  return {};
}

/// The next line, without its end; false if there is none. Of a line that is too long, as much as is refused.
bool next_line(std::istream& in, std::string& line) {
  char block[1 << 16];
  line.clear();
  while (true) {
    in.getline(block, sizeof block);
    const auto count = static_cast<size_t>(in.gcount());
    if (in.good()) {
      line.append(block, count - 1);  // The line's end was taken too.
      return true;
    }
    line.append(block, count);
    if (in.eof() || in.bad()) return !line.empty();
    in.clear();  // The block is full, and the line goes on.
    if (line.size() > scenario::kJsonBytesMax) return true;
  }
}

}  // namespace

Result<Trace> read_json_lines(std::istream& in, const std::string& file, int64_t* missing) {
  Trace trace;
  int64_t count = 0;
  std::string text;
  int64_t number = 0;
  while (next_line(in, text)) {
    if (trace.size() > kEventsMax)
      return Problem{
          file, "",
          "holds more than " + std::to_string(kEventsMax) + " events, the most that are read"};
    LineReader reader(file + ":" + std::to_string(++number));
    const json line = parse_line(text, reader);
    if (!reader.failed() && number == 1) trace = read_header(line, count, reader);
    if (!reader.failed() && number > 1) read_event(line, trace, reader);
    if (reader.failed()) return reader.problem();
  }
  if (in.bad()) return Problem{file, "", "reading stopped with an error of the file system"};
  if (number == 0)
    return Problem{file, "", "the file is empty: expected a trace's header in its first line"};
  if (missing != nullptr) *missing = std::max<int64_t>(0, count - trace.size());
  return trace;
}

}  // namespace lockstep::trace
