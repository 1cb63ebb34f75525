#include "live/server_links.h"

#include <future>
#include <thread>

#include "live/jute.h"
#include "live/one_thread_asio.h"
#include "live/relay.h"

namespace lockstep::live {

/// A learner that is refused tries again, a second apart: its leader may not listen yet
/// (Learner.connectToLeader). One whose connection ends goes back to electing, and the leader waits for initLimit ticks in vain.
constexpr TimeUs kLearnerPatience = 4 * kSecond;

struct ServerLinks::State {
  /// The relays through which one server reaches another, and what is done to the link of the two.
  struct Pair {
    std::unique_ptr<Relay> quorum;
    std::unique_ptr<Relay> election;
    bool cut = false;
    bool held = false;
  };

  size_t count = 0;
  asio::io_context io;
  asio::executor_work_guard<asio::io_context::executor_type> busy{io.get_executor()};
  std::vector<Pair> pairs;  // by from * count + to; nobody reaches itself
  std::thread thread;

  Pair& pair(size_t from, size_t to) { return pairs[from * count + to]; }

  /// Does it in the relays' thread, and returns when it is done.
  template <class Work>
  void in_thread(Work work) {
    std::promise<void> done;
    asio::post(io, [&] {
      work();
      done.set_value();
    });
    done.get_future().wait();
  }

  /// What flows from one to the other: forth where the first has connected, back where the second has.
  template <class Work>
  void for_each_way(size_t from, size_t to, Work work) {
    in_thread([&] {
      for (Relay* relay : {pair(from, to).quorum.get(), pair(from, to).election.get()}) {
        work(*relay, Direction::kForth);
      }
      for (Relay* relay : {pair(to, from).quorum.get(), pair(to, from).election.get()}) {
        work(*relay, Direction::kBack);
      }
    });
  }
};

ServerLinks::ServerLinks(const std::vector<PeerPorts>& real) : state_(std::make_unique<State>()) {
  State& state = *state_;
  state.count = real.size();
  state.pairs.resize(real.size() * real.size());
  for (size_t from = 0; from < real.size(); ++from) {
    for (size_t to = 0; to < real.size(); ++to) {
      if (from == to) continue;
      State::Pair& pair = state.pair(from, to);
      pair.quorum =
          std::make_unique<Relay>(state.io, RelayOptions{.upstream = {.port = real[to].quorum},
                                                         .patience_us = kLearnerPatience});
      pair.election = std::make_unique<Relay>(
          state.io,
          RelayOptions{.upstream = {.port = real[to].election}, .on_greeting = forget_address});
    }
  }
  state.thread = std::thread([&state] { state.io.run(); });
}

ServerLinks::~ServerLinks() {
  state_->io.stop();
  state_->thread.join();
}

bool ServerLinks::ok() const {
  for (const State::Pair& pair : state_->pairs) {
    if (pair.quorum && (pair.quorum->port() == 0 || pair.election->port() == 0)) return false;
  }
  return true;
}

PeerPorts ServerLinks::ports(size_t from, size_t to) const {
  const State::Pair& pair = state_->pair(from, to);
  return {pair.quorum->port(), pair.election->port()};
}

void ServerLinks::set_cut(size_t from, size_t to, bool cut) {
  state_->pair(from, to).cut = cut;
  state_->for_each_way(from, to, [cut](Relay& relay, Direction way) { relay.set_cut(way, cut); });
}

void ServerLinks::set_held(size_t from, size_t to, bool held) {
  state_->pair(from, to).held = held;
  state_->for_each_way(from, to, [held](Relay& relay, Direction way) { relay.set_held(way, held); });
}

bool ServerLinks::deliver(size_t from, size_t to) {
  bool any = false;
  state_->for_each_way(from, to,
                       [&](Relay& relay, Direction way) { any = relay.deliver(way) || any; });
  return any;
}

bool ServerLinks::cut(size_t from, size_t to) const { return state_->pair(from, to).cut; }
bool ServerLinks::held(size_t from, size_t to) const { return state_->pair(from, to).held; }

// The greeting since 3.5: a negative version, the server's number, and its address with a length before it.
// Before, it was the number alone, which is never negative.
bool forget_address(std::string& greeting) {
  constexpr size_t kNumberAt = 8;
  constexpr size_t kNumberBytes = 8;
  constexpr size_t kHeadBytes = 20;
  if (greeting.size() < kNumberBytes) return false;
  JuteReader in(greeting);
  if (in.i64() >= 0) return true;
  if (greeting.size() < kHeadBytes) return false;
  in.i64();
  const size_t whole = kHeadBytes + static_cast<uint32_t>(in.i32());
  if (greeting.size() < whole) return false;
  greeting = greeting.substr(kNumberAt, kNumberBytes) + greeting.substr(whole);
  return true;
}

}  // namespace lockstep::live
