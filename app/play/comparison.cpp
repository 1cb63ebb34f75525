#include "play/comparison.h"

#include <algorithm>
#include <bit>
#include <map>
#include <memory>

#include "play/observations.h"
#include "sim/ensemble.h"
#include "sim/projection.h"
#include "sim/world.h"

namespace lockstep::play {
namespace {

using sim::Mover;
using trace::EventKind;

/// How many forks are taken back before it gives up.
constexpr int kTriesMax = 4000;
/// How many reads at a time may have come before or after a commit, as far as the recording tells.
constexpr size_t kReadersMax = 12;
/// How many packets may have to be moved by hand to come to an observation.
constexpr int kHelpMax = 3;

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

/// The world that one real run could be: nothing takes time but what the recording says.
scenario::Scenario timeless(const trace::Trace& recorded) {
  scenario::Scenario scenario = recorded.header().scenario;
  scenario.link = scenario.server_link = scenario.resource_link = scenario.step = {.min_us = 0, .max_us = 0};
  const auto servers = recorded.snapshot(recorded.size() - 1).servers;  // They may have been started only then.
  if (!servers.empty() && servers.size() != scenario.servers.size()) {
    scenario.servers.clear();
    for (const auto& [id, row] : servers) scenario.servers.push_back({id});
  }
  return scenario;
}

/// By lane: how many of its observations have been produced.
using Heads = std::map<std::string, size_t>;

struct State {
  sim::World world;
  Heads heads;
  Zxids zxids;
  size_t next = 0;  // of all observations: everything before it has been produced
  std::vector<sim::Choice> choices;
};

/// What a choice makes of a state.
struct Step {
  sim::Choice choice;
  sim::World world;
  Heads heads;
  Zxids zxids;
  bool told = false;  // something observable
};

/// A moment that the recording leaves open: reads may come before or after a commit, and a library may have lost
/// its connection a moment before it told so.
struct Fork {
  State state;
  std::vector<uint32_t> readers;
  std::vector<uint32_t> masks;  // which of them come first, by bits; left to try, the next at the back
  size_t library = SIZE_MAX;    // else: the observation of a library that comes first
};

/// How long after it has lost its connection a library may tell so.
constexpr TimeUs kLibrarySkew = 20 * kMillisecond;
/// How far a learner that nobody hinders lags behind its leader.
constexpr TimeUs kLagMax = 100 * kMillisecond;

class Matcher {
 public:
  explicit Matcher(const trace::Trace& recorded) {
    start_ = now_.world = sim::initial_world(timeless(recorded));
    for (const scenario::ServerSpec& server : now_.world.scenario->servers) servers_.push_back(server.id);
    for (int64_t i = 0; i < recorded.size(); ++i) {
      auto seen = observation_of(recorded.event(i), servers_);
      if (!seen) continue;
      lanes_[seen->lane].push_back(observations_.size());
      observations_.push_back(std::move(*seen));
    }
  }

  Comparison run() {
    Comparison result;
    result.observations = static_cast<int64_t>(observations_.size());
    int tries = 0;
    for (;;) {
      if (go_on()) break;
      if (now_.next >= furthest_.next) furthest_ = now_;
      if (forks_.empty() || ++tries > kTriesMax) {
        result.gave_up = !forks_.empty();
        tell_failure(result);
        return result;
      }
      take_back();
    }
    result.agrees = true;
    result.matched = result.observations;
    result.simulated = replay(now_);
    return result;
  }

 private:
  // ---- One choice --------------------------------------------------------------------------------

