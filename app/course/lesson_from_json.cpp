#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

#include "course/patch.h"
#include "course/prose.h"
#include "course/reading.h"
#include "scenario/checks.h"
#include "scenario/reading.h"
#include "scenario/schema.h"

namespace lockstep::course {
namespace {

using nlohmann::json;
using scenario::Condition;
using scenario::Place;
using scenario::Problem;
using scenario::Result;
using scenario::Scenario;

/// Reads one lesson, collecting every complaint. The schema has let the JSON through: types are right.
class Reader {
 public:
  Reader(const json& root, const Place& place) : root_(root), place_(place) {}

  Result<Lesson> read() {
    read_head();
    if (auto base = scenario_of(root_.at("scenario"), place_.at("scenario")))
      lesson_.scenario = *base;
    if (!problems_.empty()) return problems_;  // Everything below names parts of the scenario.
    each("beats", [&](const json& beat, const Place& at) { read_beat(beat, at); });
    each("claims", [&](const json& claim, const Place& at) { read_claim(claim, at); });
    each("variants", [&](const json& variant, const Place& at) { read_variant(variant, at); });
    check_only_in();
    each("sweeps", [&](const json& sweep, const Place& at) { read_sweep(sweep, at); });
    fold_interventions(lesson_.scenario);
    for (Variant& variant : lesson_.variants) fold_interventions(variant.scenario);
    if (!problems_.empty()) return problems_;
    return std::move(lesson_);
  }

 private:
  void complain(const Place& place, std::string message) {
    problems_.push_back(place.problem(std::move(message)));
  }
  void complain(const std::vector<Problem>& problems) {
    problems_.insert(problems_.end(), problems.begin(), problems.end());
  }

  template <class F>
  void each(const char* key, F&& f) {
    if (!root_.contains(key)) return;
    const json& list = root_.at(key);
    for (size_t i = 0; i < list.size(); ++i) f(list.at(i), place_.at(key).at(i));
  }

  void read_head() {
    lesson_.file = place_.file;
    lesson_.id = root_.at("id").get<std::string>();
    lesson_.group = root_.at("group").get<std::string>();
    lesson_.minutes = root_.at("minutes").get<int32_t>();
    lesson_.title = plain(root_.at("title"));
    lesson_.summary = prose(root_.at("summary"), place_.at("summary"));
    each("objectives",
         [&](const json& text, const Place& at) { lesson_.objectives.push_back(prose(text, at)); });
  }

  static Text plain(const json& text) {
    return {text.at("zh").get<std::string>(), text.at("en").get<std::string>()};
  }
  /// A text with markup.
  Text prose(const json& value, const Place& place) {
    Text text = plain(value);
    if (const auto wrong = markup_problem(text.zh)) complain(place.at("zh"), *wrong);
    if (const auto wrong = markup_problem(text.en)) complain(place.at("en"), *wrong);
    return text;
  }

  std::optional<Scenario> scenario_of(const json& value, const Place& place) {
    const Result<Scenario> read = scenario::scenario_from_json(value, place.file, place.pointer);
    if (!read) {
      complain(read.problems());
      return {};
    }
    const std::vector<Problem> wrong = check_pointers(read.value(), place);
    complain(wrong);
    if (!wrong.empty()) return {};
    return read.value();
  }

  std::string pointer(const json& value, const Place& place) {
    const auto text = value.get<std::string>();
    complain(check_pointer(lesson_.scenario, text, place));
    return text;
  }

  std::optional<Condition> condition(const json& value, const Place& place) {
    const Result<Condition> read = scenario::condition_from_json(value, place.file, place.pointer);
    if (!read) {
      complain(read.problems());
      return {};
    }
    complain(check_pointer(lesson_.scenario, read.value().at, place.at("at")));
    if (read.value().test == scenario::Test::kSameAs) {
      complain(check_pointer(lesson_.scenario, std::get<std::string>(read.value().operand),
                             place.at("same_as")));
    }
    return read.value();
  }

  std::vector<Condition> conditions(const json& object, const Place& place) {
    std::vector<Condition> read;
    const json list = object.value("until", json::array());
    for (size_t i = 0; i < list.size(); ++i) {
      if (auto one = condition(list.at(i), place.at("until").at(i)))
        read.push_back(std::move(*one));
    }
    return read;
  }

