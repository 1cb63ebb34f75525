#include "trace/ending.h"

#include <algorithm>
#include <iterator>

namespace lockstep::trace {
namespace {

struct Words {
  EndKind kind = EndKind::kNotYet;
  std::string_view name;
  std::string_view zh;
  std::string_view en;
};

constexpr Words kEndings[] = {
    {EndKind::kNotYet, "", "", ""},
    {EndKind::kDone, "done", "所有客户端都已做完", "everybody is done"},
    {EndKind::kTimeUp, "time is up", "场景的时间已用完", "the scenario's time is up"},
    {EndKind::kNothingLeft, "nothing left", "不会再发生任何事", "nothing can happen any more"},
    {EndKind::kTooMuch, "too much", "超过一千万个事件；请减少客户端，或缩短运行时间",
     "more than 10 million events; let fewer clients do less, or less long"},
    {EndKind::kStepsLeft, "all have ended, and steps are left",
     "所有客户端都已结束，脚本还有没做的步骤", "all have ended, and steps of the script are left"},
    {EndKind::kRecordingEnds, "recording ends", "录像到此为止", "the recording ends here"},
    {EndKind::kStopped, "stopped", "被中止", "it was stopped"},
    {EndKind::kFailed, "failed", "运行失败", "it failed"},
};

const Words& row_of(EndKind kind) { return kEndings[static_cast<size_t>(kind)]; }

constexpr bool in_order() {
  for (size_t i = 0; i < std::size(kEndings); ++i) {
    if (static_cast<size_t>(kEndings[i].kind) != i) return false;
  }
  return std::size(kEndings) == static_cast<size_t>(EndKind::kFailed) + 1;
}
static_assert(in_order());

}  // namespace

std::string_view name_of(EndKind kind) { return row_of(kind).name; }

std::string words_of(const Ending& ending, Language language) {
  const bool chinese = language == Language::kZh;
  std::string words(chinese ? row_of(ending.kind).zh : row_of(ending.kind).en);
  if (ending.step == 0) return words;
  const std::string step = std::to_string(ending.step);
  return words + (chinese ? "；脚本的第 " + step + " 步一直没有发生"
                          : "; step " + step + " of its script never came to pass");
}

std::string words_of_end(const std::string& what, Language language) {
  const size_t more = std::min(what.find("; "), what.size());
  for (const Words& row : kEndings) {
    if (row.name.empty() || row.name != std::string_view(what).substr(0, more)) continue;
    return words_of({row.kind}, language) + what.substr(more);
  }
  return what;
}

}  // namespace lockstep::trace
