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
using scenario::ProblemKind;

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

/// Waits until `descriptor` is ready for `events` or `until` has come.
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

bool send_all(int descriptor, const std::string& bytes) {
  return send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
         static_cast<ssize_t>(bytes.size());
}

/// Receives until `bytes_max`, the end, or `until`; true unless nothing came before `until`.
bool receive(int descriptor, size_t bytes_max, TimeUs until, std::string& bytes) {
  char buffer[4096];
  while (bytes.size() < bytes_max) {
    if (!wait_for(descriptor, POLLIN, until)) return !bytes.empty();
    const ssize_t count =
        recv(descriptor, buffer, std::min(sizeof buffer, bytes_max - bytes.size()), MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (count <= 0) return true;
    bytes.append(buffer, static_cast<size_t>(count));
  }
  return true;
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

/// ConnectRequest: protocolVersion 0, lastZxidSeen 0, timeout 4 s, no session, no password.
std::string handshake() {
  std::string bytes(48, '\0');
  bytes[3] = 44;
  bytes[4 + 4 + 8 + 2] = 0x0f;  // 4000 = 0x0fa0
  bytes[4 + 4 + 8 + 3] = static_cast<char>(0xa0);
  bytes[4 + 4 + 8 + 4 + 8 + 3] = 16;
  return bytes;
}

/// A header without a body: xid 1, closeSession (-11).
std::string close_session() {
  return {'\0', '\0', '\0', '\x08', '\0', '\0', '\0', '\x01', '\xff', '\xff', '\xff', '\xf5'};
}

/// ConnectResponse: 36 or 37 bytes (3.4 added a flag), protocolVersion 0.
bool is_handshake_answer(const std::string& bytes) {
  return bytes.size() >= 8 && bytes.substr(0, 3) == std::string(3, '\0') &&
         (bytes[3] == 36 || bytes[3] == 37) && bytes.substr(4, 4) == std::string(4, '\0');
}

/// The beginning of what a stranger said, for a message.
std::string quoted(const std::string& bytes) {
  std::string text;
  for (const char c : bytes.substr(0, 24)) text += c >= ' ' && c < 127 ? c : '.';
  return "\"" + text + "\"";
}

}  // namespace

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
      return Problem{origin, "", "\"" + part + "\" is no server's address; expected host:port, as in "
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

std::string four_letter_word(const Address& address, const std::string& word, TimeUs patience_us) {
  std::string why;
  const Descriptor peer = connect_to(address, patience_us, why);
  std::string answer;
  if (!peer.ok() || !send_all(peer.get(), word)) return answer;
  if (!receive(peer.get(), 1u << 20, monotonic_us() + patience_us, answer)) return "";
  return answer;
}

std::vector<Problem> check_is_zookeeper(const Address& address, TimeUs patience_us) {
  const auto environment = [&](const std::string& message) {
    return std::vector<Problem>{{to_text(address), "", message, ProblemKind::kEnvironment}};
  };
  std::string why;
  const Descriptor peer = connect_to(address, patience_us, why);
  if (!peer.ok()) {
    return environment("no server can be reached here (" + why +
                       "); start a ZooKeeper there, or let --servers 1 start one");
  }
  std::string answer;
  if (!send_all(peer.get(), handshake()) ||
      !receive(peer.get(), 41, monotonic_us() + patience_us, answer)) {
    return environment("something listens here but does not answer ZooKeeper's handshake within " +
                       std::to_string(patience_us / kMillisecond) +
                       " ms; is it a ZooKeeper's client port, and is its ensemble complete?");
  }
  if (answer.empty()) {
    return environment(
        "the connection was closed instead of answering ZooKeeper's handshake; is it a ZooKeeper's "
        "client port, and is its ensemble complete?");
  }
  if (!is_handshake_answer(answer)) {
    return environment("what answers here is no ZooKeeper: it began with " + quoted(answer) +
                       "; give a ZooKeeper's client port");
  }
  send_all(peer.get(), close_session());
  receive(peer.get(), answer.size() + 64, monotonic_us() + kSecond, answer);
  return {};
}

}  // namespace lockstep::live
