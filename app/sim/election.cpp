// Fast leader election: each server that is LOOKING tells its vote to all voters, takes over any vote that
// beats its own, and is done once a quorum agrees and 200 ms have brought nothing better. Whoever comes late
// learns the outcome from those who follow and from the leader itself.
#include <algorithm>

#include "sim/ensemble.h"

namespace lockstep::sim {
namespace {

using trace::ServerRole;

constexpr TimeUs kFinalizeWait = 200 * kMillisecond;
constexpr TimeUs kResendFirst = 200 * kMillisecond;
constexpr TimeUs kResendMost = 60 * kSecond;

bool is_observer(const World& world, uint32_t server) { return world.scenario->servers[server].observer; }

Vote own_vote(const World& world, uint32_t server) {
  const Member& member = member_of(world, server);
  if (is_observer(world, server)) return {.server = server, .zxid = -1, .epoch = -1};
  return {.server = server, .zxid = member.log.last(), .epoch = member.current_epoch};
}

Ballot ballot_of(const World& world, uint32_t server) {
  const Member& member = member_of(world, server);
  const ServerRole role = role_of(world, server);
  return {.vote = member.election ? member.election->vote : member.elected, .round = member.round, .role = role};
}

void send_ballot(World& world, uint32_t from, uint32_t to, int64_t cause, Effects& fx) {
  QuorumPacket packet{.kind = QuorumPacketKind::kNotification};
  packet.ballot = ballot_of(world, from);
  packet.incarnation = member_of(world, to).incarnation;
  packet.sender = member_of(world, from).incarnation;
  send_to_peer(world, from, to, 0, std::move(packet), cause, fx);
}

void send_ballots(World& world, uint32_t from, int64_t cause, Effects& fx) {
  for (uint32_t to = 0; to < world.servers.size(); ++to) {
    if (to != from && !is_observer(world, to)) send_ballot(world, from, to, cause, fx);
  }
}

/// Takes over a vote, and tells it.
void vote_for(World& world, uint32_t server, const Vote& vote, int64_t cause, Effects& fx) {
  member_of(world, server).election->vote = vote;
  fx.touch_server(server);
  send_ballots(world, server, cause, fx);
}

template <class Agrees>
bool quorum_in(const World& world, const std::map<uint32_t, Ballot>& ballots, Agrees&& agrees) {
  const auto count = std::count_if(ballots.begin(), ballots.end(),
                                   [&](const auto& entry) { return agrees(entry.second.vote); });
  return is_quorum(*world.scenario, static_cast<size_t>(count));
}

/// Nobody is followed who has not said so itself.
bool says_that_it_leads(const std::map<uint32_t, Ballot>& ballots, uint32_t leader) {
  const auto own = ballots.find(leader);
  return own != ballots.end() && own->second.role == ServerRole::kLeading;
}

void finish(World& world, uint32_t server, const Vote& vote, int64_t cause, Effects& fx) {
  Member& member = member_of(world, server);
  member.elected = vote;
  member.election.reset();
  if (vote.server == server) {
    start_leading(world, server, cause, fx);
  } else {
    start_learning(world, server, vote.server, cause, fx);
  }
}

/// If a quorum votes as this server does, it waits a moment for something better.
void count_ballots(World& world, uint32_t server) {
  Election& election = *member_of(world, server).election;
  if (!is_observer(world, server)) election.ballots[server] = ballot_of(world, server);
  const bool agreed = quorum_in(world, election.ballots, [&](const Vote& vote) { return vote == election.vote; });
  election.decide_us = agreed ? world.now_us + kFinalizeWait : kNever;
}

void hear_looking(World& world, uint32_t server, uint32_t from, const Ballot& ballot, int64_t cause, Effects& fx) {
  Member& member = member_of(world, server);
  Election& election = *member.election;
  if (ballot.round < member.round) return send_ballot(world, server, from, cause, fx);
  if (ballot.round > member.round) {
    member.round = ballot.round;
    election.ballots.clear();
    const Vote own = own_vote(world, server);
    vote_for(world, server, beats(ballot.vote, own) ? ballot.vote : own, cause, fx);
  } else if (beats(ballot.vote, election.vote)) {
    vote_for(world, server, ballot.vote, cause, fx);
  }
  election.ballots[from] = ballot;
  count_ballots(world, server);
}

void hear_settled(World& world, uint32_t server, uint32_t from, const Ballot& ballot, int64_t cause, Effects& fx) {
  Member& member = member_of(world, server);
  Election& election = *member.election;
  const uint32_t leader = ballot.vote.server;
  const auto same = [&](const Vote& vote) { return vote.server == leader && vote.epoch == ballot.vote.epoch; };
  if (ballot.round == member.round) election.ballots[from] = ballot;
  election.settled[from] = ballot;
  const bool here = quorum_in(world, election.ballots, same) && says_that_it_leads(election.ballots, leader);
  const bool there = quorum_in(world, election.settled, same) && says_that_it_leads(election.settled, leader);
  if (leader == server || (!here && !there)) return;
  member.round = ballot.round;
  finish(world, server, ballot.vote, cause, fx);
}

}  // namespace

void start_election(World& world, uint32_t server, int64_t cause, Effects& fx) {
  Member& member = member_of(world, server);
  member.learning.reset();
  member.leading.reset();
  ++member.round;
  member.election.emplace();
  member.election->vote = own_vote(world, server);
  member.election->resend_after_us = kResendFirst;
  member.election->resend_us = world.now_us + kResendFirst;
  count_ballots(world, server);
  const int64_t looking = tell_role(world, server, cause, fx);
  send_ballots(world, server, looking, fx);
}

void hear_ballot(World& world, uint32_t server, uint32_t from, const QuorumPacket& packet, int64_t cause, Effects& fx) {
  Member& member = member_of(world, server);
  const Ballot& ballot = packet.ballot;
  // A server that has been started anew has made a new connection, on which it is told again what it was told last.
  uint32_t& known = member.peers.try_emplace(from, Member{}.incarnation).first->second;
  if (std::exchange(known, packet.sender) != packet.sender && member.election) send_ballot(world, server, from, cause, fx);
  // Who has no vote is answered, and not counted; so is who asks where there is nothing left to decide.
  if (is_observer(world, from) || (!member.election && ballot.role == ServerRole::kLooking)) {
    return send_ballot(world, server, from, cause, fx);
  }
  if (!member.election) return;
  member.election->resend_us = world.now_us + member.election->resend_after_us;
  if (ballot.role != ServerRole::kLooking) return hear_settled(world, server, from, ballot, cause, fx);
  if (!is_observer(world, server)) hear_looking(world, server, from, ballot, cause, fx);
}

TimeUs election_timer(const Election& election) { return std::min(election.decide_us, election.resend_us); }

void run_election(World& world, uint32_t server, Effects& fx) {
  Election& election = *member_of(world, server).election;
  if (world.now_us >= election.decide_us) {
    const Vote vote = election.vote;
    return finish(world, server, vote, trace::kNoEvent, fx);
  }
  election.resend_after_us = std::min(2 * election.resend_after_us, kResendMost);
  election.resend_us = world.now_us + election.resend_after_us;
  send_ballots(world, server, trace::kNoEvent, fx);
}

}  // namespace lockstep::sim
