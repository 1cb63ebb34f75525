// ZooKeeper's vocabulary, as clients see it: error codes, Stat, create modes, watch events, session
// states, requests and replies. Names and numbers are those of ZooKeeper 3.8 (zookeeper.h of the C
// client, KeeperException.Code of the Java client).
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "recipes/names.h"

namespace lockstep {

/// Microseconds of the run's own clock. Zero is the start of the run.
using TimeUs = int64_t;

constexpr TimeUs kMillisecond = 1000;
constexpr TimeUs kSecond = 1000 * kMillisecond;

}  // namespace lockstep

namespace lockstep::zk {

/// A transaction id: the epoch in the upper 32 bits, a counter in the lower.
using Zxid = int64_t;
/// A session's 64-bit id as the server gives it; 0 means none.
using SessionId = int64_t;

/// What an operation ended in. kConnectionLoss and kOperationTimeout both mean: outcome unknown.
enum class Error : int32_t {
  kOk = 0,
  kRuntimeInconsistency = -2,
  kConnectionLoss = -4,
  kMarshallingError = -5,
  kUnimplemented = -6,
  kOperationTimeout = -7,
  kBadArguments = -8,
  kInvalidState = -9,
  kNoNode = -101,
  kNoAuth = -102,
  kBadVersion = -103,
  kNoChildrenForEphemerals = -108,
  kNodeExists = -110,
  kNotEmpty = -111,
  kSessionExpired = -112,
  kInvalidAcl = -114,
  kAuthFailed = -115,
  kSessionMoved = -118,
};

/// ZooKeeper's own name of a code ("NoNode"); "Unknown" for a number that has none here.
std::string_view name_of(Error error);

/// True if the operation may or may not have been applied.
constexpr bool is_outcome_unknown(Error error) {
  return error == Error::kConnectionLoss || error == Error::kOperationTimeout;
}

/// A node's metadata, field for field as the server reports it. Times are in milliseconds.
struct Stat {
  Zxid czxid = 0;
  Zxid mzxid = 0;
  int64_t ctime = 0;
  int64_t mtime = 0;
  int32_t version = 0;
  int32_t cversion = 0;
  int32_t aversion = 0;
  SessionId ephemeral_owner = 0;
  int32_t data_length = 0;
  int32_t num_children = 0;
  Zxid pzxid = 0;

  bool operator==(const Stat&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("czxid", self.czxid);
    visit("mzxid", self.mzxid);
    visit("ctime", self.ctime);
    visit("mtime", self.mtime);
    visit("version", self.version);
    visit("cversion", self.cversion);
    visit("aversion", self.aversion);
    visit("ephemeralOwner", self.ephemeral_owner);
    visit("dataLength", self.data_length);
    visit("numChildren", self.num_children);
    visit("pzxid", self.pzxid);
  }
};

/// The newest change that whoever reads this has seen: of the node itself, its data or its children.
inline Zxid newest_change(const Stat& stat) { return std::max({stat.czxid, stat.mzxid, stat.pzxid}); }

enum class CreateMode : uint8_t {
  kPersistent,
  kEphemeral,
  kPersistentSequential,
  kEphemeralSequential,
  kContainer,          ///< deleted by the server some time after its last child
  kPersistentWithTtl,  ///< refused by servers that have not been told to allow it, which is the default
  kPersistentSequentialWithTtl,
};

constexpr bool is_ephemeral(CreateMode mode) {
  return mode == CreateMode::kEphemeral || mode == CreateMode::kEphemeralSequential;
}
constexpr bool is_sequential(CreateMode mode) {
  return mode == CreateMode::kPersistentSequential || mode == CreateMode::kEphemeralSequential ||
         mode == CreateMode::kPersistentSequentialWithTtl;
}
constexpr bool has_ttl(CreateMode mode) {
  return mode == CreateMode::kPersistentWithTtl || mode == CreateMode::kPersistentSequentialWithTtl;
}

enum class WatchEventType : uint8_t {
  kNodeCreated,
  kNodeDeleted,
  kNodeDataChanged,
  kNodeChildrenChanged,
};

std::string_view name_of(WatchEventType type);

/// What a client library tells its application about its session. kDisconnected is what Curator calls
/// SUSPENDED: the session may still live. kExpired is final. So is kAuthFailed for this handle on the
/// session, which itself lives on until it times out.
enum class SessionState : uint8_t { kConnected, kDisconnected, kExpired, kAuthFailed };

std::string_view name_of(SessionState state);

/// What an entry of an ACL allows, as bits.
constexpr int32_t kPermRead = 1;
constexpr int32_t kPermWrite = 2;
constexpr int32_t kPermCreate = 4;  // children
constexpr int32_t kPermDelete = 8;  // children
constexpr int32_t kPermAdmin = 16;  // change the ACL
constexpr int32_t kPermAll = 31;

/// Who somebody is. {"world", "anyone"} is everybody, {"digest", "user:HASH"} who has shown user's password,
/// {"auth", ""} whoever sets an ACL. As credentials the id of `digest` is "user:password".
struct Id {
  std::string scheme = {};
  std::string id = {};

