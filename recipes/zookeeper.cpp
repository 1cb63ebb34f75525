#include "recipes/zookeeper.h"

#include <cstdio>
#include <limits>

namespace lockstep::zk {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::string_view name_of(Error error) {
  switch (error) {
    case Error::kOk: return "Ok";
    case Error::kRuntimeInconsistency: return "RuntimeInconsistency";
    case Error::kConnectionLoss: return "ConnectionLoss";
    case Error::kMarshallingError: return "MarshallingError";
    case Error::kUnimplemented: return "Unimplemented";
    case Error::kOperationTimeout: return "OperationTimeout";
    case Error::kBadArguments: return "BadArguments";
    case Error::kInvalidState: return "InvalidState";
    case Error::kNoNode: return "NoNode";
    case Error::kNoAuth: return "NoAuth";
    case Error::kBadVersion: return "BadVersion";
    case Error::kNoChildrenForEphemerals: return "NoChildrenForEphemerals";
    case Error::kNodeExists: return "NodeExists";
    case Error::kNotEmpty: return "NotEmpty";
    case Error::kSessionExpired: return "SessionExpired";
    case Error::kInvalidAcl: return "InvalidACL";
    case Error::kAuthFailed: return "AuthFailed";
    case Error::kSessionMoved: return "SessionMoved";
  }
  return "Unknown";
}

std::string_view name_of(WatchEventType type) {
  switch (type) {
    case WatchEventType::kNodeCreated: return "NodeCreated";
    case WatchEventType::kNodeDeleted: return "NodeDeleted";
    case WatchEventType::kNodeDataChanged: return "NodeDataChanged";
    case WatchEventType::kNodeChildrenChanged: return "NodeChildrenChanged";
  }
  return "Unknown";
}

std::string_view name_of(SessionState state) {
  switch (state) {
    case SessionState::kConnected: return "Connected";
    case SessionState::kDisconnected: return "Disconnected";
    case SessionState::kExpired: return "Expired";
    case SessionState::kAuthFailed: return "AuthFailed";
  }
  return "Unknown";
}

std::string_view name_of(Op op) {
  switch (op) {
    case Op::kCreate: return "create";
    case Op::kDelete: return "delete";
    case Op::kExists: return "exists";
    case Op::kGetData: return "getData";
    case Op::kSetData: return "setData";
    case Op::kGetChildren: return "getChildren";
    case Op::kSync: return "sync";
    case Op::kCheck: return "check";
    case Op::kMulti: return "multi";
    case Op::kGetAcl: return "getACL";
    case Op::kSetAcl: return "setACL";
    case Op::kAddAuth: return "addAuth";
  }
  return "unknown";
}

std::string parent_of(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == 0 || slash == std::string_view::npos ? "/" : std::string(path.substr(0, slash));
}

std::string_view name_in(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

bool sequence_of(std::string_view name, int32_t& number) {
  constexpr int64_t kMax = std::numeric_limits<int32_t>::max();
  size_t digits = 0;
  while (digits < name.size() && digits < 10 && is_digit(name[name.size() - 1 - digits])) ++digits;
  int64_t value = 0;
  for (const char c : name.substr(name.size() - digits)) value = value * 10 + (c - '0');
  const std::string_view before = name.substr(0, name.size() - digits);
  const bool dash = before.ends_with('-');
  if (digits == 9 && dash) {  // The sign counts in the width: "-000000001".
    number = static_cast<int32_t>(-value);
    return true;
  }
  if (digits < 10) return false;
  // Ten digits after a dash: "lock-2147483647" is a separator and a number, "lock--2147483648" a
  // separator, a sign and a number.
  const bool negative = dash && (value > kMax || before.ends_with("--") || before.ends_with("_-"));
  if (value > kMax + (negative ? 1 : 0)) return false;
  number = static_cast<int32_t>(negative ? -value : value);
  return true;
}

std::string sequence_suffix(int32_t number) {
  char text[16];
  std::snprintf(text, sizeof text, "%010d", number);
  return text;
}

}  // namespace lockstep::zk
