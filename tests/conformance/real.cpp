// Real servers as a player: one session of libzookeeper a seat, each behind a relay.
#include <poll.h>
#include <unistd.h>

#include <array>
#include <functional>
#include <future>
#include <thread>

#include "conformance/players.h"
#include "live/ensemble.h"
#include "live/greeting.h"
#include "live/monotonic.h"
#include "live/one_thread_asio.h"
#include "live/relay.h"
#include "live/servers.h"
#include "live/zookeeper_session.h"
#include "sim/library.h"

namespace lockstep::conformance {
namespace {

using live::ZookeeperSession;

constexpr TimeUs kPatience = 20 * kSecond;

/// Runs the relays beside us, so that they pass bytes while the library waits for some.
class Network {
 public:
  Network() : work_(asio::make_work_guard(io_)), thread_([this] { io_.run(); }) {}
  ~Network() {
    work_.reset();
    io_.stop();
    thread_.join();
  }
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  asio::io_context& io() { return io_; }
  /// Does it in the relays' thread, and waits until it is done.
  void run(const std::function<void()>& what) {
    std::promise<void> done;
    asio::post(io_, [&] {
      what();
      done.set_value();
    });
    done.get_future().wait();
  }

 private:
  asio::io_context io_;
  asio::executor_work_guard<asio::io_context::executor_type> work_;
  std::thread thread_;
};

/// A session and its way to the server. Made and ended in the relays' thread.
struct Seat {
  Seat(asio::io_context& io, const live::Address& server)
      : relay(io, {.upstream = server}),
        session(std::make_unique<ZookeeperSession>(live::SessionOptions{})) {}

  live::Relay relay;
  std::unique_ptr<ZookeeperSession> session;  ///< asks for a time-out of its own
  live::SessionKey key;
  bool connected = false;
  bool over = false;
  bool refused = false;  ///< its credentials
  bool useless = false;  ///< it has heard so
  bool away = false;     ///< its connection is broken
  int asked = 0;    ///< requests of the plan, so far
  int replies = 0;  ///< to them
  int answers = 0;  ///< to our own reads
};

/// The servers, each with a session of ours.
class Ensemble {
 public:
  explicit Ensemble(std::vector<live::Address> addresses) : addresses_(std::move(addresses)) {}

  /// False if one does not answer.
  bool open() {
    for (const live::Address& address : addresses_) {
      const std::string connect = address.host + ":" + std::to_string(address.port);
      ours_.push_back(std::make_unique<ZookeeperSession>(
          live::SessionOptions{.connect = connect, .timeout_us = 60 * kSecond}));
      if (!ours_.back()->open().empty()) return false;
      if (addresses_.size() > 1 && live::mode_of(address) == "leader") leader_ = ours_.size() - 1;
    }
    return true;
  }
  bool is_open() const { return !ours_.empty(); }
  size_t count() const { return addresses_.size(); }

  const live::Address& at(uint32_t server) const { return addresses_[server % addresses_.size()]; }
  /// Which expires sessions.
  const live::Address& leader() const { return addresses_[leader_]; }
  bool make(const std::string& path) {
    zk::Reply reply;
    return live::call(*ours_[leader_], {.op = zk::Op::kCreate, .path = path}, kPatience, reply) &&
           reply.error == zk::Error::kOk;
  }
  /// Returns once every server has applied all that was committed before; at once for one alone.
  void catch_up() {
    zk::Reply reply;
    if (ours_.size() < 2) return;
    for (auto& session : ours_) (void)live::call(*session, {.op = zk::Op::kSync, .path = "/"}, kPatience, reply);
  }

 private:
  std::vector<live::Address> addresses_;
  std::vector<std::unique_ptr<ZookeeperSession>> ours_;
  size_t leader_ = 0;
};

class Playing {
 public:
  Playing(const Plan& plan, Ensemble& servers, std::string root, Network& network)
      : plan_(plan), servers_(servers), server_(servers.leader()), root_(std::move(root)), network_(network),
        teller_(root_) {
    network_.run([&] {
      for (auto& seat : seats_) seat = std::make_unique<Seat>(network_.io(), server_);
    });
  }
  ~Playing() {
    // None may be left to expire during the next plan: its end would take a zxid.
    network_.run([&] {
      for (auto& seat : seats_) seat->relay.set_cut(live::Direction::kForth, true);
    });
    for (auto& seat : seats_) {
      if (!seat->over && seat->key.session != 0) (void)live::close_session(server_, seat->key, kPatience);
      seat->session->close();
    }
    network_.run([&] {
      for (auto& seat : seats_) seat.reset();
    });
  }
  Playing(const Playing&) = delete;
  Playing& operator=(const Playing&) = delete;