  bool operator==(const Id&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("scheme", self.scheme);
    visit("id", self.id);
  }
};

/// One entry of an access control list.
struct Acl {
  int32_t perms = kPermAll;
  Id id = {};

  bool operator==(const Acl&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("perms", self.perms);
    visit("id", self.id);
  }
};

enum class Op : uint8_t {
  kCreate,
  kDelete,
  kExists,
  kGetData,
  kSetData,
  kGetChildren,
  kSync,
  kCheck,  ///< that a node has this version; only inside a multi
  kMulti,  ///< several creates, deletes, setDatas and checks: all of them, or none
  kGetAcl,
  kSetAcl,
  kAddAuth,  ///< shows credentials; the client library shows them again on each new connection
};

std::string_view name_of(Op op);

/// One request. Members that an operation does not use stay at their defaults.
struct Request {
  Op op = Op::kExists;
  std::string path = {};
  std::string data = {};                      // create, setData
  CreateMode mode = CreateMode::kPersistent;  // create
  int32_t version = -1;                       // delete, setData, check; setACL: aversion; -1 matches any
  bool watch = false;                         // exists, getData, getChildren
  int64_t ttl_ms = 0;                         // create with a TTL: positive
  std::vector<Request> ops = {};              // multi
  std::vector<Acl> acl = {};  // create, setACL: empty is open to everybody; addAuth: one, the credentials

  bool operator==(const Request&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("op", self.op);
    visit("path", self.path);
    visit("data", self.data);
    visit("mode", self.mode);
    visit("version", self.version);
    visit("watch", self.watch);
    visit("ttl_ms", self.ttl_ms);
    visit("ops", self.ops);
    visit("acl", self.acl);
  }
};

/// What became of one operation inside a multi. If one fails, it has its own error, those before it have
/// kOk although nothing was done, and those after it kRuntimeInconsistency.
struct OpResult {
  Error error = Error::kOk;
  std::string path = {};  // create: as created; there is no Stat
  Stat stat = {};         // setData

  bool operator==(const OpResult&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("error", self.error);
    visit("path", self.path);
    visit("stat", self.stat);
  }
};

/// One reply. `path` is the created path, `children` are names without their parent, in no promised
/// order; which members mean something depends on the request's operation. A multi's `error` is that of
/// its first operation that failed.
struct Reply {
  Error error = Error::kOk;
  std::string path;
  std::string data;
  Stat stat;
  Names children;
  std::vector<OpResult> results;  // multi: one for each operation
  std::vector<Acl> acl;           // getACL

  bool operator==(const Reply&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("error", self.error);
    visit("path", self.path);
    visit("data", self.data);
    visit("stat", self.stat);
    visit("children", self.children);
    visit("results", self.results);
    visit("acl", self.acl);
  }
};

/// "/locks/a/b" -> "/locks/a"; the parent of a top-level node is "/".
std::string parent_of(std::string_view path);
/// "/locks/a/b" -> "b".
std::string_view name_in(std::string_view path);

/// The number that the server appended to a sequential node's name, as a signed 32-bit integer, the way
/// it was written (`%010d`: ten characters, eleven for the smallest). False if the name ends in none.
[[nodiscard]] bool sequence_of(std::string_view name, int32_t& number);

/// `%010d` of a sequence number, as ZooKeeper appends it.
std::string sequence_suffix(int32_t number);

}  // namespace lockstep::zk
