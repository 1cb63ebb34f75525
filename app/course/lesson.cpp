#include "course/lesson.h"

#include <algorithm>

namespace lockstep::course {

bool is_told(const Lesson& lesson, const Beat& beat, std::optional<size_t> variant) {
  if (beat.only_in.empty()) return true;
  return variant &&
         std::count(beat.only_in.begin(), beat.only_in.end(), lesson.variants[*variant].id) > 0;
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
