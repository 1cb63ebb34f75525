#include <algorithm>
#include <array>

#include "recipes/bug.h"
#include "scenario/scenario.h"

namespace lockstep::scenario {
namespace {

struct Verb {
  Action action = Action::kPause;
  std::string_view text;
  TargetKind target = TargetKind::kClient;
};

// "let go" has a space of its own, so verbs are matched as prefixes, not as first words.
constexpr std::array kVerbs = {
    Verb{Action::kPause, "pause", TargetKind::kProcess},
    Verb{Action::kResume, "resume", TargetKind::kProcess},
    Verb{Action::kHang, "hang"},
    Verb{Action::kFree, "free"},
    Verb{Action::kCrash, "crash", TargetKind::kProcess},
    Verb{Action::kRestart, "restart", TargetKind::kProcess},
    Verb{Action::kCut, "cut", TargetKind::kLink},
    Verb{Action::kHeal, "heal", TargetKind::kLink},
    Verb{Action::kPartition, "partition", TargetKind::kGroup},
    Verb{Action::kHold, "hold", TargetKind::kLink},
    Verb{Action::kLetGo, "let go", TargetKind::kLink},
    Verb{Action::kRelease, "release"},
    Verb{Action::kCancel, "cancel"},
    Verb{Action::kSetRule, "rule", TargetKind::kResource},
    Verb{Action::kExpire, "expire"},
    Verb{Action::kDeliver, "deliver", TargetKind::kLink},
    Verb{Action::kAddClient, "add", TargetKind::kNewClient},
};

const Verb& verb_of(Action action) {
  const auto* verb = std::find_if(kVerbs.begin(), kVerbs.end(),
                                  [&](const Verb& one) { return one.action == action; });
  require(verb != kVerbs.end(), "an action has no verb: it was added to scenario.h only");
  return *verb;
}

}  // namespace

TargetKind target_of(Action action) { return verb_of(action).target; }

std::vector<std::string> members_of(const std::string& group) {
  std::vector<std::string> members;
  for (size_t begin = 0; begin <= group.size();) {
    const size_t end = std::min(group.find(',', begin), group.size());
    members.push_back(group.substr(begin, end - begin));
    begin = end + 1;
  }
  return members;
}

std::string name_of(const Intervention& intervention) {
  std::string name(verb_of(intervention.action).text);
  name += " " + intervention.target;
  if (!intervention.argument.empty()) name += " " + intervention.argument;
  return name;
}

std::optional<Intervention> intervention_named(const std::string& text) {
  for (const Verb& verb : kVerbs) {
    const std::string prefix = std::string(verb.text) + " ";
    if (text.rfind(prefix, 0) != 0) continue;
    Intervention intervention;
    intervention.action = verb.action;
    const std::string rest = text.substr(prefix.size());
    const size_t space = rest.find(' ');
    intervention.target = rest.substr(0, space);
    if (space != std::string::npos) intervention.argument = rest.substr(space + 1);
    const bool takes_argument = verb.action == Action::kSetRule;
    if (intervention.target.empty() || takes_argument == intervention.argument.empty()) return {};
    if (intervention.argument.find(' ') != std::string::npos) return {};
    return intervention;
  }
  return {};
}

}  // namespace lockstep::scenario
