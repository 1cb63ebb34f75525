// When a read was served: before a commit or after it, by what its reply shows.
#include <algorithm>
#include <bit>

#include "play/matcher.h"
#include "sim/ensemble.h"

namespace lockstep::play {
namespace {

using sim::Mover;
using trace::EventKind;

/// How far a learner that nobody hinders lags behind its leader.
constexpr TimeUs kLagMax = 100 * kMillisecond;

bool is_read(zk::Op op) {
  return op == zk::Op::kGetChildren || op == zk::Op::kGetData || op == zk::Op::kExists;
}

/// The read that is on its way from a client to a server, if that comes next on the link.
const sim::Packet* read_on(const sim::Link& link) {
  if (link.kind != sim::LinkKind::kClientServer || link.to_client || link.queue.empty() || link.cut) return nullptr;
  const sim::Packet& packet = *link.queue.front().packet;
  return packet.kind == sim::PacketKind::kRequest && is_read(packet.request.op) ? &packet : nullptr;
}

bool is_learner(const sim::World& world, uint32_t server) {
  const trace::ServerRole role = sim::role_of(world, server);
  return role == trace::ServerRole::kFollowing || role == trace::ServerRole::kObserving;
}

}  // namespace

const sim::QuorumPacket* commit_in(const sim::World& world, const sim::Choice& choice) {
  if (choice.mover != Mover::kDeliver) return nullptr;
  const sim::Link& link = world.links[choice.index];
  if (link.kind != sim::LinkKind::kServerServer) return nullptr;
  const sim::QuorumPacket& packet = *link.queue.front().packet->quorum;
  return packet.kind == sim::QuorumPacketKind::kCommit ? &packet : nullptr;
}

bool changes_data(EventKind kind) {
  return kind == EventKind::kCommitted || kind == EventKind::kSessionExpired || kind == EventKind::kSessionClosed;
}

const Observation* Matcher::next_input(const Heads& heads, const std::string& client) const {
  const auto all = lanes_.find(client);
  if (all == lanes_.end()) return nullptr;
  const auto made = heads.find(client);
  for (size_t place = made == heads.end() ? 0 : made->second; place < all->second.size(); ++place) {
    const Observation& next = observations_[all->second[place]];
    if (next.kind == EventKind::kInput) return &next;
  }
  return nullptr;
}

const Observation* Matcher::reply_due(const Heads& heads, const std::string& client) const {
  const Observation* next = next_input(heads, client);
  return next != nullptr && next->is_reply() ? next : nullptr;
}

Served Matcher::served_of(const State& state, uint32_t client, const sim::Packet& read, const Observation& commit) const {
  const auto& outstanding = state.world.processes[client].library.outstanding;
  const Observation* reply = reply_due(state.heads, state.world.scenario->clients[client].id);
  if (reply == nullptr || outstanding.empty() || outstanding.front().xid != read.xid) return Served::kUnknown;
  // A learner applies what is committed later: see serve_older_reads.
  if (is_learner(state.world, state.world.processes[client].library.server) && reply->zxid != 0) return Served::kAfter;
  return served(read.request, *reply, commit);
}

void Matcher::serve_read(State& state, uint32_t client) const {
  for (const sim::Enabled& one : sim::enabled(state.world)) {
    if (one.choice.mover != Mover::kDeliver) continue;
    const sim::Link& link = state.world.links[one.choice.index];
    if (link.client != client || read_on(link) == nullptr) continue;
    (void)make_silently(state, one.choice);
    return;
  }
}

bool Matcher::serve_older_reads_of(State& state, uint32_t client, zk::Zxid commit, TimeUs time_us) const {
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

bool Matcher::serve_older_reads(State& state, const sim::Choice& choice, TimeUs time_us) const {
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

zk::Zxid Matcher::shown_by(const Observation& told) const {
  if (told.is_reply()) return told.zxid;
  if (told.kind != EventKind::kConnected) return 0;
  const std::string sessions = told.lane.substr(0, told.lane.rfind(kLibrary)) + "#";
  for (auto before = static_cast<size_t>(&told - observations_.data()); before-- > 0;) {
    const Observation& one = observations_[before];
    if (one.kind == EventKind::kSessionOpened && one.peer.starts_with(sessions)) return one.zxid;
  }
  return 0;
}

void Matcher::catch_up(State& state, const Observation& told) const {
  const zk::Zxid shown = shown_by(told);
  const uint32_t client = client_of(told);
  for (bool moved = client != UINT32_MAX && shown != 0; moved;) {
    moved = false;
    for (const sim::Enabled& one : sim::enabled(state.world)) {
      const sim::QuorumPacket* packet = commit_in(state.world, one.choice);
      if (packet == nullptr) continue;
      const zk::Zxid commit = state.zxids.observed(packet->zxid);
      const uint32_t learner = state.world.links[one.choice.index].server;
      if (commit == 0 || commit > shown || learner != state.world.processes[client].library.server) continue;
      (void)serve_older_reads(state, one.choice, told.time_us);
      moved = make_silently(state, one.choice);
      settle(state, told.time_us);
      break;
    }
  }
}

std::vector<uint32_t> Matcher::readers_of(const State& state, const Observation& commit, Served when) const {
  std::vector<uint32_t> readers;
  for (const sim::Link& link : state.world.links) {
    const sim::Packet* read = read_on(link);
    if (read == nullptr || state.world.scenario->clients[link.client].id == commit.peer) continue;
    if (served_of(state, link.client, *read, commit) == when) readers.push_back(link.client);
  }
  return readers;
}

bool Matcher::likely_first(const State& state, uint32_t client, TimeUs commit_us) const {
  const std::string& id = state.world.scenario->clients[client].id;
  const Observation* reply = head(state.heads, id);
  TimeUs sent_us = 0;
  for (const size_t index : lanes_.at(id)) {
    if (!is_produced(state.heads, index)) break;
    sent_us = observations_[index].time_us;
  }
  return reply != nullptr && reply->time_us - commit_us < commit_us - sent_us;
}

std::vector<uint32_t> Matcher::masks_of(const State& state, const std::vector<uint32_t>& readers, TimeUs time_us) const {
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

void Matcher::serve_first(State& state, const std::vector<uint32_t>& readers, uint32_t mask) const {
  for (size_t i = 0; i < readers.size(); ++i) {
    if ((mask >> i & 1u) != 0) serve_read(state, readers[i]);
  }
}

size_t Matcher::older_read_after(const State& state, uint32_t client, const Observation& commit) const {
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

void Matcher::wait_for_older_reads(const Observation& commit) {
  for (uint32_t client = 0; client < now_.world.processes.size(); ++client) {
    const size_t last = older_read_after(now_, client, commit);
    if (last == SIZE_MAX) continue;
    State trial = now_;
    bool possible = true;
    for (size_t index = trial.next + 1; possible && index <= last; ++index) {
      if (observations_[index].lane == kServersLane || is_produced(trial.heads, index)) continue;
      catch_up(trial, observations_[index]);
      possible = reach(trial, index);
    }
    if (possible) now_ = std::move(trial);
  }
}

}  // namespace lockstep::play