  /// What the choice makes of the state, if everything that it tells is next in its lane.
  std::optional<Step> step_of(const State& state, const sim::Choice& choice) const {
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

  /// A choice that tells what is wanted, and then something else than the recording: there the two part.
  void note_parting(const State& state, const Heads& heads, const Observation& wanted) const {
    if (state.next >= observations_.size() || !is_produced(heads, state.next)) return;
    parted_[state.next] = std::max(parted_[state.next], wanted.event);
  }

  static void take(State& state, Step&& step) {
    state.world = std::move(step.world);
    state.heads = std::move(step.heads);
    state.zxids = std::move(step.zxids);
    state.choices.push_back(std::move(step.choice));
  }

  /// Makes the choice if it tells nothing.
  bool make_silently(State& state, const sim::Choice& choice) const {
    std::optional<Step> step = step_of(state, choice);
    if (!step || step->told) return false;
    take(state, std::move(*step));
    return true;
  }

  const Observation* head(const Heads& heads, const std::string& lane) const {
    const auto all = lanes_.find(lane);
    if (all == lanes_.end()) return nullptr;
    const auto made = heads.find(lane);
    const size_t place = made == heads.end() ? 0 : made->second;
    return place < all->second.size() ? &observations_[all->second[place]] : nullptr;
  }

  bool is_produced(const Heads& heads, size_t index) const {
    const std::vector<size_t>& all = lanes_.at(observations_[index].lane);
    const auto made = heads.find(observations_[index].lane);
    const size_t count = made == heads.end() ? 0 : made->second;
    return count > static_cast<size_t>(std::lower_bound(all.begin(), all.end(), index) - all.begin());
  }

  // ---- Reads -------------------------------------------------------------------------------------

  static bool is_read(zk::Op op) {
    return op == zk::Op::kGetChildren || op == zk::Op::kGetData || op == zk::Op::kExists;
  }

  /// The read that is on its way from a client to a server, if that comes next on the link.
  static const sim::Packet* read_on(const sim::Link& link) {
    if (link.kind != sim::LinkKind::kClientServer || link.to_client || link.queue.empty() || link.cut) return nullptr;
    const sim::Packet& packet = *link.queue.front().packet;
    return packet.kind == sim::PacketKind::kRequest && is_read(packet.request.op) ? &packet : nullptr;
  }

  /// The next that a client's application is told, if it is a reply.
  const Observation* reply_due(const Heads& heads, const std::string& client) const {
    const auto all = lanes_.find(client);
    if (all == lanes_.end()) return nullptr;
    const auto made = heads.find(client);
    for (size_t place = made == heads.end() ? 0 : made->second; place < all->second.size(); ++place) {
      const Observation& next = observations_[all->second[place]];
      if (next.kind == EventKind::kInput) return next.is_reply() ? &next : nullptr;
    }
    return nullptr;
  }

  static bool is_learner(const sim::World& world, uint32_t server) {
    const trace::ServerRole role = sim::role_of(world, server);
    return role == trace::ServerRole::kFollowing || role == trace::ServerRole::kObserving;
  }

  /// Whether this read, which is on its way, was served before the commit.
  Served served_of(const State& state, uint32_t client, const sim::Packet& read, const Observation& commit) const {
    const auto& outstanding = state.world.processes[client].library.outstanding;
    const Observation* reply = reply_due(state.heads, state.world.scenario->clients[client].id);
    if (reply == nullptr || outstanding.empty() || outstanding.front().xid != read.xid) return Served::kUnknown;
    // A learner applies what is committed later: see serve_older_reads.
    if (is_learner(state.world, state.world.processes[client].library.server) && reply->zxid != 0) return Served::kAfter;
    return served(read.request, *reply, commit);
  }

  /// The server takes a client's read that is on its way.
  void serve_read(State& state, uint32_t client) const {
    for (const sim::Enabled& one : sim::enabled(state.world)) {
      if (one.choice.mover != Mover::kDeliver) continue;
      const sim::Link& link = state.world.links[one.choice.index];
      if (link.client != client || read_on(link) == nullptr) continue;
      (void)make_silently(state, one.choice);
      return;
    }
  }

  /// The commit that a learner is about to hear of; nullptr if this choice delivers something else.
  static const sim::QuorumPacket* commit_in(const sim::World& world, const sim::Choice& choice) {
    if (choice.mover != Mover::kDeliver) return nullptr;
    const sim::Link& link = world.links[choice.index];
    if (link.kind != sim::LinkKind::kServerServer) return nullptr;
    const sim::QuorumPacket& packet = *link.queue.front().packet->quorum;
    return packet.kind == sim::QuorumPacketKind::kCommit ? &packet : nullptr;
  }

  /// A client's reads that its server took before it applied the commit are taken now; false if one is still to be sent,
  /// soon.
  bool serve_older_reads_of(State& state, uint32_t client, zk::Zxid commit, TimeUs time_us) const {
    const auto all = lanes_.find(state.world.scenario->clients[client].id);
    if (all == lanes_.end()) return true;
    const auto made = state.heads.find(all->first);
    size_t replies = 0;
    for (size_t place = made == state.heads.end() ? 0 : made->second; place < all->second.size(); ++place) {
      const Observation& next = observations_[all->second[place]];
      if (next.time_us > time_us + kLagMax) return true;
      if (!next.is_reply()) continue;
      const auto& outstanding = state.world.processes[client].library.outstanding;
      const bool sent = replies++ < outstanding.size();
      if (next.zxid == 0 || next.zxid >= commit) continue;
      if (!sent) return false;  // A read: a write that comes has a newer zxid.
      serve_read(state, client);
    }
    return true;
  }

  /// A learner lags: before it applies what is committed, its clients may have read.
  bool serve_older_reads(State& state, const sim::Choice& choice, TimeUs time_us) const {
    const sim::QuorumPacket* packet = commit_in(state.world, choice);
    const zk::Zxid commit = packet == nullptr ? 0 : state.zxids.observed(packet->zxid);
    if (commit == 0) return true;
    const uint32_t learner = state.world.links[choice.index].server;
    bool all = true;
    for (uint32_t client = 0; client < state.world.processes.size(); ++client) {
      const sim::Library& library = state.world.processes[client].library;
      const bool serves = library.state == sim::LibraryState::kConnected && library.server == learner;
      if (serves && !serve_older_reads_of(state, client, commit, time_us)) all = false;
    }
    return all;
  }

  // ---- What happens by itself --------------------------------------------------------------------

  /// How many inputs wait for applications.
  static size_t inputs_in(const sim::World& world) {
    size_t count = 0;
    for (const sim::Process& process : world.processes) count += process.inputs.size();
    return count;
  }

  /// Whether this choice may be made as soon as it can be: what nobody can tell from its being made later.
  static bool is_background(const sim::World& world, const sim::Choice& choice) {
    switch (choice.mover) {
      case Mover::kServer:
      case Mover::kIo: return true;
      case Mover::kDeliver: {
        const sim::Link& link = world.links[choice.index];
        if (link.kind == sim::LinkKind::kClientResource) return false;
        if (link.kind == sim::LinkKind::kServerServer || link.to_client) return true;
        const sim::PacketKind kind = link.queue.front().packet->kind;
        return kind != sim::PacketKind::kRequest && kind != sim::PacketKind::kConnect;
      }
      case Mover::kStart:
      case Mover::kInput:
      case Mover::kLine:
      case Mover::kDeadline:
      case Mover::kExpire: return false;
    }
    return false;
  }

  /// Makes all such choices that are due by `time_us` and tell nothing, to nobody: in which order an application is
  /// told things is for the recording to say.
  void settle(State& state, TimeUs time_us) const {
    for (bool moved = true; moved;) {
      moved = false;
      std::vector<sim::Enabled> all = sim::enabled(state.world);
      std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.due_us < b.due_us; });
      for (const sim::Enabled& one : all) {
        if (one.due_us > std::max(time_us, state.world.now_us)) break;
        if (!is_background(state.world, one.choice)) continue;
        const size_t before = state.choices.size();
        const bool ready = serve_older_reads(state, one.choice, time_us);
        moved = state.choices.size() > before;
        if (moved) break;  // What was possible may be no more.
        if (!ready) continue;
        std::optional<Step> step = step_of(state, one.choice);
        if (!step || step->told || inputs_in(step->world) != inputs_in(state.world)) continue;
        take(state, std::move(*step));
        moved = true;
        break;
      }
    }
  }

