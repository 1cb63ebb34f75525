#include "gui/why.h"

#include <algorithm>

#include "trace/facts.h"
#include "trace/text.h"

namespace lockstep::gui {
namespace {

using trace::EventKind;
using Tone = Reason::Tone;

constexpr size_t kCausesMax = 8;
constexpr size_t kClientsMax = 6;
constexpr size_t kWritesMax = 4;
/// How far back an event is looked for.
constexpr int64_t kLookBack = 200000;

class Reasoner {
 public:
  explicit Reasoner(const WhyInput& input)
      : input_(input), truth_(trace::truth_of(input.snapshot, input.trace.lock_path())) {}

  WhyClient client(const std::string& id) const {
    WhyClient why = {.client = id};
    const trace::ClientRow* row = trace::find(input_.snapshot.clients, id);
    if (row == nullptr) return why;
    tell_state(id, *row, why);
    if (row->belief == trace::Belief::kWaiting) tell_wakes(id, *row, why);
    tell_causes(id, why);
    return why;
  }

  std::vector<WhyWrite> writes() const {
    std::vector<WhyWrite> found;
    const auto& ledger = input_.snapshot.ledger;
    for (auto it = ledger.rbegin(); it != ledger.rend() && found.size() < kWritesMax; ++it) {
      if (!it->second.accepted) found.push_back(refused(it->first, it->second));
      if (it->second.accepted && it->second.stale)
        found.push_back(accepted_stale(it->first, it->second));
    }
    return found;
  }

  bool worth_asking(const std::string& id, const trace::ClientRow& row) const {
    return row.belief == trace::Belief::kWaiting ||
           trace::danger_of(input_.snapshot, truth_, id) == trace::Danger::kDangerous;
  }

 private:
  std::string say(Word what, std::initializer_list<std::string_view> values = {}) const {
    return gui::say(what, input_.language, values);
  }
  std::string told(int64_t event) const {
    return trace::sentence(input_.trace.event(event), input_.language);
  }

  /// The last event at or before the position for which `is` holds; kNoEvent if there is none.
  template <class Is>
  int64_t last_event(Is is) const {
    const int64_t stop = std::max<int64_t>(0, input_.position - kLookBack);
    for (int64_t index = input_.position; index >= stop; --index) {
      if (is(index)) return index;
    }
    return trace::kNoEvent;
  }

  void tell_state(const std::string& id, const trace::ClientRow& row, WhyClient& why) const {
    const trace::Danger danger = trace::danger_of(input_.snapshot, truth_, id);
    if (row.process == trace::Process::kCrashed) {
      why.state.push_back({say(Word::kWhyCrashed), trace::kNoEvent, Tone::kWarn});
      return;
    }
    const bool believes = trace::believes_to_hold(row);
    if (believes && danger == trace::Danger::kNone) {
      why.state.push_back({say(Word::kWhyHolds), trace::kNoEvent, Tone::kGood});
    } else if (believes) {
      why.state.push_back({say(Word::kWhyBelieves, {trace::token_text(row.token)}), trace::kNoEvent,
                           Tone::kDanger});
      const std::string truth =
          truth_.holder.empty() ? say(Word::kWhyDangerNot) : say(Word::kWhyDanger, {truth_.holder});
      why.state.push_back({truth, end_of_session(id), Tone::kDanger});
    } else if (row.belief == trace::Belief::kWaiting) {
      why.state.push_back({say(Word::kWhyWaits)});
      tell_predecessor(row, why);
    } else {
      why.state.push_back({say(Word::kWhyIdle)});
    }
    if (danger == trace::Danger::kBehind) why.state.push_back({say(Word::kWhyBehind)});
  }

  void tell_predecessor(const trace::ClientRow& row, WhyClient& why) const {
    if (row.waits_for.empty()) return;
    std::string text = say(Word::kWhyBehindNode, {trace::short_name(row.waits_for)});
    const trace::ZnodeRow* node = trace::find(input_.snapshot.znodes, path_of(row.waits_for));
    const std::string owner = node == nullptr ? std::string() : owner_of(*node);
    if (!owner.empty())
      text +=
          (input_.language == trace::Language::kEn ? " " : "") + say(Word::kWhyOwnedBy, {owner});
    why.state.push_back({text});
  }

  void tell_wakes(const std::string& id, const trace::ClientRow& row, WhyClient& why) const {
    for (const auto& [key, watch] : input_.snapshot.watches) {
      if (watch.session == row.session) tell_watch(watch, why);
    }
    if (row.unread > 0) why.wakes.push_back({say(Word::kWakeUnread, {std::to_string(row.unread)})});
    if (row.inputs > 0) why.wakes.push_back({say(Word::kWakeInputs, {std::to_string(row.inputs)})});
    if (row.connection == trace::Connection::kConnecting) why.wakes.push_back({say(Word::kWakeReattach)});
    for (const auto& [number, message] : input_.snapshot.messages) {
      const std::string to = ">" + id;
      const bool for_it = message.link.size() > to.size() &&
                          message.link.compare(message.link.size() - to.size(), to.size(), to) == 0;
      if (for_it && message.what != "ping" && message.what != "pong" &&
          (message.what != "FIN" || row.connection == trace::Connection::kConnected))
        why.wakes.push_back({message.link + ": " + message.what});
    }
    if (why.wakes.empty())
      why.wakes.push_back({say(Word::kWakeNothing), trace::kNoEvent, Tone::kDanger});
    if (row.process == trace::Process::kPaused || row.process == trace::Process::kHung) {
      why.wakes.push_back({say(Word::kWakePaused), trace::kNoEvent, Tone::kWarn});
    }
  }

