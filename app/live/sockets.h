// Addresses, and connections to them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "recipes/zookeeper.h"
#include "scenario/problem.h"

namespace lockstep::live {

struct Address {
  std::string host = "127.0.0.1";
  uint16_t port = 0;

  bool operator==(const Address&) const = default;
};

/// "127.0.0.1:2181"
std::string to_text(const Address& address);

/// Reads "host:port,host:port", where port defaults to 2181 and an IPv6 host stands in brackets. `origin`
/// is what the problem names as the place, for example "--connect".
scenario::Result<std::vector<Address>> addresses_of(const std::string& text,
                                                    const std::string& origin);

/// A file descriptor that closes itself.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  int get() const { return number_; }
  bool ok() const { return number_ >= 0; }
  int release();

 private:
  int number_ = -1;
};

/// Connects within `patience_us`; on failure not ok(), and `why` says it ("Connection refused").
Descriptor connect_to(const Address& address, TimeUs patience_us, std::string& why);

/// A listening socket on a free port of 127.0.0.1; `port` tells which.
Descriptor listen_on_free_port(uint16_t& port);
/// `count` different ports of 127.0.0.1 that nobody uses at this moment.
std::vector<uint16_t> free_ports(int count);

/// Waits until `descriptor` is ready for `events` (POLLIN, POLLOUT); false if `until` came first.
bool wait_for(int descriptor, short events, TimeUs until);

}  // namespace lockstep::live