  static bool changes_data(EventKind kind) {
    return kind == EventKind::kCommitted || kind == EventKind::kSessionExpired || kind == EventKind::kSessionClosed;
  }

  // ---- Coming to an observation ------------------------------------------------------------------

  /// Before a learner answers, it has applied what its reply shows.
  void catch_up(State& state, const Observation& reply) const {
    const uint32_t client = client_of(reply);
    for (bool moved = client != UINT32_MAX && reply.zxid != 0; moved;) {
      moved = false;
      for (const sim::Enabled& one : sim::enabled(state.world)) {
        const sim::QuorumPacket* packet = commit_in(state.world, one.choice);
        if (packet == nullptr) continue;
        const zk::Zxid commit = state.zxids.observed(packet->zxid);
        const uint32_t learner = state.world.links[one.choice.index].server;
        if (commit == 0 || commit > reply.zxid || learner != state.world.processes[client].library.server) continue;
        (void)serve_older_reads(state, one.choice, reply.time_us);
        moved = make_silently(state, one.choice);
        settle(state, reply.time_us);
        break;
      }
    }
  }

  /// Makes the choice that tells observation `index`; false if there is none.
  bool produce(State& state, size_t index) const {
    const Observation& wanted = observations_[index];
    if (wanted.kind == EventKind::kIntervened) {
      const auto intervention = scenario::intervention_named(wanted.what);
      if (!intervention || !sim::is_possible(state.world, *intervention)) return false;
      std::optional<Step> step = step_of(state, {.intervention = *intervention, .at_us = wanted.time_us});
      if (!step || !is_produced(step->heads, index)) return false;
      take(state, std::move(*step));
      return true;
    }
    for (const sim::Enabled& one : sim::enabled(state.world)) {
      std::optional<Step> step = step_of(state, one.choice);
      if (!step || !is_produced(step->heads, index)) continue;
      take(state, std::move(*step));
      return true;
    }
    return false;
  }

