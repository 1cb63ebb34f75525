// A lesson: a scenario with a story told beside it, questions put before things happen, claims that every
// run is held against, and variants under which the claims must break.
//
// What a lesson may do: choose. It never writes state, and it writes down no answer: each is read from the
// run. See lessons/README.md for the file's form.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenario/condition.h"
#include "scenario/scenario.h"
#include "trace/event.h"

namespace lockstep::course {

using scenario::Text;

/// When something is looked at: the first event, from where the story stands, after which all conditions
/// hold and, if `line` is set, `client` is about to run that line for the `visit`-th time.
struct Moment {
  std::vector<scenario::Condition> until;
  std::string client;  ///< with `line`
  std::string line;    ///< id of a line in the client's listing
  int32_t visit = 1;
  bool at_end = false;  ///< the end of the run; nothing else is set then

  bool operator==(const Moment&) const = default;
};

/// One of the answers that a learner can choose.
struct Option {
  Text text;
  scenario::Value value;

  bool operator==(const Option&) const = default;
};

/// A question about what will happen, asked before it does.
struct Prediction {
  Text ask;
  std::vector<Option> options;
  std::string at;  ///< where in the snapshot the answer stands ("/resources/db/value")
  Moment moment;   ///< when it is read, from the beat that asks on: at the latest, if nothing stood there
  Text why;        ///< the explanation, shown with the answer
  std::vector<trace::EventKind> events;  ///< the last of these kinds until then decided it
  std::optional<Text> same_because;      ///< why the answer is the same in every variant

  bool operator==(const Prediction&) const = default;
};

/// One step of the story: the run goes on to the moment, and then the text is shown.
struct Beat {
  Text text;          ///< markdown: emphasis, code, lists
  std::string focus;  ///< pointer of what the text speaks of ("/clients/A"); empty: nothing special
  Moment moment;
  std::optional<Prediction> predict;
  std::vector<std::string> only_in;  ///< variants that tell it; empty: all, and the lesson as it is

  bool operator==(const Beat&) const = default;
};

enum class When : uint8_t {
  kAlways,     ///< at the end of every moment (trace::Trace::ends_moment)
  kSometimes,  ///< after at least one
  kEnd,        ///< after the last
};

struct Claim {
  std::string id;
  Text text;
  When when = When::kAlways;
  scenario::Condition condition;

  bool operator==(const Claim&) const = default;
};

/// The same lesson with one thing changed, so that one sees what depends on it.
struct Variant {
  std::string id;
  Text title;
  scenario::Scenario scenario;      ///< with the patch applied
  std::vector<std::string> breaks;  ///< ids of the claims that do not hold in it; all others do

  bool operator==(const Variant&) const = default;
};

/// One row of a table of inputs: the scenario with these inputs, and the number that must come out.
struct SweepCase {
  Text title;
  scenario::Scenario scenario;
  scenario::Condition condition;

  bool operator==(const SweepCase&) const = default;
};

/// A claim that gives a number for each of several inputs. Each is looked at at the end of its run.
struct Sweep {
  std::string id;
  Text text;
  std::vector<SweepCase> cases;

  bool operator==(const Sweep&) const = default;
};

struct Lesson {
  std::string file;   ///< where it was read from
  std::string id;     ///< "L18"
  std::string group;  ///< one of kGroups
  int32_t minutes = 0;
  Text title;
  std::vector<Text> objectives;
  scenario::Scenario scenario;
  std::vector<Beat> beats;  ///< the first stands at the start of the run
  std::vector<Claim> claims;
  std::vector<Variant> variants;
  std::vector<Sweep> sweeps;
  Text summary;

  bool operator==(const Lesson&) const = default;
};

/// The course's chapters, in order, by the names that lessons use.
constexpr const char* kGroups[] = {"basics", "watches",   "queue",    "sessions",  "fencing",
                                   "work",   "libraries", "election", "operations"};
/// True if the beat belongs to the story as this variant tells it (nullopt: the lesson as it is).
bool is_told(const Lesson& lesson, const Beat& beat, std::optional<size_t> variant);

/// Everything that the lesson may show, in both languages, for whoever needs the characters beforehand.
std::string all_text(const Lesson& lesson);

/// A chapter's title.
Text group_title(const std::string& group);

/// The number of the claim, variant, ... with this id in a list; its size if there is none.
template <class T>
size_t index_of(const std::vector<T>& list, const std::string& id) {
  size_t index = 0;
  while (index < list.size() && list[index].id != id) ++index;
  return index;
}

}  // namespace lockstep::course