  Played play() {
    for (step_ = 0; step_ < plan_.size() && trouble_.empty(); ++step_) {
      ending_ = false;
      take(plan_[step_]);
    }
    for (auto& seat : seats_) {
      if (trouble_.empty() && seat->connected) settle(*seat);
    }
    if (trouble_.empty()) trouble_ = teller_.disorder_in_time();
    return {log_, trouble_};
  }

 private:
  void take(const Step& step) {
    Seat& seat = *seats_[step.place];
    switch (step.act) {
      case Act::kOpen: return open(step);
      case Act::kRequest: return ask(seat, step);
      case Act::kLose:
        seat.away = true;
        settle(seat);  // What was told before the break is heard.
        network_.run([&] {
          seat.relay.set_cut(live::Direction::kForth, true);
          seat.relay.reset();
        });
        wait("the session hears that its connection is gone", [&] { return !seat.connected; });
        return let_it_clean_up();
      case Act::kFail: return fail(seat);
      case Act::kClose: return close(seat);
      case Act::kExpire: return expire(step);
      case Act::kRegain:
        servers_.catch_up();
        network_.run([&] {
          seat.relay.set_upstream(servers_.at(step.server));
          seat.relay.set_cut(live::Direction::kForth, false);
        });
        seat.away = false;
        wait("the session reattaches", [&] { return seat.connected; });
        wait_for_replies(seat);
        return settle(seat);
      case Act::kEnd:
        if (!seat.useless) settle(seat);
        ending_ = true;
        // Who is thrown out comes back only when its session is over.
        network_.run([&] { seat.relay.set_cut(live::Direction::kForth, true); });
        if (!live::close_session(server_, seat.key, kPatience)) {
          trouble_ = "the server did not close a session";
          return;
        }
        network_.run([&] { seat.relay.set_cut(live::Direction::kForth, false); });
        if (seat.useless) seat.over = true;  // It hears nothing.
        return wait("the session hears of its end", [&] { return seat.over; });
    }
  }

  void open(const Step& step) {
    Seat& seat = *seats_[step.place];
    seat.over = seat.refused = seat.useless = false;
    seat.asked = seat.replies = 0;
    servers_.catch_up();
    network_.run([&] { seat.relay.set_upstream(servers_.at(step.server)); });
    seat.session = std::make_unique<ZookeeperSession>(
        live::SessionOptions{.connect = "127.0.0.1:" + std::to_string(seat.relay.port()), .timeout_us = step.timeout_us});
    for (const scenario::Problem& problem : seat.session->open()) trouble_ = problem.message;
    wait("a session opens", [&] { return seat.connected; });
  }

  void ask(Seat& seat, const Step& step) {
    const zk::Request request = below(root_, step.request);
    // What the library answers by itself overtakes events that are on their way, and so does what it tells of
    // credentials, in another of its threads.
    const bool overtakes = request.op == zk::Op::kAddAuth ||
                           sim::refused_by_library(request, scenario::Profile::kC) != zk::Error::kOk;
    servers_.catch_up();
    if (overtakes && seat.connected) settle(seat);
    seat.session->send(request);
    ++seat.asked;
    if (seat.away) return;
    wait_for_replies(seat);
    if (seat.refused) wait("a handle is of no more use", [&] { return seat.useless; });
  }

  void wait_for_replies(Seat& seat) {
    wait("all requests are answered", [&] { return seat.replies == seat.asked; });
  }

  /// Its attempts to connect break, until whatever it has asked meanwhile has failed.
  void fail(Seat& seat) {
    const auto reset = [&] {
      network_.run([&] { seat.relay.reset(); });
      return seat.replies == seat.asked;
    };
    wait("all that was asked meanwhile has failed", reset);
    let_it_clean_up();
  }

  /// The library tells that a connection is gone first, and then fails whatever it finds that was asked.
  static void let_it_clean_up() { usleep(20000); }

  void close(Seat& seat) {
    settle(seat);
    seat.session->close();
    wait("the server has closed the session", [&] { return !server_knows(seat); });
    seat.connected = false;
    seat.over = true;
  }