  /// The client that an observation is about; UINT32_MAX if none.
  uint32_t client_of(const Observation& wanted) const {
    const std::string peer = wanted.peer.substr(0, wanted.peer.rfind('#'));
    const std::string lane = wanted.lane.substr(0, wanted.lane.rfind(kLibrary));
    const auto& clients = now_.world.scenario->clients;
    for (uint32_t i = 0; i < clients.size(); ++i) {
      if (clients[i].id == lane || clients[i].id == peer) return i;
    }
    return UINT32_MAX;
  }

  /// Whether the client's library has something to do that does not wait for a time-out.
  static bool has_work(const sim::World& world, uint32_t client) {
    const sim::Library& library = world.processes[client].library;
    return !library.socket.empty() || library.state == sim::LibraryState::kConnecting;
  }

  /// What may lead to what is wanted without telling anything itself: a packet of the client moves on, its library
  /// acts, its server applies what is committed, or a server begins to end its session.
  std::vector<sim::Choice> helps(const sim::World& world, const Observation& wanted) const {
    std::vector<sim::Choice> helps;
    const uint32_t client = client_of(wanted);
    if (client == UINT32_MAX) return helps;
    for (const sim::Enabled& one : sim::enabled(world)) {
      const Mover mover = one.choice.mover;
      const bool ends = wanted.kind == EventKind::kSessionExpired && mover == Mover::kExpire &&
                        world.sessions[one.choice.index / world.servers.size()].client == client;
      const bool moves = mover == Mover::kDeliver &&
                         world.links[one.choice.index].kind != sim::LinkKind::kServerServer &&
                         world.links[one.choice.index].client == client;
      const bool acts = mover == Mover::kIo && one.choice.index == client && has_work(world, client);
      if (ends || moves || acts) helps.push_back(one.choice);
    }
    // Only if nothing else helps, since others may read before: a commit is applied where the client is, or goes out of
    // the way of the next proposal.
    for (const sim::Enabled& one : sim::enabled(world)) {
      if (commit_in(world, one.choice) == nullptr) continue;
      const bool of_client = world.links[one.choice.index].server == world.processes[client].library.server;
      if (of_client || changes_data(wanted.kind)) helps.push_back(one.choice);
    }
    return helps;
  }