  Moment moment_of(const json& beat, const Place& place) {
    Moment moment;
    moment.until = conditions(beat, place);
    moment.at_end = beat.value("at_end", false);
    if (beat.contains("at_line")) {
      scenario::Step line;
      line.client = beat.at("at_line").at("client").get<std::string>();
      line.at_line = beat.at("at_line").at("line").get<std::string>();
      complain(scenario::check_line(lesson_.scenario, line, place.at("at_line")));
      moment.client = line.client;
      moment.line = line.at_line;
      moment.visit = beat.at("at_line").value("visit", 1);
    }
    const bool waits = !moment.until.empty() || !moment.line.empty();
    if (moment.at_end && waits)
      complain(place.at("at_end"),
               "the end of the run needs no other condition; remove one of them");
    if (lesson_.beats.empty() && (waits || moment.at_end)) {
      complain(place,
               "the first beat stands at the start of the run; move its condition to the next one");
    }
    return moment;
  }

  void read_beat(const json& value, const Place& place) {
    Beat beat;
    beat.text = prose(value.at("text"), place.at("text"));
    if (value.contains("focus")) beat.focus = pointer(value.at("focus"), place.at("focus"));
    beat.moment = moment_of(value, place);
    if (value.contains("predict"))
      beat.predict = prediction_of(value.at("predict"), place.at("predict"));
    beat.only_in = value.value("only_in", std::vector<std::string>{});
    actions_.push_back(actions_of(value, place));
    if (!beat.only_in.empty() && !actions_.back().empty())
      complain(place.at("do"), "a beat of some variants cannot act; let the variant's patch do it");
    lesson_.beats.push_back(std::move(beat));
  }

  void check_only_in() {
    std::vector<std::string> known;
    for (const Variant& variant : lesson_.variants) known.push_back(variant.id);
    for (size_t i = 0; i < lesson_.beats.size(); ++i) {
      const std::vector<std::string>& ids = lesson_.beats[i].only_in;
      for (size_t k = 0; k < ids.size(); ++k) {
        if (index_of(lesson_.variants, ids[k]) < lesson_.variants.size()) continue;
        complain(place_.at("beats").at(i).at("only_in").at(k),
                 "there is no variant \"" + ids[k] + "\"; expected " + scenario::one_of(known));
      }
    }
  }

  std::vector<scenario::Intervention> actions_of(const json& beat, const Place& place) {
    std::vector<scenario::Intervention> actions;
    if (!beat.contains("do")) return actions;
    if (!lesson_.scenario.steps.empty()) {
      complain(place.at("do"),
               "the scenario has steps already; either they or the beats act, not both");
    }
    if (!lesson_.beats.empty() && lesson_.beats.back().moment.at_end) {
      complain(place.at("do"), "the run is over here; act before its end");
    }
    const json& names = beat.at("do");
    for (size_t i = 0; i < names.size(); ++i) {
      const auto name = names.at(i).get<std::string>();
      const Place at = place.at("do").at(i);
      const auto action = scenario::intervention_named(name);
      if (!action) {
        complain(at, "\"" + name + "\" is no intervention; expected one such as \"pause A\"");
      } else {
        complain(scenario::check_intervention(lesson_.scenario, *action, at));
        actions.push_back(*action);
      }
    }
    return actions;
  }

  Prediction prediction_of(const json& value, const Place& place) {
    Prediction prediction;
    prediction.ask = prose(value.at("ask"), place.at("ask"));
    prediction.why = prose(value.at("why"), place.at("why"));
    const json& options = value.at("options");
    for (size_t i = 0; i < options.size(); ++i) {
      Option option{prose(options.at(i), place.at("options").at(i)), {}};
      option.value = operand(options.at(i).at("value"));
      for (const Option& other : prediction.options) {
        if (other.value == option.value)
          complain(place.at("options").at(i).at("value"),
                   "another option has the same value; one of them would always be wrong");
      }
      prediction.options.push_back(std::move(option));
    }
    const json& answer = value.at("answer");
    prediction.at = pointer(answer.at("at"), place.at("answer").at("at"));
    prediction.moment.until = conditions(answer, place.at("answer"));
    prediction.moment.at_end = prediction.moment.until.empty();
    if (value.contains("same_because"))
      prediction.same_because = prose(value.at("same_because"), place.at("same_because"));
    const json events = value.value("events", json::array());
    for (size_t i = 0; i < events.size(); ++i) {
      trace::EventKind kind = {};
      if (!trace::from_name(events.at(i).get<std::string>(), kind)) {
        complain(
            place.at("events").at(i),
            events.at(i).dump() + " is no kind of event; expected one such as \"write_refused\"");
      }
      prediction.events.push_back(kind);
    }
    return prediction;
  }

  static scenario::Value operand(const json& value) {
    if (value.is_boolean()) return value.get<bool>();
    if (value.is_number_integer()) return value.get<int64_t>();
    if (value.is_string()) return value.get<std::string>();
    return {};
  }

