#include "live/txnlog.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "live/jute.h"

namespace lockstep::live {
namespace {

using scenario::Problem;

// ZooDefs.OpCode
constexpr int32_t kOpError = -1;
constexpr int32_t kOpCreateSession = -10;
constexpr int32_t kOpCloseSession = -11;
constexpr int32_t kOpCreate = 1;
constexpr int32_t kOpDelete = 2;
constexpr int32_t kOpSetData = 5;
constexpr int32_t kOpMulti = 14;
constexpr int32_t kOpCreate2 = 15;
constexpr int32_t kOpCreateContainer = 19;
constexpr int32_t kOpDeleteContainer = 20;
constexpr int32_t kOpCreateTtl = 21;

constexpr size_t kFileHeaderBytes = 16;
constexpr size_t kRecordHeaderBytes = 12;
constexpr uint32_t kRecordBytesMax = 64u << 20;
constexpr char kRecordEnd = 'B';

uint32_t adler32(const std::string& bytes) {
  uint32_t a = 1;
  uint32_t b = 0;
  for (const char c : bytes) {
    a = (a + static_cast<unsigned char>(c)) % 65521;
    b = (b + a) % 65521;
  }
  return (b << 16) | a;
}

void skip_acl(JuteReader& in) {
  const int32_t entries = in.count();
  for (int32_t i = 0; i < entries; ++i) {
    in.i32();
    in.text();
    in.text();
  }
}

void read_create(JuteReader& in, int32_t op, Txn& txn) {
  txn.kind = TxnKind::kCreate;
  txn.path = in.text();
  txn.data = in.text();
  skip_acl(in);
  if (op == kOpCreate || op == kOpCreate2) txn.ephemeral = in.boolean();
  txn.parent_cversion = in.i32();
  if (op == kOpCreateTtl) in.i64();
}

void read_body(JuteReader& in, int32_t op, Txn& txn);

/// A multi of which one part failed changes nothing, though the log holds the parts before it as they would
/// have been.
void refuse_if_one_failed(Txn& txn) {
  for (const Txn& part : txn.parts) {
    if (part.kind != TxnKind::kError) continue;
    txn.kind = TxnKind::kError;
    txn.error = part.error;
    txn.parts.clear();
    return;
  }
}

/// A multi's parts, each a type and its bytes.
void read_multi(JuteReader& in, Txn& txn) {
  const int32_t count = in.count();
  for (int32_t i = 0; i < count; ++i) {
    Txn part = {.session = txn.session, .cxid = txn.cxid, .zxid = txn.zxid, .time_ms = txn.time_ms};
    const int32_t op = in.i32();
    const std::string bytes = in.text();
    JuteReader inner(bytes);
    read_body(inner, op, part);
    if (inner.ok()) txn.parts.push_back(std::move(part));
  }
  refuse_if_one_failed(txn);
}

void read_body(JuteReader& in, int32_t op, Txn& txn) {
  switch (op) {
    case kOpError:
      txn.kind = TxnKind::kError;
      txn.error = static_cast<zk::Error>(in.i32());
      return;
    case kOpCreateSession:
      txn.kind = TxnKind::kCreateSession;
      txn.timeout_ms = in.i32();
      return;
    case kOpCloseSession: {
      txn.kind = TxnKind::kCloseSession;
      if (in.at_end()) return;  // Before 3.6 it did not say.
      const int32_t count = in.count();
      for (int32_t i = 0; i < count; ++i) txn.paths.push_back(in.text());
      return;
    }
    case kOpCreate:
    case kOpCreate2:
    case kOpCreateContainer:
    case kOpCreateTtl: return read_create(in, op, txn);
    case kOpDelete:
    case kOpDeleteContainer:
      txn.kind = TxnKind::kDelete;
      txn.path = in.text();
      return;
    case kOpSetData:
      txn.kind = TxnKind::kSetData;
      txn.path = in.text();
      txn.data = in.text();
      txn.version = in.i32();
      return;
    case kOpMulti: return read_multi(in, txn);
    default: txn.kind = TxnKind::kOther; return;
  }
}

}  // namespace

bool txn_from_bytes(const std::string& body, Txn& txn) {
  JuteReader in(body);
  txn.session = in.i64();
  txn.cxid = in.i32();
  txn.zxid = in.i64();
  txn.time_ms = in.i64();
  const int32_t op = in.i32();
  if (!in.ok()) return false;
  read_body(in, op, txn);  // A digest may follow, which is not ours to check.
  return in.ok();
}

std::vector<Problem> TxnLog::poll(std::vector<Txn>& out) {
  std::vector<Problem> problems;
  forget_truncated();
  while (problems.empty()) {
    if (file_.empty() && !open_next()) return problems;
    if (offset_ == 0 && !check_file_header(problems)) return problems;
    Txn txn;
    if (read_record(txn, problems)) {
      zxids_.push_back(txn.zxid);
      out.push_back(std::move(txn));
    } else if (!problems.empty() || !open_next()) {
      return problems;  // At the end of the newest file.
    }
  }
  return problems;
}

/// Goes on to the next file, if there is one; else stays.
bool TxnLog::open_next() {
  const std::string prefix = "log.";
  std::string next;
  zk::Zxid next_zxid = 0;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder_, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix)) continue;
    const auto zxid =
        static_cast<zk::Zxid>(std::strtoull(name.c_str() + prefix.size(), nullptr, 16));
    const bool later = file_.empty() || zxid > file_zxid_;
    if (later && (next.empty() || zxid < next_zxid)) {
      next = entry.path().string();
      next_zxid = zxid;
    }
  }
  if (next.empty()) return false;
  file_ = next;
  file_zxid_ = next_zxid;
  offset_ = 0;
  before_file_ = zxids_.size();
  return true;
}