  bool reach(State& state, size_t index, int help_left) const {
    settle(state, observations_[index].time_us);
    if (produce(state, index)) return true;
    if (help_left == 0) return false;
    for (const sim::Choice& choice : helps(state.world, observations_[index])) {
      State trial = state;
      (void)serve_older_reads(trial, choice, observations_[index].time_us);
      if (!make_silently(trial, choice) || !reach(trial, index, help_left - 1)) continue;
      state = std::move(trial);
      return true;
    }
    return false;
  }

  // ---- Reads and commits -------------------------------------------------------------------------

  /// Clients whose read on its way came before the commit, or may have.
  std::vector<uint32_t> readers_of(const State& state, const Observation& commit, Served when) const {
    std::vector<uint32_t> readers;
    for (const sim::Link& link : state.world.links) {
      const sim::Packet* read = read_on(link);
      if (read == nullptr || state.world.scenario->clients[link.client].id == commit.peer) continue;
      if (served_of(state, link.client, *read, commit) == when) readers.push_back(link.client);
    }
    return readers;
  }

  /// The read came first if the commit is nearer to its reply than to its sending.
  bool likely_first(const State& state, uint32_t client, TimeUs commit_us) const {
    const std::string& id = state.world.scenario->clients[client].id;
    const Observation* reply = head(state.heads, id);
    TimeUs sent_us = 0;
    for (const size_t index : lanes_.at(id)) {
      if (!is_produced(state.heads, index)) break;
      sent_us = observations_[index].time_us;
    }
    return reply != nullptr && reply->time_us - commit_us < commit_us - sent_us;
  }

  std::vector<uint32_t> masks_of(const State& state, const std::vector<uint32_t>& readers, TimeUs time_us) const {
    uint32_t likely = 0;
    for (size_t i = 0; i < readers.size(); ++i) {
      if (likely_first(state, readers[i], time_us)) likely |= 1u << i;
    }
    std::vector<uint32_t> masks;
    for (uint32_t mask = 0; mask < 1u << readers.size(); ++mask) masks.push_back(mask);
    std::stable_sort(masks.begin(), masks.end(), [&](uint32_t a, uint32_t b) {
      return std::popcount(a ^ likely) > std::popcount(b ^ likely);
    });
    return masks;
  }

  void serve_first(State& state, const std::vector<uint32_t>& readers, uint32_t mask) const {
    for (size_t i = 0; i < readers.size(); ++i) {
      if ((mask >> i & 1u) != 0) serve_read(state, readers[i]);
    }
  }

  // ---- All of it ---------------------------------------------------------------------------------

  /// Produces observation after observation; false where the simulator can't.
  bool go_on() {
    for (; now_.next < observations_.size(); ++now_.next) {
      if (is_produced(now_.heads, now_.next)) continue;
      const Observation& wanted = observations_[now_.next];
      settle(now_, wanted.time_us);
      if (changes_data(wanted.kind)) {
        wait_for_older_reads(wanted);
        fork_at_commit(wanted);
      }
      if (wanted.kind == EventKind::kLine) fork_at_line(wanted);
      if (wanted.is_reply()) catch_up(now_, wanted);
      if (!reach(now_, now_.next, kHelpMax)) return false;
    }
    return true;
  }

