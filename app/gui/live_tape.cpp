// A run on real servers as a tape: it grows by itself while it lasts, and can be scrubbed then and after.
#include "gui/tape.h"

#if LOCKSTEP_WITH_LIVE
#include "live/live.h"
#endif

namespace lockstep::gui {

#if LOCKSTEP_WITH_LIVE
namespace {

class LiveTape final : public Tape {
 public:
  explicit LiveTape(const scenario::Scenario& scenario)
      : scenario_(scenario),
        live_(scenario, {}),
        cursor_(live_.trace()),
        branches_{{"live", -1, trace::kNoEvent}} {
    live_.start();
  }

  const scenario::Scenario& scenario() const override { return scenario_; }
  const trace::Trace& trace() const override { return live_.trace(); }
  const trace::Snapshot& snapshot() const override { return cursor_.snapshot(); }
  int64_t position() const override { return cursor_.index(); }

  bool grow() override { return false; }
  std::optional<TimeUs> next_time() override {
    if (position() + 1 >= trace().size()) return std::nullopt;
    return trace().time_at(position() + 1);
  }
  bool ended() const override { return live_.finished(); }
  trace::Ending ending() const override { return {}; }
  bool poll() override {
    const bool at_newest = cursor_.index() == trace().size() - 1;
    const live::LivePhase before = phase_;
    const int64_t more = live_.poll();
    phase_ = live_.phase();
    if (at_newest && more > 0) cursor_.seek(trace().size() - 1);
    return more > 0 || phase_ != before;
  }
  bool runs_by_itself() const override { return !live_.finished(); }
  std::vector<scenario::Problem> take_problems() override {
    if (!live_.finished() || told_) return {};
    told_ = true;
    return live_.problems();
  }

  void seek(int64_t index) override { cursor_.seek(index); }
  void seek_time(TimeUs time_us) override { cursor_.seek(trace().index_at(time_us)); }
  bool jump(bool forward) override {
    for (int64_t index = position() + (forward ? 1 : -1); index >= 0 && index < trace().size();
         index += forward ? 1 : -1) {
      if (!trace::is_mark(trace().kind_at(index))) continue;
      cursor_.seek(index);
      return true;
    }
    return false;
  }

  const std::vector<std::string>& possible() override;
  std::optional<scenario::Problem> intervene(const std::string& name, TimeUs) override {
    const auto intervention = scenario::intervention_named(name);
    if (!intervention || live_.phase() != live::LivePhase::kPlaying) {
      return scenario::Problem{.file = name,
                               .message = "is only possible while the real run is going on"};
    }
    cursor_.seek(trace().size() - 1);
    live_.intervene(*intervention);
    return std::nullopt;
  }
  const std::vector<play::Branch>& branches() const override { return branches_; }

 private:
  scenario::Scenario scenario_;
  live::LiveRun live_;
  trace::Cursor cursor_;
  live::LivePhase phase_ = live::LivePhase::kNotStarted;
  std::vector<play::Branch> branches_;
  std::vector<std::string> possible_;
  bool told_ = false;
};

/// What can be done to a real process in this state; the real world decides what becomes of it.
void offer_client(const std::string& id, const trace::ClientRow& row,
                  std::vector<std::string>& out) {
  using trace::Process;
  const bool alive = row.process != Process::kCrashed && row.process != Process::kNotStarted;
  const auto offer = [&](bool possible, const char* verb) {
    if (possible) out.push_back(std::string(verb) + " " + id);
  };
  offer(row.process == Process::kRunning || row.process == Process::kHung, "pause");
  offer(row.process == Process::kPaused, "resume");
  offer(row.process == Process::kRunning, "hang");
  offer(row.process == Process::kHung, "free");
  offer(alive, "crash");
  offer(row.process == Process::kCrashed, "restart");
  offer(row.belief == trace::Belief::kHolding, "release");
  offer(row.belief == trace::Belief::kWaiting, "cancel");
}

std::vector<std::string> servers_of(const trace::Snapshot& now) {
  std::vector<std::string> ids;
  for (const auto& [id, row] : now.servers) ids.push_back(id);
  return ids;
}

/// What can be done to the servers of an ensemble that we have started.
void offer_servers(const trace::Snapshot& now, std::vector<std::string>& out) {
  using trace::Process;
  const std::vector<std::string> ids = servers_of(now);
  if (ids.size() < 2) return;
  for (size_t i = 0; i < ids.size(); ++i) {
    const Process process = now.servers.at(ids[i]).process;
    if (process == Process::kRunning) out.push_back("pause " + ids[i]);
    if (process == Process::kPaused) out.push_back("resume " + ids[i]);
    out.push_back((process == Process::kCrashed ? "restart " : "crash ") + ids[i]);
    out.push_back("partition " + ids[i]);
    for (size_t other = i + 1; other < ids.size(); ++other) {
      const auto* link = trace::find(now.links, ids[i] + ">" + ids[other]);
      out.push_back((link != nullptr && link->cut ? "heal " : "cut ") + ids[i] + "-" + ids[other]);
    }
  }
  out.push_back("heal all");
}

const std::vector<std::string>& LiveTape::possible() {
  possible_.clear();
  if (live_.phase() != live::LivePhase::kPlaying) return possible_;
  const trace::Snapshot& now = trace().last();
  for (const auto& [id, row] : now.clients) offer_client(id, row, possible_);
  for (const auto& client : scenario_.clients) {
    std::vector<std::string> others = servers_of(now);
    others.push_back(scenario_.resource.id);
    for (const std::string& other : others) {
      const auto* link = trace::find(now.links, client.id + ">" + other);
      possible_.push_back((link != nullptr && link->cut ? "heal " : "cut ") + client.id + "-" + other);
    }
    const std::string to = client.id + ">" + scenario_.resource.id;
    const auto* link = trace::find(now.links, to);
    possible_.push_back((link != nullptr && link->held ? "let go " : "hold ") + to);
  }
  offer_servers(now, possible_);
  return possible_;
}

}  // namespace

scenario::Result<std::unique_ptr<Tape>> live_tape(const scenario::Scenario& scenario) {
  return std::unique_ptr<Tape>(std::make_unique<LiveTape>(scenario));
}
#else
scenario::Result<std::unique_ptr<Tape>> live_tape(const scenario::Scenario&) {
  return scenario::Problem{
      .message =
          "this build has no real servers: install libzookeeper-mt-dev, libsqlite3-dev and "
          "libasio-dev, and build again",
      .kind = scenario::ProblemKind::kEnvironment};
}
#endif

}  // namespace lockstep::gui