  void expire(const Step& step) {
    Seat& seat = *seats_[step.place];
    settle(seat);
    const auto cut = [&](bool now) {
      network_.run([&] {
        for (const auto direction : {live::Direction::kForth, live::Direction::kBack}) {
          seat.relay.set_cut(direction, now);
        }
      });
    };
    cut(true);
    ask(*seats_[step.place], step);
    wait("the server has expired a session", [&] { return !server_knows(seat); });
    cut(false);
    wait("the session hears of its end", [&] { return seat.over; });
  }

  /// A session that moves from one of the server's buckets to the next may be missing from one list of them.
  bool server_knows(const Seat& seat) const { return is_listed(seat) || is_listed(seat); }

  bool is_listed(const Seat& seat) const {
    char id[32];
    std::snprintf(id, sizeof id, "0x%llx", static_cast<unsigned long long>(seat.key.session));
    const std::string dump = live::four_letter_word(server_, "dump", kPatience);
    return dump.empty() || dump.find(id) != std::string::npos;
  }

  /// Whatever has happened so far has been told to this session when a read of its own is answered.
  void settle(Seat& seat) {
    servers_.catch_up();
    const int before = seat.answers;
    seat.session->send({.op = zk::Op::kExists, .path = kMark});
    wait("a session has heard everything", [&] { return seat.answers > before; });
  }

  void wait(const char* what, const std::function<bool()>& done) {
    const TimeUs end = live::monotonic_us() + kPatience;
    while (trouble_.empty() && !done()) {
      for (uint32_t place = 0; place < kPlaces; ++place) hear(place);
      if (done()) return;
      if (live::monotonic_us() > end) trouble_ = std::string("waited in vain until ") + what;
      rest();
    }
  }

  /// Until one of the sessions has news.
  void rest() {
    std::array<pollfd, kPlaces> wakes = {};
    for (uint32_t place = 0; place < kPlaces; ++place) {
      wakes[place] = {.fd = seats_[place]->session->wake(), .events = POLLIN, .revents = 0};
    }
    poll(wakes.data(), wakes.size(), 100);
  }

  void hear(uint32_t place) {
    Seat& seat = *seats_[place];
    live::SessionNews news;
    while (seat.session->take(news)) {
      if (const auto* arrived = std::get_if<recipes::ReplyArrived>(&news.input)) {
        if (arrived->reply.error == zk::Error::kAuthFailed) seat.refused = true;
        ++(news.request.path == kMark ? seat.answers : seat.replies);
        if (news.request.path == kMark) continue;
      }
      if (const auto* changed = std::get_if<recipes::SessionChanged>(&news.input)) {
        seat.connected = changed->state == zk::SessionState::kConnected;
        seat.over = changed->state == zk::SessionState::kExpired;
        seat.useless = changed->state == zk::SessionState::kAuthFailed;
        if (seat.connected) seat.key = {changed->session, news.password};
      }
      if (ending_ && step_ < plan_.size() && is_a_race(plan_[step_], place, news.input, servers_.count())) continue;
      teller_.tell(log_, place, step_, news.input, news.request, news.timeout_us);
    }
  }

  const Plan& plan_;
  Ensemble& servers_;
  live::Address server_;  // the one that expires sessions
  std::string root_;
  Network& network_;
  std::array<std::unique_ptr<Seat>, kPlaces> seats_;
  size_t step_ = 0;
  bool ending_ = false;  // The session of this step has heard all that came before its end.
  Teller teller_;
  Log log_;
  std::string trouble_;
};

class RealServers final : public Player {
 public:
  explicit RealServers(const std::vector<live::Address>& servers) : servers_(servers) {}

  Played play(const Plan& plan) override {
    const std::string root = "/plan-" + std::to_string(++plans_);
    if (!servers_.is_open() && !servers_.open()) return {{}, "a server does not answer"};
    if (!servers_.make(root)) return {{}, "no node could be made on the server"};
    return Playing(plan, servers_, root, network_).play();
  }

 private:
  Ensemble servers_;
  Network network_;
  int plans_ = 0;
};

}  // namespace

std::unique_ptr<Player> real_servers(const std::vector<live::Address>& servers) {
  return std::make_unique<RealServers>(servers);
}

}  // namespace lockstep::conformance
