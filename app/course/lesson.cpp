#include "course/lesson.h"

#include <algorithm>

namespace lockstep::course {

bool is_told(const Lesson& lesson, const Beat& beat, std::optional<size_t> variant) {
  if (beat.only_in.empty()) return true;
  return variant &&
         std::count(beat.only_in.begin(), beat.only_in.end(), lesson.variants[*variant].id) > 0;
}

std::string all_text(const Lesson& lesson) {
  std::string all;
  const auto add = [&](const Text& text) { all += text.zh + text.en; };
  add(lesson.title);
  add(lesson.summary);
  add(lesson.scenario.resource.label);
  for (const Text& objective : lesson.objectives) add(objective);
  for (const Claim& claim : lesson.claims) add(claim.text);
  for (const Variant& variant : lesson.variants) add(variant.title);
  for (const Sweep& sweep : lesson.sweeps) add(sweep.text);
  for (const Beat& beat : lesson.beats) {
    add(beat.text);
    if (!beat.predict) continue;
    add(beat.predict->ask);
    add(beat.predict->why);
    if (beat.predict->same_because) add(*beat.predict->same_because);
    for (const Option& option : beat.predict->options) add(option.text);
  }
  return all;
}

Text group_title(const std::string& group) {
  if (group == "basics") return {"基础", "Basics"};
  if (group == "watches") return {"监视与竞态", "Watches and races"};
  if (group == "queue") return {"排队", "The queue"};
  if (group == "sessions") return {"会话", "Sessions"};
  if (group == "fencing") return {"安全", "Safety"};
  if (group == "work") return {"业务", "The work itself"};
  if (group == "libraries") return {"库与对照", "Libraries compared"};
  if (group == "election") return {"选主", "Election"};
  if (group == "operations") return {"值班", "On call"};
  return {group, group};
}

}  // namespace lockstep::course