  template <class T>
  std::string new_id(const json& value, const std::vector<T>& list, const Place& place) {
    const auto id = value.at("id").get<std::string>();
    if (index_of(list, id) < list.size())
      complain(place.at("id"), "the id \"" + id + "\" is taken; choose another");
    return id;
  }

  void read_claim(const json& value, const Place& place) {
    Claim claim;
    claim.id = new_id(value, lesson_.claims, place);
    claim.text = prose(value.at("text"), place.at("text"));
    const auto when = value.at("when").get<std::string>();
    claim.when = when == "always"      ? When::kAlways
                 : when == "sometimes" ? When::kSometimes
                                       : When::kEnd;
    json test = value;
    for (const char* key : {"id", "text", "when"}) test.erase(key);
    if (const auto read = condition(test, place)) claim.condition = *read;
    lesson_.claims.push_back(std::move(claim));
  }

  void read_variant(const json& value, const Place& place) {
    Variant variant;
    variant.id = new_id(value, lesson_.variants, place);
    variant.title = plain(value.at("title"));
    if (const auto patched = patched_scenario(value, place)) variant.scenario = *patched;
    const json& breaks = value.at("breaks");
    for (size_t i = 0; i < breaks.size(); ++i) {
      const auto id = breaks.at(i).get<std::string>();
      variant.breaks.push_back(id);
      if (index_of(lesson_.claims, id) < lesson_.claims.size()) continue;
      std::vector<std::string> known;
      for (const Claim& claim : lesson_.claims) known.push_back(claim.id);
      complain(place.at("breaks").at(i),
               "there is no claim \"" + id + "\"; expected " + scenario::one_of(known));
    }
    lesson_.variants.push_back(std::move(variant));
  }

  /// The lesson's scenario with a JSON Patch (RFC 6902) applied; its operations are complained of one by one.
  std::optional<Scenario> patched_scenario(const json& value, const Place& place) {
    json patched = root_.at("scenario");
    const json& patch = value.at("patch");
    for (size_t i = 0; i < patch.size(); ++i) {
      if (const auto wrong = apply_patch(patch.at(i), patched)) {
        complain(place.at("patch").at(i), *wrong);
        return {};
      }
    }
    // What is wrong now stands nowhere in the file as such: it came in by the patch.
    const Result<Scenario> read = scenario::scenario_from_json(patched, place.file, "");
    const std::vector<Problem> wrong =
        read ? check_pointers(read.value(), Place{place.file, ""}) : read.problems();
    for (const Problem& problem : wrong) {
      complain(place.at("patch"),
               "gives a scenario that is refused: at " + problem.pointer + ", " + problem.message);
    }
    if (!wrong.empty()) return {};
    return read.value();
  }

  void read_sweep(const json& value, const Place& place) {
    Sweep sweep;
    sweep.id = new_id(value, lesson_.sweeps, place);
    if (index_of(lesson_.claims, sweep.id) < lesson_.claims.size())
      complain(place.at("id"), "a claim has this id; choose another");
    sweep.text = prose(value.at("text"), place.at("text"));
    const std::string at = pointer(value.at("at"), place.at("at"));
    const json& cases = value.at("cases");
    for (size_t i = 0; i < cases.size(); ++i) {
      SweepCase one;
      one.title = plain(cases.at(i).at("title"));
      if (const auto patched = patched_scenario(cases.at(i), place.at("cases").at(i)))
        one.scenario = *patched;
      one.condition = {at, scenario::Test::kIs, operand(cases.at(i).at("is"))};
      sweep.cases.push_back(std::move(one));
    }
    lesson_.sweeps.push_back(std::move(sweep));
  }

  /// What beats do becomes the scenario's script, so that the same happens wherever it is played: each
  /// beat waits for the one before it to be reached, and acts.
  void fold_interventions(Scenario& scenario) const {
    size_t acting = actions_.size();
    while (acting > 0 && actions_[acting - 1].empty()) --acting;
    for (size_t i = 0; i < acting; ++i) {
      scenario::Step step;
      if (i > 0) {
        const Moment& before = lesson_.beats[i - 1].moment;
        step.when = before.until;
        step.client = before.client;
        step.at_line = before.line;
        step.visit = before.visit;
      }
      step.actions = actions_[i];
      scenario.steps.push_back(std::move(step));
    }
  }

  const json& root_;
  Place place_;
  Lesson lesson_;
  std::vector<std::vector<scenario::Intervention>> actions_;  // of each beat
  std::vector<Problem> problems_;
};

}  // namespace

Result<Lesson> lesson_from_json(const json& value, const std::string& file) {
  const Place place{file, ""};
  std::vector<Problem> problems =
      scenario::check_against_schema(value, "lesson.schema.json", place);
  if (!problems.empty()) return problems;
  return Reader(value, place).read();
}

}  // namespace lockstep::course