  /// The last observation before a client sends a read, soon, that has not seen the commit; SIZE_MAX if there is none.
  size_t older_read_after(const State& state, uint32_t client, const Observation& commit) const {
    const auto all = lanes_.find(state.world.scenario->clients[client].id);
    if (all == lanes_.end()) return SIZE_MAX;
    const auto made = state.heads.find(all->first);
    const size_t sent = state.world.processes[client].library.outstanding.size();
    size_t replies = 0;
    size_t before = SIZE_MAX;
    for (size_t place = made == state.heads.end() ? 0 : made->second; place < all->second.size(); ++place) {
      const Observation& next = observations_[all->second[place]];
      if (next.is_reply() && replies++ >= sent && next.zxid != 0 && next.zxid < commit.zxid) return before;
      if (next.time_us > commit.time_us + kLagMax) return SIZE_MAX;
      before = all->second[place];
    }
    return SIZE_MAX;
  }

  /// A log tells when a server took a request up, which is before it is committed. Who reads after that time and has
  /// not seen the commit goes first, with everything that was observed until then, if that is possible without it.
  void wait_for_older_reads(const Observation& commit) {
    for (uint32_t client = 0; client < now_.world.processes.size(); ++client) {
      const size_t last = older_read_after(now_, client, commit);
      if (last == SIZE_MAX) continue;
      State trial = now_;
      bool possible = true;
      for (size_t index = trial.next + 1; possible && index <= last; ++index) {
        if (observations_[index].lane == kServersLane || is_produced(trial.heads, index)) continue;
        possible = reach(trial, index, kHelpMax);
      }
      if (possible) now_ = std::move(trial);
    }
  }

  /// True once after a fork has been taken again: it is not to be made anew.
  bool resumed() { return std::exchange(resumed_, false); }

  /// If the library tells soon after this line that its connection is lost, it may have been so already.
  void fork_at_line(const Observation& line) {
    if (resumed()) return;
    const Observation* told = head(now_.heads, line.lane + kLibrary);
    const bool lost = told != nullptr && (told->kind == EventKind::kDisconnected || told->kind == EventKind::kExpired);
    if (!lost || told->time_us > line.time_us + kLibrarySkew) return;
    forks_.push_back({.state = now_, .library = static_cast<size_t>(told - observations_.data())});
  }

  void fork_at_commit(const Observation& commit) {
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

  /// Tries what is left at the last fork.
  void take_back() {
    Fork& fork = forks_.back();
    now_ = fork.state;
    resumed_ = true;
    if (fork.library != SIZE_MAX) {
      const size_t library = fork.library;
      forks_.pop_back();
      (void)reach(now_, library, kHelpMax);
      return;
    }
    const uint32_t mask = fork.masks.back();
    fork.masks.pop_back();
    const std::vector<uint32_t> readers = fork.readers;
    if (fork.masks.empty()) forks_.pop_back();
    serve_first(now_, readers, mask);
  }

  // ---- Telling -----------------------------------------------------------------------------------

  trace::Trace replay(const State& state) const {
    sim::World world = start_;
    trace::Trace trace = sim::trace_of(world);
    sim::Recorder recorder(trace);
    for (const sim::Choice& choice : state.choices) sim::apply(world, choice, &recorder);
    return trace;
  }

  void tell_failure(Comparison& result) const {
    State state = furthest_;
    result.matched = static_cast<int64_t>(state.next);
    const auto parted = parted_.find(state.next);
    result.event = std::max(observations_[state.next].event, parted == parted_.end() ? -1 : parted->second);
    settle(state, observations_[state.next].time_us);
    for (const sim::Enabled& one : sim::enabled(state.world)) {
      result.enabled.push_back(sim::name_of(state.world, one.choice));
    }
    result.simulated = replay(furthest_);
  }

  sim::World start_;
  std::vector<std::string> servers_;
  std::vector<Observation> observations_;
  std::map<std::string, std::vector<size_t>> lanes_;
  State now_;
  State furthest_;
  std::vector<Fork> forks_;
  bool resumed_ = false;
  mutable std::map<size_t, int64_t> parted_;  // by observation: the event after it that no choice tells
};

}  // namespace

Comparison compare(const trace::Trace& recorded) { return Matcher(recorded).run(); }

}  // namespace lockstep::play
