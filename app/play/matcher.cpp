#include "play/matcher.h"

#include <algorithm>

namespace lockstep::play {
namespace {

using sim::Mover;
using trace::EventKind;

/// How many reads at a time may have come before or after a commit, as far as the recording tells.
constexpr size_t kReadersMax = 12;

/// Collects what a choice makes observable.
class Watcher final : public sim::Observer {
 public:
  explicit Watcher(const std::vector<std::string>& servers) : servers_(servers) {}
  void on_event(const sim::World&, trace::Event& event, const sim::Touched&, const sim::Judged&) override {
    if (auto seen = observation_of(event, servers_)) seen_.push_back(std::move(*seen));
  }
  const std::vector<Observation>& seen() const { return seen_; }

 private:
  const std::vector<std::string>& servers_;
  std::vector<Observation> seen_;
};

}  // namespace

std::optional<Matcher::Step> Matcher::step_of(const State& state, const sim::Choice& choice) const {
  ++steps_;
  Watcher watcher(servers_);
  Step step{.choice = choice, .world = state.world, .heads = state.heads, .zxids = state.zxids};
  sim::apply(step.world, choice, &watcher);
  for (const Observation& seen : watcher.seen()) {
    const Observation* wanted = head(step.heads, seen.lane);
    if (wanted == nullptr || !same(*wanted, seen, step.zxids)) {
      if (wanted != nullptr) note_parting(state, step.heads, *wanted);
      return std::nullopt;
    }
    if (wanted->zxid != 0 && !wanted->is_reply()) step.zxids.pair(wanted->zxid, seen.zxid);
    ++step.heads[seen.lane];
  }
  step.told = !watcher.seen().empty();
  return step;
}

void Matcher::note_parting(const State& state, const Heads& heads, const Observation& wanted) const {
  if (state.next >= observations_.size() || !is_produced(heads, state.next)) return;
  parted_[state.next] = std::max(parted_[state.next], wanted.event);
}

void Matcher::take(State& state, Step&& step) {
  state.world = std::move(step.world);
  state.heads = std::move(step.heads);
  state.zxids = std::move(step.zxids);
  state.choices.push_back(std::move(step.choice));
}

bool Matcher::make_silently(State& state, const sim::Choice& choice) const {
  std::optional<Step> step = step_of(state, choice);
  if (!step || step->told) return false;
  take(state, std::move(*step));
  return true;
}

const Observation* Matcher::head(const Heads& heads, const std::string& lane) const {
  const auto all = lanes_.find(lane);
  if (all == lanes_.end()) return nullptr;
  const auto made = heads.find(lane);
  const size_t place = made == heads.end() ? 0 : made->second;
  return place < all->second.size() ? &observations_[all->second[place]] : nullptr;
}

bool Matcher::is_produced(const Heads& heads, size_t index) const {
  const std::vector<size_t>& all = lanes_.at(observations_[index].lane);
  const auto made = heads.find(observations_[index].lane);
  const size_t count = made == heads.end() ? 0 : made->second;
  return count > static_cast<size_t>(std::lower_bound(all.begin(), all.end(), index) - all.begin());
}

uint32_t Matcher::client_of(const Observation& wanted) const {
  const std::string peer = wanted.peer.substr(0, wanted.peer.rfind('#'));
  const std::string lane = wanted.lane.substr(0, wanted.lane.rfind(kLibrary));
  const auto& clients = now_.world.scenario->clients;
  for (uint32_t i = 0; i < clients.size(); ++i) {
    if (clients[i].id == lane || clients[i].id == peer) return i;
  }
  return UINT32_MAX;
}

bool Matcher::go_on() {
  for (; now_.next < observations_.size(); ++now_.next) {
    if (is_produced(now_.heads, now_.next)) continue;
    const Observation& wanted = observations_[now_.next];
    settle(now_, wanted.time_us);
    if (changes_data(wanted.kind)) {
      wait_for_older_reads(wanted);
      fork_at_commit(wanted);
    }
    if (wanted.kind == EventKind::kLine) fork_at_line(wanted);
    catch_up(now_, wanted);
    bring_verdict(now_, wanted);
    if (!reach(now_, now_.next) && !hasten(now_, now_.next)) return false;
  }
  return true;
}

void Matcher::fork_at_line(const Observation& line) {
  if (resumed()) return;
  const Observation* told = head(now_.heads, line.lane + kLibrary);
  const bool lost = told != nullptr && (told->kind == EventKind::kDisconnected || told->kind == EventKind::kExpired);
  if (!lost || told->time_us > line.time_us + kLibrarySkew) return;
  forks_.push_back({.state = now_, .library = static_cast<size_t>(told - observations_.data())});
}

void Matcher::fork_at_commit(const Observation& commit) {
  if (resumed()) return;
  for (const uint32_t client : readers_of(now_, commit, Served::kBefore)) serve_read(now_, client);
  Fork fork{.state = now_, .readers = readers_of(now_, commit, Served::kUnknown)};
  if (fork.readers.empty()) return;
  if (fork.readers.size() > kReadersMax) fork.readers.resize(kReadersMax);
  fork.masks = masks_of(now_, fork.readers, commit.time_us);
  const uint32_t mask = fork.masks.back();
  fork.masks.pop_back();
  serve_first(now_, fork.readers, mask);
  if (!fork.masks.empty()) forks_.push_back(std::move(fork));
}

void Matcher::take_back() {
  Fork& fork = forks_.back();
  now_ = fork.state;
  resumed_ = true;
  if (fork.library != SIZE_MAX) {
    const size_t library = fork.library;
    forks_.pop_back();
    (void)reach(now_, library);
    return;
  }
  const uint32_t mask = fork.masks.back();
  fork.masks.pop_back();
  const std::vector<uint32_t> readers = fork.readers;
  if (fork.masks.empty()) forks_.pop_back();
  serve_first(now_, readers, mask);
}

}  // namespace lockstep::play
