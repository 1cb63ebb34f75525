#include "live/sockets.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "live/monotonic.h"

namespace lockstep::live {
namespace {

using scenario::Problem;

constexpr uint16_t kUsualPort = 2181;

bool read_port(const std::string& text, uint16_t& port) {
  if (text.empty() || text.size() > 5) return false;
  uint32_t number = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    number = number * 10 + static_cast<uint32_t>(c - '0');
  }
  port = static_cast<uint16_t>(number);
  return number >= 1 && number <= 65535;
}

bool read_address(const std::string& text, Address& address) {
  size_t end = text.find(':');
  if (!text.empty() && text[0] == '[') {
    const size_t bracket = text.find(']');
    if (bracket == std::string::npos) return false;
    address.host = text.substr(1, bracket - 1);
    end = bracket + 1 < text.size() ? bracket + 1 : std::string::npos;
    if (end != std::string::npos && text[end] != ':') return false;
  } else {
    address.host = text.substr(0, end);
  }
  address.port = kUsualPort;
  const bool port_ok = end == std::string::npos || read_port(text.substr(end + 1), address.port);
  return port_ok && !address.host.empty() && address.host.find_first_of(" /") == std::string::npos;
}

Descriptor connect_one(const addrinfo& info, TimeUs until, int& error) {
  Descriptor made(socket(info.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!made.ok()) {
    error = errno;
    return Descriptor();
  }
  if (connect(made.get(), info.ai_addr, info.ai_addrlen) != 0) {
    error = errno;
    if (error != EINPROGRESS) return Descriptor();
    if (!wait_for(made.get(), POLLOUT, until)) {
      error = ETIMEDOUT;
      return Descriptor();
    }
    socklen_t size = sizeof error;
    getsockopt(made.get(), SOL_SOCKET, SO_ERROR, &error, &size);
    if (error != 0) return Descriptor();
  }
  return made;
}

}  // namespace

bool wait_for(int descriptor, short events, TimeUs until) {
  while (true) {
    const TimeUs left = until - monotonic_us();
    if (left <= 0) return false;
    pollfd waiting = {descriptor, events, 0};
    const int ready = poll(&waiting, 1, static_cast<int>(left / kMillisecond + 1));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
}

std::string to_text(const Address& address) {
  const bool v6 = address.host.find(':') != std::string::npos;
  return (v6 ? "[" + address.host + "]" : address.host) + ":" + std::to_string(address.port);
}

scenario::Result<std::vector<Address>> addresses_of(const std::string& text,
                                                    const std::string& origin) {
  std::vector<Address> addresses;
  size_t from = 0;
  while (from <= text.size()) {
    const size_t comma = std::min(text.find(',', from), text.size());
    Address address;
    const std::string part = text.substr(from, comma - from);
    if (!read_address(part, address)) {
      return Problem{origin, "",
                     "\"" + part +
                         "\" is no server's address; expected host:port, as in "
                         "127.0.0.1:2181,127.0.0.1:2182"};
    }
    addresses.push_back(address);
    from = comma + 1;
  }
  return addresses;
}

Descriptor::~Descriptor() {
  if (ok()) close(number_);
}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

int Descriptor::release() { return std::exchange(number_, -1); }

Descriptor connect_to(const Address& address, TimeUs patience_us, std::string& why) {
  const TimeUs until = monotonic_us() + patience_us;
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int failed =
      getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &found);
  if (failed != 0) {
    why = gai_strerror(failed);
    return Descriptor();
  }
  Descriptor connected;
  int error = 0;
  for (const addrinfo* info = found; info && !connected.ok(); info = info->ai_next) {
    connected = connect_one(*info, until, error);
  }
  freeaddrinfo(found);
  if (!connected.ok()) why = std::strerror(error);
  return connected;
}

Descriptor listen_on_free_port(uint16_t& port) {
  Descriptor listening(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in here = {};
  here.sin_family = AF_INET;
  here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof here;
  if (bind(listening.get(), reinterpret_cast<sockaddr*>(&here), size) != 0 ||
      listen(listening.get(), 16) != 0 ||
      getsockname(listening.get(), reinterpret_cast<sockaddr*>(&here), &size) != 0) {
    return Descriptor();
  }
  port = ntohs(here.sin_port);
  return listening;
}

std::vector<uint16_t> free_ports(int count) {
  std::vector<uint16_t> ports;
  std::vector<Descriptor> taken;  // All at once, so that they differ.
  for (int i = 0; i < count; ++i) {
    uint16_t port = 0;
    taken.push_back(listen_on_free_port(port));
    ports.push_back(port);
  }
  return ports;
}

}  // namespace lockstep::live
