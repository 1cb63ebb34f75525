// What the servers of an ensemble say: what they are, how far they have come, who reaches whom.
#include <algorithm>
#include <map>

#include "scene/spans.h"
#include "scene/stage_views.h"
#include "scene/strings.h"

namespace lockstep::scene {
namespace {

/// ZooKeeper's own names, in both languages.
std::string_view state_name(trace::ServerRole role) {
  switch (role) {
    case trace::ServerRole::kLooking: return "LOOKING";
    case trace::ServerRole::kFollowing: return "FOLLOWING";
    case trace::ServerRole::kLeading: return "LEADING";
    case trace::ServerRole::kObserving: return "OBSERVING";
    case trace::ServerRole::kStandalone: return "standalone";
  }
  return {};
}

int64_t epoch_of(zk::Zxid zxid) { return zxid >> 32; }

/// The furthest that any server has applied: all of that is committed.
zk::Zxid committed_of(const trace::Snapshot& snapshot) {
  zk::Zxid committed = 0;
  for (const auto& [id, server] : snapshot.servers) committed = std::max(committed, server.zxid);
  return committed;
}

std::string title_of(const StageInput& input, const trace::ServerRow& server) {
  if (server.process == trace::Process::kCrashed) return std::string(word(Word::kServerDown, input.language));
  std::string title(state_name(server.role));
  if (server.process == trace::Process::kPaused) add_part(title, word(Word::kServerPaused, input.language));
  if (!server.vote.empty()) {
    add_part(title, say(Word::kVotesFor, input.language, {server.vote}));
  } else if (server.serving) {
    add_part(title, say(Word::kEpoch, input.language, {std::to_string(server.epoch)}));
  } else {
    add_part(title, word(Word::kNotServing, input.language));
  }
  return title;
}

std::string lag_of(const StageInput& input, const trace::ServerRow& server, zk::Zxid committed) {
  if (server.zxid < committed) {
    if (epoch_of(server.zxid) != epoch_of(committed)) return std::string(word(Word::kEpochsBehind, input.language));
    return say(Word::kZxidsBehind, input.language, {std::to_string(committed - server.zxid)});
  }
  if (server.logged > server.zxid && epoch_of(server.logged) == epoch_of(server.zxid)) {
    return say(Word::kNotCommitted, input.language, {std::to_string(server.logged - server.zxid)});
  }
  return {};
}

bool is_cut(const StageInput& input, const std::string& from, const std::string& to) {
  const trace::LinkRow* link = trace::find(input.snapshot.links, from + ">" + to);
  return link != nullptr && link->cut;
}

/// "zk2" both ways, "→zk2" to it, "←zk2" from it.
void add_cuts(const StageInput& input, ServerView& view) {
  size_t others = 0;
  size_t cut_both_ways = 0;
  for (const auto& [other, row] : input.snapshot.servers) {
    if (other == view.id) continue;
    ++others;
    const bool out = is_cut(input, view.id, other);
    const bool in = is_cut(input, other, view.id);
    if (!out && !in) continue;
    cut_both_ways += out && in ? 1 : 0;
    if (!view.cuts.empty()) view.cuts += " ";
    view.cuts += (out && in ? "" : out ? "→" : "←") + other;
  }
  view.cut_off = others > 0 && cut_both_ways == others;
  if (view.cut_off) view.cuts = word(Word::kCutOff, input.language);
}

void add_clients(const StageInput& input, const Census& census, StageModel& model) {
  for (const auto& [id, session] : input.snapshot.sessions) {
    if (session.server.empty()) continue;
    const Member* member = member_named(census, session.client);
    for (ServerView& server : model.servers) {
      if (server.id == session.server) server.clients.emplace_back(session.client, member ? member->number : 0);
    }
  }
}

void add_quorum(const StageInput& input, StageModel& model) {
  std::map<std::string, size_t> with;  // by leader: itself and who follows it
  size_t voters = 0;
  for (const scenario::ServerSpec& spec : input.scenario.servers) voters += spec.observer ? 0 : 1;
  for (const auto& [id, server] : input.snapshot.servers) {
    const bool votes = server.role == trace::ServerRole::kLeading || server.role == trace::ServerRole::kFollowing;
    if (server.process != trace::Process::kCrashed && server.serving && votes) ++with[server.leader];
  }
  model.has_quorum = false;
  model.quorum = word(Word::kNoQuorum, input.language);
  for (const auto& [leader, count] : with) {
    const trace::ServerRow* row = trace::find(input.snapshot.servers, leader);
    if (2 * count <= voters || row == nullptr || !row->serving) continue;
    model.has_quorum = true;
    model.quorum =
        say(Word::kQuorum, input.language, {std::to_string(count), std::to_string(voters), leader});
  }
}

void add_messages(const StageInput& input, StageModel& model) {
  std::map<std::string, size_t> places;
  for (size_t i = 0; i < model.servers.size(); ++i) places[model.servers[i].id] = i;
  for (const auto& [id, message] : input.snapshot.messages) {
    const trace::LinkRow* link = trace::find(input.snapshot.links, message.link);
    if (link == nullptr || link->cut || link->held) continue;
    const auto from = places.find(link->from);
    const auto to = places.find(link->to);
    if (from == places.end() || to == places.end()) continue;
    const TimeUs whole = std::max<TimeUs>(between(message.sent_us, message.due_us), 1);
    const TimeUs gone = between(message.sent_us, now_of(input));
    model.quorum_messages.push_back(
        {.id = id,
         .from = from->second,
         .to = to->second,
         .ping = message.what == "PING",
         .progress = std::clamp(static_cast<float>(gone) / static_cast<float>(whole), 0.0f, 1.0f),
         .label = message.what,
         .tooltip = message.link + "  " + message.what + (message.path.empty() ? "" : "\n" + message.path)});
  }
}

}  // namespace

std::string lag_of(const StageInput& input, const std::string& server) {
  const trace::ServerRow* row = trace::find(input.snapshot.servers, server);
  const zk::Zxid committed = committed_of(input.snapshot);
  return row != nullptr && row->zxid < committed ? lag_of(input, *row, committed) : std::string();
}

void add_ensemble(const StageInput& input, const Census& census, StageModel& model) {
  if (model.servers.size() < 2) return;
  const zk::Zxid committed = committed_of(input.snapshot);
  for (ServerView& view : model.servers) {
    const trace::ServerRow& row = *trace::find(input.snapshot.servers, view.id);
    view.role = row.role;
    view.title = title_of(input, row);
    view.brief_title = row.process == trace::Process::kCrashed ? view.title : std::string(state_name(row.role));
    view.briefest_title = word(row.process == trace::Process::kCrashed ? Word::kServerDown : role_word(row.role),
                               input.language);
    view.zxid = say(Word::kZxid, input.language, {trace::token_text(row.zxid)});
    view.lag = lag_of(input, row, committed);
    view.behind = row.zxid < committed;
    add_cuts(input, view);
    view.tooltip = view.id + "  " + view.title + "\n" + view.zxid;
    if (!view.lag.empty()) view.tooltip += "\n" + view.lag;
    if (!view.cuts.empty()) view.tooltip += "\n✕ " + view.cuts;
  }
  add_clients(input, census, model);
  add_quorum(input, model);
  add_messages(input, model);
}

}  // namespace lockstep::scene
