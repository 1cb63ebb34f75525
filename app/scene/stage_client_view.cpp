// What a client says of itself, and what the truth holds of it.
#include "scene/stage_views.h"

#include <algorithm>

#include "scene/spans.h"
#include "scene/strings.h"

namespace lockstep::scene {
namespace {

using recipes::Belief;
using trace::Connection;
using trace::Process;

constexpr TimeUs kBackFor = 2 * kSecond;  // how long a process counts as just resumed

std::string process_text(const StageInput& input, const Member& member) {
  const trace::ClientRow& row = *member.row;
  const TimeUs since = between(row.process_since_us, now_of(input));
  const std::string span = span_text(since, input.language);
  switch (row.process) {
    case Process::kNotStarted: return std::string(word(Word::kNotStarted, input.language));
    case Process::kRunning:
      if (row.stops > 0 && since < kBackFor) {
        return say(Word::kResumed, input.language, {span});
      }
      return std::string(word(Word::kRunning, input.language));
    case Process::kPaused: return say(Word::kPaused, input.language, {span});
    case Process::kHung: return say(Word::kHung, input.language, {span});
    case Process::kCrashed: return say(Word::kCrashed, input.language, {span});
  }
  return {};
}

std::string_view connection_text(const trace::ClientRow& row, trace::Language language) {
  switch (row.connection) {
    case Connection::kNone: return word(Word::kNoConnection, language);
    case Connection::kConnecting:
      return word(row.session.empty() ? Word::kFirstConnecting : Word::kConnecting, language);
    case Connection::kConnected: return word(Word::kConnected, language);
    case Connection::kExpired: return word(Word::kSessionExpired, language);
    case Connection::kClosed: return word(Word::kClosed, language);
  }
  return {};
}

Tie tie_of(Connection connection) {
  switch (connection) {
    case Connection::kNone: return Tie::kNone;
    case Connection::kConnecting: return Tie::kUnsure;
    case Connection::kConnected: return Tie::kUp;
    case Connection::kExpired:
    case Connection::kClosed: return Tie::kOver;
  }
  return Tie::kNone;
}

/// Of an ensemble: which server, and whether that is behind.
std::string server_text(const StageInput& input, const trace::ClientRow& row) {
  if (input.snapshot.servers.size() < 2 || row.server.empty()) return {};
  std::string text = row.server;
  const std::string lag = row.connection == Connection::kConnected ? lag_of(input, row.server) : std::string();
  if (!lag.empty()) text += " (" + lag + ")";
  return text;
}

/// What is unread comes first while the process cannot read it.
std::string detail_of(const StageInput& input, const trace::ClientRow& row) {
  std::string detail;
  if (row.unread > 0)
    add_part(detail, say(Word::kUnread, input.language, {std::to_string(row.unread)}));
  if (row.process == Process::kNotStarted) return detail;
  add_part(detail, connection_text(row, input.language));
  add_part(detail, server_text(input, row));
  if (row.inputs > 0)
    add_part(detail, say(Word::kInputs, input.language, {std::to_string(row.inputs)}));
  return detail;
}

/// Whom it waits for, by name if that is known.
std::string before_of(const StageInput& input, const Census& census, const trace::ClientRow& row) {
  if (row.waits_for.empty()) return {};
  const Member* owner =
      owner_of(census, input.snapshot, input.scenario.lock_path + "/" + row.waits_for);
  if (owner) return std::string(owner->id);
  for (const Member& member :
       census.members) {  // the node is gone; whoever still counts on it made it
    if (!member.row->node.empty() && zk::name_in(member.row->node) == row.waits_for)
      return std::string(member.id);
  }
  return trace::short_name(row.waits_for);
}

std::string belief_text(const StageInput& input, const Census& census,
                        const trace::ClientRow& row) {
  const trace::Language language = input.language;
  if (row.process == Process::kCrashed) return std::string(word(Word::kSaysNothing, language));
  switch (row.belief) {
    case Belief::kIdle: return std::string(word(Word::kSaysIdle, language));
    case Belief::kAcquiring: return std::string(word(Word::kSaysAcquiring, language));
    case Belief::kWaiting: {
      const std::string before = before_of(input, census, row);
      if (before.empty()) return std::string(word(Word::kSaysQueued, language));
      return say(Word::kSaysWaiting, language, {before});
    }
    case Belief::kHolding: return say(Word::kSaysHolding, language, {trace::token_text(row.token)});
    case Belief::kSuspended: return std::string(word(Word::kSaysSuspended, language));
    case Belief::kReleasing: return std::string(word(Word::kSaysReleasing, language));
    case Belief::kReleased: return std::string(word(Word::kSaysReleased, language));
    case Belief::kLost: return std::string(word(Word::kSaysLost, language));
    case Belief::kTimedOut: return std::string(word(Word::kSaysTimedOut, language));
    case Belief::kCancelled: return std::string(word(Word::kSaysCancelled, language));
    case Belief::kFailed: return std::string(word(Word::kSaysFailed, language));
  }
  return {};
}

std::string_view chip_text(const Member& member, trace::Danger danger, trace::Language language) {
  const Process process = member.row->process;
  if (process == Process::kNotStarted || process == Process::kCrashed) return {};
  switch (danger) {
    case trace::Danger::kNone: return word(Word::kAgrees, language);
    case trace::Danger::kBehind: return word(Word::kBehind, language);
    case trace::Danger::kDangerous: return word(Word::kDangerous, language);
  }
  return {};
}

std::string line_text(const StageInput& input, const Member& member) {
  const trace::ClientRow& row = *member.row;
  if (row.line == 0) return {};
  std::string id;
  if (member.spec) {
    id = recipes::line_id(scenario::recipe_of(input.scenario, *member.spec), row.line);
  }
  return say(row.at_line ? Word::kNextLine : Word::kLine, input.language,
             {std::to_string(row.line), id});
}

Word reason_gone(const StageInput& input, const trace::ClientRow& row) {
  const trace::SessionRow* session = trace::find(input.snapshot.sessions, row.session);
  if (!session || session->life == trace::SessionLife::kLive) return Word::kGoneDeleted;
  return session->life == trace::SessionLife::kExpired ? Word::kGoneExpired : Word::kGoneClosed;
}

std::string child_path(const StageInput& input, const std::string& name) {
  return input.scenario.lock_path + "/" + name;
}

NodeView node_view(const StageInput& input, const Census& census, const Member& member) {
  const trace::Language language = input.language;
  NodeView view;
  view.path = member.row->node;
  const trace::ZnodeRow* node = trace::find(input.snapshot.znodes, view.path);
  if (!node && member.place >= 0) {  // it is there, and its owner does not know it (yet)
    view.path = child_path(input, census.truth.queue[static_cast<size_t>(member.place)]);
    node = trace::find(input.snapshot.znodes, view.path);
  }
  if (view.path.empty()) {
    view.note = std::string(word(Word::kNoNode, language));
    return view;
  }
  view.name = trace::short_name(view.path);
  view.tooltip = view.path;
  if (!node) {
    view.kind = NodeView::Kind::kGhost;
    view.note = std::string(word(reason_gone(input, *member.row), language));
    return view;
  }
  const int64_t place = node_place(census, zk::name_in(view.path));
  const bool first = place == 0;
  view.kind =
      first && census.truth.holder == member.id ? NodeView::Kind::kHolder : NodeView::Kind::kQueued;
  const std::string czxid = say(Word::kCzxid, language, {trace::token_text(node->stat.czxid)});
  if (view.kind == NodeView::Kind::kHolder) {
    view.note = std::string(word(Word::kHolder, language));
  } else if (place >= 0) {
    view.note = say(Word::kPlace, language, {std::to_string(place + 1)});
  }
  add_part(view.note, czxid);
  view.tooltip += "\n" + view.note;
  return view;
}

/// Only a leader, or a server that stands alone, counts the time of sessions.
bool is_timed(const trace::Snapshot& snapshot, const trace::SessionRow& session) {
  if (session.expires_us < 0) return false;
  return std::any_of(snapshot.servers.begin(), snapshot.servers.end(), [](const auto& entry) {
    return entry.second.role == trace::ServerRole::kLeading || entry.second.role == trace::ServerRole::kStandalone;
  });
}

SessionView session_view(const StageInput& input, const Member& member) {
  const trace::Language language = input.language;
  SessionView view;
  const std::string id = latest_session(input.snapshot, member);
  const trace::SessionRow* session = trace::find(input.snapshot.sessions, id);
  if (!session) {
    view.text = std::string(word(Word::kNoSession, language));
    return view;
  }
  view.id = id;
  view.label = say(Word::kSession, language, {id});
  view.ended = session->life != trace::SessionLife::kLive;
  if (view.ended) {
    const bool expired = session->life == trace::SessionLife::kExpired;
    view.role = expired ? Role::kWarn : Role::kTextDim;
    view.text = say(expired ? Word::kExpiredAt : Word::kClosedAt, language,
                    {span_text(session->expires_us, language)});
    return view;
  }
  if (!is_timed(input.snapshot, *session)) {
    view.left = 1;
    view.role = Role::kTextDim;
    view.text = std::string(word(Word::kNoLeaderCounts, language));
    return view;
  }
  const TimeUs left = between(now_of(input), session->expires_us);
  const TimeUs whole = std::max<TimeUs>(between(session->heard_us, session->expires_us), 1);
  view.left = std::clamp(static_cast<float>(left) / static_cast<float>(whole), 0.0f, 1.0f);
  view.role = view.left < 1.0f / 3 ? Role::kWarn : Role::kTextDim;
  view.text = left <= 0
                  ? std::string(word(Word::kOverdue, language))
                  : say(Word::kRemaining, language,
                        {span_text(left, language), span_text(session->timeout_us, language)});
  view.tooltip = view.label + "\n" + view.text + "\n";
  view.tooltip += word(Word::kRemainingTip, language);
  return view;
}

/// Which server its wires lead to: the one that serves its session, else the first there is.
std::string server_of(const StageInput& input, const Member& member) {
  if (!member.row->server.empty()) return member.row->server;
  const trace::SessionRow* session =
      trace::find(input.snapshot.sessions, latest_session(input.snapshot, member));
  if (session && !session->server.empty()) return session->server;
  return input.snapshot.servers.empty() ? std::string() : input.snapshot.servers.begin()->first;
}

}  // namespace

ClientView client_view(const StageInput& input, const Census& census, const Member& member) {
  const trace::ClientRow& row = *member.row;
  ClientView view;
  view.id = member.id;
  view.number = member.number;
  view.danger = trace::danger_of(input.snapshot, census.truth, member.id);
  view.holds = census.truth.holder == member.id;
  view.stopped = row.process != Process::kRunning && row.process != Process::kNotStarted;
  view.chosen = input.chosen == member.id;
  view.emphasised = input.event && input.event->lane == member.id;
  view.tie = tie_of(row.connection);
  view.server = server_of(input, member);
  view.title = process_text(input, member);
  view.detail = detail_of(input, row);
  view.server_note = server_text(input, row);
  view.quote = belief_text(input, census, row);
  if (row.process != Process::kCrashed) view.quote = say(Word::kQuote, input.language, {view.quote});
  if (row.belief == Belief::kHolding && row.process != Process::kCrashed) {
    view.brief_quote =
        say(Word::kQuote, input.language,
            {say(Word::kSaysHoldingBriefly, input.language, {trace::token_text(row.token)})});
  }
  view.chip = chip_text(member, view.danger, input.language);
  if (view.danger == trace::Danger::kDangerous) {
    view.brief_chip = std::string(word(Word::kDangerousBriefly, input.language));
  }
  view.line = line_text(input, member);
  if (row.line != 0)
    view.brief_line = say(Word::kLineBriefly, input.language, {std::to_string(row.line)});
  view.node = node_view(input, census, member);
  view.session = session_view(input, member);
  view.tooltip = view.id + "  " + view.title + "\n" + view.detail + "\n" + view.quote;
  if (!view.line.empty()) view.tooltip += "\n" + view.line;
  return view;
}

}  // namespace lockstep::scene
