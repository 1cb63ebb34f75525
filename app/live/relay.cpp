#include "live/relay.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>
#include <vector>

#include "live/monotonic.h"
#include "live/one_thread_asio.h"

namespace lockstep::live {

using asio::ip::tcp;
using ErrorCode = asio::error_code;

constexpr auto kTryAgainAfter = std::chrono::milliseconds(10);

struct Gate {
  bool cut = false;
  bool held = false;
  bool open() const { return !cut && !held; }
};

/// What all connections of a relay share.
struct Relay::State {
  State(asio::io_context& context, RelayOptions relay_options)
      : io(context), options(std::move(relay_options)), acceptor(context) {}

  asio::io_context& io;
  RelayOptions options;
  tcp::acceptor acceptor;
  uint16_t port = 0;
  std::array<Gate, 2> gates;
  std::vector<std::shared_ptr<Passage>> passages;
  int connected = 0;

  Gate& gate(Direction direction) { return gates[static_cast<size_t>(direction)]; }
  void accept_next(const std::shared_ptr<State>& self);
  void gates_changed();
  void count(int change) {
    connected += change;
    if (options.on_connections) options.on_connections(connected);
  }
};

/// One connection through the relay. It keeps itself alive while an operation is under way.
class Relay::Passage : public std::enable_shared_from_this<Passage> {
 public:
  Passage(std::shared_ptr<State> state, tcp::socket near_end)
      : state_(std::move(state)), ends_{std::move(near_end), tcp::socket(state_->io)} {}

  /// Connects onward, if the way forth is open.
  void begin() {
    if (begun_ || closed_ || !state_->gate(Direction::kForth).open()) return;
    if (given_up()) return close();
    begun_ = true;
    ErrorCode error;
    const auto address = asio::ip::make_address(state_->options.upstream.host, error);
    if (error) return resolve();
    onward({address, state_->options.upstream.port});
  }

  void gates_changed() {
    if (!begun_) begin();
    for (const Direction direction : {Direction::kForth, Direction::kBack}) {
      Pump& pump = pumps_[static_cast<size_t>(direction)];
      if (pump.waits && state_->gate(direction).open()) {
        pump.waits = false;
        pass(direction);
      }
    }
  }

  bool deliver(Direction direction) {
    Pump& pump = pumps_[static_cast<size_t>(direction)];
    if (!pump.waits || closed_) return false;
    pump.waits = false;
    send_on(direction);
    return true;
  }

  void close() {
    ErrorCode ignored;
    for (tcp::socket& end : ends_) end.close(ignored);
    if (std::exchange(counted_, false)) state_->count(-1);
    closed_ = true;
  }
  bool closed() const { return closed_; }

 private:
  struct Pump {
    std::array<char, 16384> bytes = {};
    size_t count = 0;
    bool end = false;    // the source has nothing more
    bool waits = false;  // something has arrived and cannot pass now
  };

  /// Who began the connection has closed it again.
  bool given_up() {
    pollfd near_end = {ends_[0].native_handle(), POLLRDHUP, 0};
    return poll(&near_end, 1, 0) > 0;
  }

  /// False: more has to come before anything can pass.
  bool greet(Pump& pump) {
    if (greeted_ || !state_->options.on_greeting || pump.end) return true;
    greeting_.append(pump.bytes.data(), pump.count);
    greeted_ = state_->options.on_greeting(greeting_) || greeting_.size() > pump.bytes.size() / 2;
    if (!greeted_) return false;
    pump.count = std::min(greeting_.size(), pump.bytes.size());
    std::copy_n(greeting_.begin(), pump.count, pump.bytes.begin());
    return true;
  }

  void resolve() {
    auto resolver = std::make_shared<tcp::resolver>(state_->io);
    const Address& upstream = state_->options.upstream;
    resolver->async_resolve(upstream.host, std::to_string(upstream.port),
                            [self = shared_from_this(), resolver](
                                ErrorCode error, const tcp::resolver::results_type& found) {
                              if (error || found.empty()) return self->close();
                              self->onward(found.begin()->endpoint());
                            });
  }

  void onward(const tcp::endpoint& endpoint) {
    ends_[1].async_connect(endpoint, [self = shared_from_this(), endpoint](ErrorCode error) {
      if (error == asio::error::connection_refused && self->tries_again()) {
        return self->onward_later(endpoint);
      }
      if (error || self->closed_) return self->close();
      ErrorCode ignored;
      for (tcp::socket& end : self->ends_) end.set_option(tcp::no_delay(true), ignored);
      self->counted_ = true;
      self->state_->count(1);
      self->take(Direction::kForth);
      self->take(Direction::kBack);
    });
  }

  bool tries_again() {
    if (refused_since_us_ == 0) refused_since_us_ = monotonic_us();
    return !closed_ && !given_up() &&
           monotonic_us() - refused_since_us_ < state_->options.patience_us;
  }