/// A learner whose log has what the leader's has not cuts its newest file, and goes on in a new one
/// (FileTxnLog.truncate).
void TxnLog::forget_truncated() {
  if (offset_ == 0) return;
  std::error_code error;
  const auto size = std::filesystem::file_size(file_, error);
  if (!error && size >= offset_) return;
  if (error) {  // It began after what is left: read all of it again.
    file_.clear();
    offset_ = 0;
    zxids_.clear();
    return;
  }
  zxids_.resize(before_file_);
  offset_ = kFileHeaderBytes;
  std::vector<Problem> problems;
  for (Txn txn; read_record(txn, problems); txn = {}) zxids_.push_back(txn.zxid);
}

bool TxnLog::check_file_header(std::vector<Problem>& problems) {
  std::string bytes(kFileHeaderBytes, '\0');
  std::ifstream file(file_, std::ios::binary);
  if (!file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) return false;
  JuteReader in(bytes);
  const int32_t magic = in.i32();
  const int32_t version = in.i32();
  if (magic == 0) return false;  // Allocated, and not written yet.
  if (magic != 0x5a4b4c47 || version != 2) {
    problems.push_back({file_, "",
                        "this is no transaction log of ZooKeeper (expected \"ZKLG\", version 2); "
                        "--connect plays without reading logs",
                        scenario::ProblemKind::kEnvironment});
    return false;
  }
  offset_ = kFileHeaderBytes;
  return true;
}

bool TxnLog::read_record(Txn& txn, std::vector<Problem>& problems) {
  std::ifstream file(file_, std::ios::binary);
  std::string head(kRecordHeaderBytes, '\0');
  file.seekg(static_cast<std::streamoff>(offset_));
  if (!file.read(head.data(), static_cast<std::streamsize>(head.size()))) return false;
  JuteReader in(head);
  const auto checksum = static_cast<uint64_t>(in.i64());
  const auto length = static_cast<uint32_t>(in.i32());
  if (length == 0 || length > kRecordBytesMax) return false;
  std::string body(length + 1, '\0');
  if (!file.read(body.data(), static_cast<std::streamsize>(body.size()))) return false;
  if (body.back() != kRecordEnd) return false;
  body.pop_back();
  if (adler32(body) != checksum) return false;
  if (!txn_from_bytes(body, txn)) {
    problems.push_back(
        {file_, "",
         "the transaction at byte " + std::to_string(offset_) + " is of no form that we know",
         scenario::ProblemKind::kEnvironment});
    return false;
  }
  offset_ += kRecordHeaderBytes + length + 1;
  return true;
}

bool CommittedTxns::Server::has(zk::Zxid zxid) const {
  return std::binary_search(log.zxids().begin(), log.zxids().end(), zxid);
}

CommittedTxns::CommittedTxns(const std::vector<std::string>& log_folders,
                             std::vector<bool> observers) {
  observers.resize(log_folders.size());
  for (size_t i = 0; i < log_folders.size(); ++i) {
    servers_.push_back({.log = TxnLog(log_folders[i]), .votes = !observers[i]});
  }
}

bool CommittedTxns::has_majority(zk::Zxid zxid) const {
  size_t voters = 0;
  size_t having = 0;
  for (const Server& server : servers_) {
    if (!server.votes) continue;
    ++voters;
    if (server.has(zxid)) ++having;
  }
  return 2 * having > voters;
}

bool CommittedTxns::stands_before(zk::Zxid zxid, zk::Zxid later) const {
  return std::any_of(servers_.begin(), servers_.end(), [&](const Server& server) {
    return server.has(zxid) && server.has(later);
  });
}

std::vector<Problem> CommittedTxns::poll(std::vector<Txn>& out) {
  for (Server& server : servers_) {
    std::vector<Txn> logged;
    std::vector<Problem> problems = server.log.poll(logged);
    if (!problems.empty()) return problems;
    for (Txn& txn : logged) {
      if (txn.zxid > committed_) waiting_.emplace(txn.zxid, std::move(txn));
    }
  }
  const auto last = std::find_if(waiting_.rbegin(), waiting_.rend(),
                                 [&](const auto& one) { return has_majority(one.first); });
  if (last == waiting_.rend()) return {};
  const zk::Zxid newest = last->first;
  while (!waiting_.empty() && waiting_.begin()->first <= newest) {
    auto first = waiting_.extract(waiting_.begin());
    if (stands_before(first.key(), newest)) out.push_back(std::move(first.mapped()));
  }
  committed_ = newest;
  return {};
}

}  // namespace lockstep::live
