#include "scene/stage_views.h"

#include <algorithm>

#include "scene/spans.h"
#include "scene/strings.h"

namespace lockstep::scene {
namespace {

std::string value_label(const StageInput& input) {
  const std::string& label =
      input.scenario.resource.label.in(input.language == trace::Language::kZh);
  return label.empty() ? input.scenario.resource.id : label;
}

std::string value_text(const StageInput& input, int64_t value) {
  return say(Word::kValue, input.language, {value_label(input), std::to_string(value)});
}

std::string token_or_none(int64_t token, trace::Language language) {
  return token < 0 ? std::string(word(Word::kNone, language)) : trace::token_text(token);
}

std::string verdict_text(const trace::LedgerRow& row, trace::Language language) {
  if (row.accepted) {
    return std::string(word(row.stale ? Word::kAcceptedStale : Word::kAccepted, language));
  }
  if (row.token < 0) return std::string(word(Word::kRefusedNoToken, language));
  const std::string token = trace::token_text(row.token);
  if (row.token == row.token_max_before) return say(Word::kRefusedEqual, language, {token});
  return say(Word::kRefused, language, {token, trace::token_text(row.token_max_before)});
}

Word rule_word(trace::RegisterRule rule) {
  switch (rule) {
    case trace::RegisterRule::kNone: return Word::kRuleNone;
    case trace::RegisterRule::kGreater: return Word::kRuleGreater;
    case trace::RegisterRule::kGreaterOrEqual: return Word::kRuleGreaterOrEqual;
  }
  return Word::kRuleNone;
}

}  // namespace

Word role_word(trace::ServerRole role) {
  switch (role) {
    case trace::ServerRole::kStandalone: return Word::kStandalone;
    case trace::ServerRole::kLooking: return Word::kLooking;
    case trace::ServerRole::kFollowing: return Word::kFollowing;
    case trace::ServerRole::kLeading: return Word::kLeading;
    case trace::ServerRole::kObserving: return Word::kObserving;
  }
  return Word::kStandalone;
}

void add_part(std::string& text, std::string_view more) {
  if (more.empty()) return;
  if (!text.empty()) text += " · ";
  text += more;
}

TimeUs now_of(const StageInput& input) {
  return input.now_us == StageInput::kSnapshotTime ? input.snapshot.time_us : input.now_us;
}

bool is_resource(const StageInput& input, std::string_view id) {
  return trace::find(input.snapshot.resources, id) != nullptr;
}

MessageView message_view(const StageInput& input, const std::string& id,
                         const trace::MessageRow& message, const trace::LinkRow& link) {
  MessageView view;
  view.id = id;
  view.with_resource = is_resource(input, link.from) || is_resource(input, link.to);
  view.blocked = link.cut || link.held;
  view.ping = message.what == "ping" || message.what == "pong";
  const TimeUs whole = std::max<TimeUs>(between(message.sent_us, message.due_us), 1);
  const TimeUs gone = between(message.sent_us, now_of(input));
  view.progress = std::clamp(static_cast<float>(gone) / static_cast<float>(whole), 0.0f, 1.0f);
  view.label = message.what;
  if (message.what == "write") view.label += " " + value_text(input, message.value);
  if (view.with_resource && message.token >= 0) {
    view.second = say(Word::kToken, input.language, {trace::token_text(message.token)});
  }
  if (view.blocked)
    add_part(view.second, word(link.cut ? Word::kCut : Word::kHeld, input.language));
  view.tooltip = message.link + "  " + view.label;
  if (!message.path.empty()) view.tooltip += "\n" + message.path;
  if (!view.second.empty()) view.tooltip += "\n" + view.second;
  return view;
}

ServerView server_view(const StageInput& input, const std::string& id,
                       const trace::ServerRow& server) {
  ServerView view{.id = id, .up = server.process == trace::Process::kRunning, .text = id};
  add_part(view.text, word(view.up ? role_word(server.role) : Word::kServerDown, input.language));
  add_part(view.text, say(Word::kZxid, input.language, {trace::token_text(server.zxid)}));
  return view;
}

LedgerView ledger_view(const StageInput& input, const Census& census) {
  const trace::Language language = input.language;
  LedgerView view{.resource = input.scenario.resource.id};
  if (!input.snapshot.resources.empty()) {
    const auto& [id, row] = *input.snapshot.resources.begin();
    view.resource = id;
    view.value = value_text(input, row.value);
    view.token_max = say(Word::kTokenMax, language, {token_or_none(row.token_max, language)});
    view.rule = say(Word::kRule, language, {word(rule_word(row.rule), language)});
  }
  const auto& ledger = input.snapshot.ledger;
  const size_t shown = std::min(ledger.size(), kLedgerLinesMax);
  view.earlier = static_cast<int64_t>(ledger.size() - shown);
  for (auto row = std::prev(ledger.end(), static_cast<std::ptrdiff_t>(shown)); row != ledger.end();
       ++row) {
    const Member* who = member_named(census, row->second.client);
    view.lines.push_back({.id = row->first,
                          .who = row->second.client,
                          .number = who ? who->number : 0,
                          .token = token_or_none(row->second.token, language),
                          .write = value_text(input, row->second.value),
                          .verdict = verdict_text(row->second, language),
                          .accepted = row->second.accepted,
                          .stale = row->second.stale,
                          .emphasised = false});
  }
  const bool just_written = input.event && (input.event->kind == trace::EventKind::kWriteAccepted ||
                                            input.event->kind == trace::EventKind::kWriteRefused);
  if (just_written && !view.lines.empty()) view.lines.back().emphasised = true;
  return view;
}

}  // namespace lockstep::scene
