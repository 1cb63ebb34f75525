#include "live/greeting.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <type_traits>

#include "live/monotonic.h"

namespace lockstep::live {
namespace {

using scenario::Problem;
using scenario::ProblemKind;

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

constexpr int32_t kTimeoutMs = 4000;
constexpr int32_t kCloseSession = -11;
constexpr int32_t kPasswordBytes = 16;
/// Of a ConnectResponse with its length; a 41st only comes to those who asked with a 45th.
constexpr size_t kAnswerBytes = 40;
/// Of a reply without a body: its length, then xid, zxid and error.
constexpr size_t kReplyBytes = 20;

template <class Number>
void put(std::string& bytes, Number number) {
  const auto bits = static_cast<std::make_unsigned_t<Number>>(number);
  for (size_t i = sizeof number; i-- > 0;) bytes += static_cast<char>(bits >> (8 * i) & 0xff);
}

/// ConnectRequest: protocolVersion, lastZxidSeen, timeout, session, password; its length before it.
std::string handshake(const SessionKey& key) {
  std::string bytes;
  put(bytes, int32_t{44});
  put(bytes, int32_t{0});
  put(bytes, int64_t{0});
  put(bytes, kTimeoutMs);
  put(bytes, key.session);
  put(bytes, kPasswordBytes);
  bytes += key.password;
  bytes.resize(48, '\0');
  return bytes;
}

/// A header without a body: xid and type.
std::string closing() {
  std::string bytes;
  put(bytes, int32_t{8});
  put(bytes, int32_t{1});
  put(bytes, kCloseSession);
  return bytes;
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
  if (!send_all(peer.get(), handshake({})) ||
      !receive(peer.get(), kAnswerBytes, monotonic_us() + patience_us, answer)) {
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
  send_all(peer.get(), closing());
  receive(peer.get(), answer.size() + 64, monotonic_us() + kSecond, answer);
  return {};
}

namespace {

enum class Closing : uint8_t { kDone, kNoSuchSession, kInterrupted, kUnreachable };

/// Attaches and closes at once: the first handle is cut off by our handshake, comes back, and may cut us off in
/// turn before the server has looked at what we asked.
Closing try_to_close(const Address& address, const SessionKey& key, TimeUs until) {
  std::string why;
  const Descriptor peer = connect_to(address, until - monotonic_us(), why);
  std::string answer;
  if (!peer.ok() || !send_all(peer.get(), handshake(key) + closing()) ||
      !receive(peer.get(), kAnswerBytes + kReplyBytes, until, answer)) {
    return Closing::kUnreachable;
  }
  if (!is_handshake_answer(answer) || answer.size() < 12) return Closing::kInterrupted;
  const std::string timeout = answer.substr(8, 4);  // 0: no such session, or not with this password
  if (timeout == std::string(4, '\0')) return Closing::kNoSuchSession;
  return answer.size() >= kAnswerBytes + kReplyBytes ? Closing::kDone : Closing::kInterrupted;
}

}  // namespace

bool close_session(const Address& address, const SessionKey& key, TimeUs patience_us) {
  const TimeUs until = monotonic_us() + patience_us;
  bool interrupted = false;
  while (monotonic_us() < until) {
    switch (try_to_close(address, key, until)) {
      case Closing::kDone: return true;
      case Closing::kNoSuchSession:
        return interrupted;  // closed after all, unless it was never there
      case Closing::kInterrupted: interrupted = true; break;
      case Closing::kUnreachable: return false;
    }
  }
  return false;
}

}  // namespace lockstep::live