  void onward_later(const tcp::endpoint& endpoint) {
    auto timer = std::make_shared<asio::steady_timer>(state_->io, kTryAgainAfter);
    timer->async_wait([self = shared_from_this(), timer, endpoint](ErrorCode) {
      ErrorCode ignored;
      self->ends_[1].close(ignored);
      if (!self->closed_) self->onward(endpoint);
    });
  }

  tcp::socket& source(Direction direction) { return ends_[direction == Direction::kForth ? 0 : 1]; }
  tcp::socket& target(Direction direction) { return ends_[direction == Direction::kForth ? 1 : 0]; }

  void take(Direction direction) {
    Pump& pump = pumps_[static_cast<size_t>(direction)];
    source(direction).async_read_some(
        asio::buffer(pump.bytes),
        [self = shared_from_this(), direction](ErrorCode error, size_t count) {
          Pump& filled = self->pumps_[static_cast<size_t>(direction)];
          filled.count = count;
          filled.end = static_cast<bool>(error);
          if (direction == Direction::kForth && !self->greet(filled)) return self->take(direction);
          self->pass(direction);
        });
  }

  void pass(Direction direction) {
    Pump& pump = pumps_[static_cast<size_t>(direction)];
    if (closed_) return;
    if (!state_->gate(direction).open()) {
      pump.waits = true;
      return;
    }
    send_on(direction);
  }

  void send_on(Direction direction) {
    Pump& pump = pumps_[static_cast<size_t>(direction)];
    if (pump.end) return close();  // An end of file passes like bytes, when it can.
    asio::async_write(target(direction), asio::buffer(pump.bytes.data(), pump.count),
                      [self = shared_from_this(), direction](ErrorCode error, size_t) {
                        if (error) return self->close();
                        Pump& passed = self->pumps_[static_cast<size_t>(direction)];
                        const auto& told = self->state_->options.on_passed;
                        if (told) told(direction, {passed.bytes.data(), passed.count});
                        self->take(direction);
                      });
  }

  std::shared_ptr<State> state_;
  std::array<tcp::socket, 2> ends_;
  std::array<Pump, 2> pumps_;
  std::string greeting_;  // while it is not whole
  bool greeted_ = false;
  TimeUs refused_since_us_ = 0;
  bool begun_ = false;
  bool counted_ = false;
  bool closed_ = false;
};

void Relay::State::accept_next(const std::shared_ptr<State>& self) {
  acceptor.async_accept([self](ErrorCode error, tcp::socket socket) {
    if (error == asio::error::operation_aborted) return;
    if (!error) {
      std::erase_if(self->passages, [](const auto& passage) { return passage->closed(); });
      self->passages.push_back(std::make_shared<Passage>(self, std::move(socket)));
      self->passages.back()->begin();
    }
    self->accept_next(self);
  });
}

void Relay::State::gates_changed() {
  const auto now = passages;  // They may end meanwhile.
  for (const auto& passage : now) passage->gates_changed();
}

Relay::Relay(asio::io_context& io, RelayOptions options)
    : state_(std::make_shared<State>(io, std::move(options))) {
  ErrorCode error;
  tcp::acceptor& acceptor = state_->acceptor;
  acceptor.open(tcp::v4(), error);
  if (!error) acceptor.bind({asio::ip::address_v4::loopback(), 0}, error);
  if (!error) acceptor.listen(16, error);
  if (error) return;
  state_->port = acceptor.local_endpoint(error).port();
  state_->accept_next(state_);
}

void Relay::set_upstream(Address upstream) { state_->options.upstream = std::move(upstream); }

void Relay::reset() {
  const auto now = state_->passages;
  for (const auto& passage : now) passage->close();
}

Relay::~Relay() {
  if (!state_) return;
  ErrorCode ignored;
  state_->acceptor.close(ignored);
  state_->options.on_passed = {};
  state_->options.on_connections = {};
  for (const auto& passage : state_->passages) passage->close();
  state_->passages.clear();
}

Relay::Relay(Relay&&) noexcept = default;
Relay& Relay::operator=(Relay&& other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}

uint16_t Relay::port() const { return state_->port; }

void Relay::set_cut(Direction direction, bool cut) {
  state_->gate(direction).cut = cut;
  state_->gates_changed();
}

void Relay::set_held(Direction direction, bool held) {
  state_->gate(direction).held = held;
  state_->gates_changed();
}

bool Relay::deliver(Direction direction) {
  bool any = false;
  const auto now = state_->passages;
  for (const auto& passage : now) any = passage->deliver(direction) || any;
  return any;
}

bool Relay::cut(Direction direction) const { return state_->gate(direction).cut; }
bool Relay::held(Direction direction) const { return state_->gate(direction).held; }

}  // namespace lockstep::live
