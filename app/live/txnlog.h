// Reads the transaction log that a ZooKeeper server writes: every change to its tree and sessions, in the
// order of zxids, just after it has been logged and before its reply is sent.
//
// The format (org.apache.zookeeper.server.persistence.FileTxnLog, 3.8): files log.ZXID (hexadecimal, of
// the first transaction). Each begins with "ZKLG", a version (2) and a database id, and goes on with
// records: Adler-32 of the body, the body's length, the body (a header and the transaction, in jute's
// big-endian encoding), and a byte 'B'. Space is allocated ahead: zeros mark the end of what is written.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "recipes/zookeeper.h"
#include "scenario/problem.h"

namespace lockstep::live {

enum class TxnKind : uint8_t {
  kCreateSession,
  kCloseSession,
  kCreate,
  kDelete,
  kSetData,
  kError,  ///< a request that the server refused; it too has a zxid
  kOther,  ///< ACLs, checks, reconfiguration: changes neither tree nor sessions as we show them
};

struct Txn {
  zk::SessionId session = 0;
  int32_t cxid = 0;  ///< the request's number in its session; 0: the server's own doing (an expiry)
  zk::Zxid zxid = 0;
  int64_t time_ms = 0;  ///< the server's wall clock when it took the request up
  TxnKind kind = TxnKind::kOther;
  std::string path = {};
  std::string data = {};
  bool ephemeral = false;
  int32_t parent_cversion = -1;         ///< create; -1: one more than before
  int32_t version = 0;                  ///< setData: the new one
  int32_t timeout_ms = 0;               ///< createSession, as negotiated
  std::vector<std::string> paths = {};  ///< closeSession: what it deletes, if it says so
  zk::Error error = zk::Error::kOk;     ///< kError
  std::vector<Txn> parts = {};  ///< of a multi that was done: they share the header; `kind` is then kOther
};

/// A record's body; false if it is none.
[[nodiscard]] bool txn_from_bytes(const std::string& body, Txn& txn);

/// Follows the log in a server's folder while it grows, and while a new leader has its end cut off.
class TxnLog {
 public:
  explicit TxnLog(std::string folder) : folder_(std::move(folder)) {}

  /// Appends what has been written completely since the last call. A problem means that this is no log
  /// of a version that we know; a record that is half written is simply not there yet.
  /// Where a whole file has been cut off, what is left can come once more.
  [[nodiscard]] std::vector<scenario::Problem> poll(std::vector<Txn>& out);
  /// What has been read and is still in the log.
  const std::vector<zk::Zxid>& zxids() const { return zxids_; }
  zk::Zxid last() const { return zxids_.empty() ? 0 : zxids_.back(); }

 private:
  bool open_next();
  void forget_truncated();
  bool check_file_header(std::vector<scenario::Problem>& problems);
  bool read_record(Txn& txn, std::vector<scenario::Problem>& problems);

  std::string folder_;
  std::string file_;        // the one being read; empty: none yet
  zk::Zxid file_zxid_ = 0;  // in its name
  uint64_t offset_ = 0;
  std::vector<zk::Zxid> zxids_;  // ascending
  size_t before_file_ = 0;       // how many of them are in earlier files
};

/// Which transactions of an ensemble are committed: those that a majority of the servers with a vote has in its
/// logs, and what stands before one of these in the same log. A proposal that a deposed leader has logged alone
/// is none, and its log loses it when it finds the new leader.
class CommittedTxns {
 public:
  /// Observers, by server, have no vote; those that are not named have one.
  explicit CommittedTxns(const std::vector<std::string>& log_folders, std::vector<bool> observers = {});

  [[nodiscard]] std::vector<scenario::Problem> poll(std::vector<Txn>& out);
  /// The last zxid in the log of server `index`.
  zk::Zxid last_zxid(size_t index) const { return servers_[index].log.last(); }
  /// The last that is committed.
  zk::Zxid committed() const { return committed_; }
  size_t servers() const { return servers_.size(); }

 private:
  struct Server {
    TxnLog log;
    bool votes = true;
    bool has(zk::Zxid zxid) const;
  };
  bool has_majority(zk::Zxid zxid) const;
  bool stands_before(zk::Zxid zxid, zk::Zxid later) const;

  std::vector<Server> servers_;
  std::map<zk::Zxid, Txn> waiting_;  // logged by somebody, perhaps in vain
  zk::Zxid committed_ = 0;
};

}  // namespace lockstep::live
