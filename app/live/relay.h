// A relay on loopback: it passes the bytes of each connection between two ends, until somebody cuts or
// holds a direction. Then bytes stop where they are and both ends see nothing: no error, no end of file,
// only silence, as behind a broken switch. Healed, everything goes on in order.
//
// Cut and held are the same to the bytes; they differ in what the one who did it means. A connection that
// begins during a cut gets no further than to us, and is forgotten if who began it gives up meanwhile.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "live/sockets.h"

namespace asio {
class io_context;
}

namespace lockstep::live {

/// kForth: from who connects to whom it is connected with. kBack: the other way.
enum class Direction : uint8_t { kForth, kBack };

struct RelayOptions {
  Address upstream;
  /// How long it tries again where nobody listens upstream. We cannot refuse a connection that we have taken;
  /// ending it at once is another thing to whoever tries again when refused, but not then.
  TimeUs patience_us = 0;
  /// Called after bytes have been passed on.
  std::function<void(Direction, std::string_view bytes)> on_passed = {};
  /// What a connection begins with, as far as it has come forth. Called until it returns true; what it leaves
  /// in `bytes` then goes on instead. It may shorten, but not lengthen.
  std::function<bool(std::string& bytes)> on_greeting = {};
  /// Called when a connection through the relay begins or ends; the number of those there are.
  std::function<void(int connections)> on_connections = {};
};

/// For one thread: the one that runs `io`. Must be destroyed there, or after it.
class Relay {
 public:
  Relay(asio::io_context& io, RelayOptions options);
  ~Relay();
  Relay(Relay&&) noexcept;
  Relay& operator=(Relay&&) noexcept;

  /// Where it listens on 127.0.0.1; 0: there was no free port.
  uint16_t port() const;

  void set_cut(Direction direction, bool cut);
  void set_held(Direction direction, bool held);
  /// Connections that begin from now on lead there.
  void set_upstream(Address upstream);
  /// Ends every connection at both ends, as a router that restarts does.
  void reset();
  /// Lets what waits in this direction pass, as if it were open for that moment; false if nothing waits.
  bool deliver(Direction direction);
  bool cut(Direction direction) const;
  bool held(Direction direction) const;

 private:
  struct State;
  class Passage;
  std::shared_ptr<State> state_;
};

}  // namespace lockstep::live
