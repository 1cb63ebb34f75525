// Finds the choices by which the simulator produces what was observed: see comparison.h, which is what the outside sees.
//
// It goes through the observations in their order. To come to the next, it makes what happens by itself happen (packets,
// pings, libraries: `settle`), and then whatever leads there (`reach`). Where the recording leaves the order open, it
// forks, takes the likeliest way, and comes back to the others if that leads nowhere.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "play/comparison.h"
#include "play/observations.h"
#include "sim/world.h"

namespace lockstep::play {

class Matcher {
 public:
  explicit Matcher(const trace::Trace& recorded);
  Comparison run();

 private:
  /// How many packets may have to be moved by hand to come to an observation; commits that a learner has still to
  /// hear of do not count, for there may be any number of them.
  static constexpr int kHelpMax = 3;
  /// How long after it has lost its connection a library may tell so.
  static constexpr TimeUs kLibrarySkew = 20 * kMillisecond;
  /// How many choices are tried, whatever for, before it gives up.
  static constexpr int64_t kStepsMax = 300'000;

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

  /// What the choice makes of the state, if everything that it tells is next in its lane.
  std::optional<Step> step_of(const State& state, const sim::Choice& choice) const;
  /// A choice that tells what is wanted, and then something else than the recording: there the two part.
  void note_parting(const State& state, const Heads& heads, const Observation& wanted) const;
  bool is_exhausted() const { return steps_ > kStepsMax; }
  static void take(State& state, Step&& step);
  /// Makes the choice if it tells nothing.
  bool make_silently(State& state, const sim::Choice& choice) const;
  const Observation* head(const Heads& heads, const std::string& lane) const;
  bool is_produced(const Heads& heads, size_t index) const;
  /// The client that an observation is about; UINT32_MAX if none.
  uint32_t client_of(const Observation& wanted) const;

  // ---- Coming to an observation (matcher_reaching.cpp) ----
  /// A pong that its client cannot have heard: it would have kept the connection that it soon gives up as silent.
  bool comes_too_late(const State& state, const sim::Choice& choice) const;
  /// Makes all such choices that are due by `time_us` and tell nothing, to nobody: in which order an application is
  /// told things is for the recording to say.
  void settle(State& state, TimeUs time_us) const;
  /// If an application hears the resource's verdict before what its library is about to tell, the verdict arrives first.
  void bring_verdict(State& state, const Observation& told) const;
  /// Makes the choice that tells observation `index`; false if there is none.
  bool produce(State& state, size_t index) const;
  /// Lets the servers' clocks, and a library that looks for a server, run ahead until observation `index` can be
  /// produced: when ticks fall, and how long an election takes, no recording tells. False if that leads nowhere within
  /// two ticks.
  bool hasten(State& state, size_t index) const;
  /// What may lead to what is wanted without telling anything itself: a packet of the client moves on, its library
  /// acts, its server applies what is committed, or a server begins to end its session.
  std::vector<sim::Choice> helps(const State& state, const Observation& wanted) const;
  /// Comes to observation `index` and produces it; false if nothing leads there.
  bool reach(State& state, size_t index, int help_left = kHelpMax) const;

  // ---- Reads, and what is committed (matcher_reads.cpp) ----
  /// The next that a client's application is told; nullptr if nothing.
  const Observation* next_input(const Heads& heads, const std::string& client) const;
  /// The same, if it is a reply.
  const Observation* reply_due(const Heads& heads, const std::string& client) const;
  /// Whether this read, which is on its way, was served before the commit.
  Served served_of(const State& state, uint32_t client, const sim::Packet& read, const Observation& commit) const;
  /// The server takes a client's read that is on its way.
  void serve_read(State& state, uint32_t client) const;
  /// A client's reads that its server took before it applied the commit are taken now; false if one is still to be sent,
  /// soon.
  bool serve_older_reads_of(State& state, uint32_t client, zk::Zxid commit, TimeUs time_us) const;
  /// A learner lags: before it applies what is committed, its clients may have read.
  bool serve_older_reads(State& state, const sim::Choice& choice, TimeUs time_us) const;
  /// Before a learner answers, it has applied what its reply shows; and before it welcomes a client, its session.
  void catch_up(State& state, const Observation& told) const;
  /// The newest transaction that whoever is told this has seen; 0: the recording does not tell.
  zk::Zxid shown_by(const Observation& told) const;
  /// Clients whose read on its way came before the commit, or may have.
  std::vector<uint32_t> readers_of(const State& state, const Observation& commit, Served when) const;
  /// The read came first if the commit is nearer to its reply than to its sending.
  bool likely_first(const State& state, uint32_t client, TimeUs commit_us) const;
  std::vector<uint32_t> masks_of(const State& state, const std::vector<uint32_t>& readers, TimeUs time_us) const;
  void serve_first(State& state, const std::vector<uint32_t>& readers, uint32_t mask) const;
  /// The last observation before a client sends a read, soon, that has not seen the commit; SIZE_MAX if there is none.
  size_t older_read_after(const State& state, uint32_t client, const Observation& commit) const;
  /// A log tells when a server took a request up, which is before it is committed. Who reads after that time and has
  /// not seen the commit goes first, with everything that was observed until then, if that is possible without it.
  void wait_for_older_reads(const Observation& commit);

  // ---- All of it ----
  /// Produces observation after observation; false where the simulator can't.
  bool go_on();
  /// True once after a fork has been taken again: it is not to be made anew.
  bool resumed() { return std::exchange(resumed_, false); }
  /// If the library tells soon after this line that its connection is lost, it may have been so already.
  void fork_at_line(const Observation& line);
  void fork_at_commit(const Observation& commit);
  /// Tries what is left at the last fork.
  void take_back();
  trace::Trace replay(const State& state) const;
  void tell_failure(Comparison& result) const;

  sim::World start_;
  std::vector<std::string> servers_;
  std::vector<Observation> observations_;
  std::map<std::string, std::vector<size_t>> lanes_;
  State now_;
  State furthest_;
  std::vector<Fork> forks_;
  bool resumed_ = false;
  mutable int64_t steps_ = 0;                 // tried so far
  mutable std::map<size_t, int64_t> parted_;  // by observation: the event after it that no choice tells
};

/// The commit that a learner is about to hear of; nullptr if this choice delivers something else.
const sim::QuorumPacket* commit_in(const sim::World& world, const sim::Choice& choice);
bool changes_data(trace::EventKind kind);

}  // namespace lockstep::play