  void tell_watch(const trace::WatchRow& watch, WhyClient& why) const {
    const int64_t set = last_event([&](int64_t index) {
      if (input_.trace.kind_at(index) != EventKind::kSent) return false;
      const trace::Event event = input_.trace.event(index);
      return event.data.path == watch.path &&
             event.lane == watch.session.substr(0, watch.session.find('#'));
    });
    why.wakes.push_back({say(Word::kWakeWatch, {trace::short_name(watch.path)}), set});
    const trace::ZnodeRow* node = trace::find(input_.snapshot.znodes, watch.path);
    if (node == nullptr || node->owner.empty()) return;
    const std::string owner = owner_of(*node);
    why.wakes.push_back({"→ " + say(Word::kWakeRelease, {owner})});
    const trace::SessionRow* session = trace::find(input_.snapshot.sessions, node->owner);
    if (session == nullptr) return;
    why.wakes.push_back(
        {"→ " + say(Word::kWakeExpiry, {owner, trace::time_text(session->expires_us)})});
  }

  void tell_causes(const std::string& id, WhyClient& why) const {
    int64_t index = last_event([&](int64_t i) { return input_.trace.lane_at(i) == id; });
    for (size_t steps = 0; index != trace::kNoEvent && steps < kCausesMax; ++steps) {
      why.causes.push_back({told(index), index});
      index = input_.trace.event(index).cause;
    }
  }

  int64_t end_of_session(const std::string& client) const {
    return last_event([&](int64_t index) {
      const EventKind kind = input_.trace.kind_at(index);
      if (kind != EventKind::kSessionExpired && kind != EventKind::kSessionClosed) return false;
      const trace::Event event = input_.trace.event(index);
      return event.data.peer == client || event.data.session.rfind(client + "#", 0) == 0;
    });
  }

  /// The n-th judged write, counted from the ledger's "1".
  int64_t judged(const std::string& number) const {
    int64_t left = std::stoll(number);
    for (int64_t index = 0; index <= input_.position; ++index) {
      const EventKind kind = input_.trace.kind_at(index);
      if (kind != EventKind::kWriteAccepted && kind != EventKind::kWriteRefused) continue;
      if (--left == 0) return index;
    }
    return trace::kNoEvent;
  }

  void tell_raised(const trace::LedgerRow& row, int64_t before, WhyWrite& why) const {
    for (int64_t index = before - 1; index >= 0; --index) {
      if (input_.trace.kind_at(index) != EventKind::kWriteAccepted) continue;
      if (input_.trace.event(index).data.token != row.token_max_before) continue;
      why.reasons.push_back(
          {say(Word::kWhyRaised, {trace::token_text(row.token_max_before)}) + told(index), index});
      return;
    }
  }

  WhyWrite refused(const std::string& number, const trace::LedgerRow& row) const {
    WhyWrite why = {.title = say(Word::kWhyRefused, {number})};
    const int64_t at = judged(number);
    why.reasons.push_back({say(Word::kWhyRefusedToken, {trace::token_text(row.token),
                                                        trace::token_text(row.token_max_before)}),
                           at, Tone::kDanger});
    if (at != trace::kNoEvent) tell_raised(row, at, why);
    tell_stale(row, why);
    return why;
  }

  WhyWrite accepted_stale(const std::string& number, const trace::LedgerRow& row) const {
    WhyWrite why = {.title = say(Word::kWhyAcceptedStale, {number})};
    const int64_t at = judged(number);
    if (at != trace::kNoEvent) why.reasons.push_back({told(at), at, Tone::kDanger});
    tell_stale(row, why);
    return why;
  }

  void tell_stale(const trace::LedgerRow& row, WhyWrite& why) const {
    if (!row.stale) return;
    const int64_t ended = end_of_session(row.client);
    if (ended != trace::kNoEvent)
      why.reasons.push_back({say(Word::kWhyStale, {row.client}) + told(ended), ended});
  }

  std::string path_of(const std::string& node) const {
    return node.front() == '/' ? node : input_.trace.lock_path() + "/" + node;
  }
  std::string owner_of(const trace::ZnodeRow& node) const {
    const trace::SessionRow* session = trace::find(input_.snapshot.sessions, node.owner);
    return session == nullptr ? node.owner : session->client;
  }

  const WhyInput& input_;
  trace::Truth truth_;
};

}  // namespace

Why why_of(const WhyInput& input) {
  const Reasoner reasoner(input);
  Why why;
  if (!input.chosen.empty()) why.clients.push_back(reasoner.client(input.chosen));
  for (const auto& [id, row] : input.snapshot.clients) {
    if (why.clients.size() >= kClientsMax || id == input.chosen) continue;
    if (reasoner.worth_asking(id, row)) why.clients.push_back(reasoner.client(id));
  }
  why.writes = reasoner.writes();
  return why;
}

}  // namespace lockstep::gui
