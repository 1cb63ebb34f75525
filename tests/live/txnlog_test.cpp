// The transaction log of a real server, read while it grows.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "catch.h"
#include "live/ensemble.h"
#include "live/folder.h"
#include "live/servers.h"
#include "live/truth.h"
#include "live/txnlog.h"
#include "scenarios.h"

using namespace lockstep;
using namespace lockstep::live;
using namespace lockstep::live_tests;

namespace {

zk::Reply ask(ZookeeperSession& session, const zk::Request& request) {
  zk::Reply reply;
  REQUIRE(call(session, request, 10 * kSecond, reply));
  return reply;
}

std::string only_file_in(const std::string& folder) {
  std::string path;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().filename().string().starts_with("log.")) path = entry.path();
  }
  return path;
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string big_endian(uint64_t number, int bytes) {
  std::string text;
  for (int i = bytes; i-- > 0;) text += static_cast<char>(number >> (8 * i) & 0xff);
  return text;
}

/// A record of a log: session `zxid` is created by a transaction of that number.
std::string record_of(zk::Zxid zxid) {
  const auto number = static_cast<uint64_t>(zxid);
  const std::string body = big_endian(number, 8) + big_endian(0, 4) + big_endian(number, 8) +
                           big_endian(0, 8) + big_endian(static_cast<uint32_t>(-10), 4) +
                           big_endian(4000, 4);
  uint32_t a = 1;
  uint32_t b = 0;
  for (const char c : body) {
    a = (a + static_cast<unsigned char>(c)) % 65521;
    b = (b + a) % 65521;
  }
  return big_endian(b << 16 | a, 8) + big_endian(body.size(), 4) + body + "B";
}

/// The folders of three servers, whose logs one writes by hand.
class ThreeLogs {
 public:
  std::vector<std::string> folders() const {
    std::vector<std::string> all;
    for (const char* name : {"/1", "/2", "/3"}) all.push_back(scratch_.path() + name);
    return all;
  }
  /// Writes a file of server `index`'s log anew.
  void write(size_t index, zk::Zxid first, const std::vector<zk::Zxid>& zxids) const {
    std::filesystem::create_directories(folders()[index]);
    std::ostringstream name;
    name << folders()[index] << "/log." << std::hex << first;
    std::ofstream file(name.str(), std::ios::binary);
    file << "ZKLG" << big_endian(2, 4) << big_endian(0, 8);
    for (const zk::Zxid zxid : zxids) file << record_of(zxid);
  }

 private:
  Scratch scratch_;
};

std::vector<zk::Zxid> told(CommittedTxns& committed) {
  std::vector<Txn> txns;
  REQUIRE(committed.poll(txns).empty());
  std::vector<zk::Zxid> zxids;
  for (const Txn& txn : txns) zxids.push_back(txn.zxid);
  return zxids;
}

constexpr zk::Zxid kEpoch1 = zk::Zxid{1} << 32;
constexpr zk::Zxid kEpoch2 = zk::Zxid{2} << 32;

}  // namespace

TEST_CASE("a real log tells what was done, in order, and who did it", "[live]") {
  const Scratch scratch;
  auto folder = Folder::make();
  REQUIRE(folder.ok());
  auto servers = Servers::start({.tick_us = 250 * kMillisecond, .folder = folder.value().path()});
  REQUIRE(servers.ok());
  const std::string log_folder = servers.value().log_folder(0);
  zk::Reply created;
  {
    ZookeeperSession session(
        {.connect = servers.value().connect_string(), .timeout_us = 2 * kSecond});
    REQUIRE(session.open().empty());
    ask(session, {.op = zk::Op::kCreate, .path = "/a", .data = "one"});
    created =
        ask(session,
            {.op = zk::Op::kCreate, .path = "/a/n-", .mode = zk::CreateMode::kEphemeralSequential});
    ask(session, {.op = zk::Op::kSetData, .path = "/a", .data = "three"});
    CHECK(ask(session, {.op = zk::Op::kDelete, .path = "/none"}).error == zk::Error::kNoNode);
    ask(session, {.op = zk::Op::kCreate, .path = "/b"});
    ask(session, {.op = zk::Op::kDelete, .path = "/b"});
    const zk::Reply stat = ask(session, {.op = zk::Op::kExists, .path = "/a"});

    std::vector<Txn> txns;
    TxnLog log(log_folder);
    REQUIRE(log.poll(txns).empty());
    std::vector<TxnKind> kinds;
    Truth truth;
    for (const Txn& txn : txns) {
      kinds.push_back(txn.kind);
      CHECK(txn.zxid == static_cast<zk::Zxid>(kinds.size()));  // A new server counts from 1.
      truth.apply(txn);
    }
    CHECK(kinds == std::vector<TxnKind>{TxnKind::kCreateSession, TxnKind::kCreate, TxnKind::kCreate,
                                        TxnKind::kSetData, TxnKind::kError, TxnKind::kCreate,
                                        TxnKind::kDelete});
    CHECK(txns[0].timeout_ms == 2000);
    CHECK(txns[2].path == "/a/n-0000000000");
    CHECK(txns[2].ephemeral);
    CHECK(txns[2].session == created.stat.ephemeral_owner);
    CHECK(txns[2].zxid == created.stat.czxid);
    CHECK(txns[4].error == zk::Error::kNoNode);
    // The mirrored tree has the Stats that the server itself reports.
    CHECK(truth.stat_of("/a") == stat.stat);
    CHECK(truth.stat_of("/a/n-0000000000") == created.stat);
    CHECK_FALSE(truth.has("/b"));

    // Cut anywhere, the log gives the transactions that are whole, and complains of nothing.
    const std::string bytes = bytes_of(only_file_in(log_folder));
    const std::string copy = scratch.path() + "/cut";
    std::filesystem::create_directory(copy);
    size_t whole = 0;
    for (size_t size = 0; size <= 600; size += 7) {
      std::ofstream(copy + "/log.1", std::ios::binary) << bytes.substr(0, size);
      std::vector<Txn> some;
      CHECK(TxnLog(copy).poll(some).empty());
      CHECK(some.size() >= whole);
      whole = some.size();
    }
    CHECK(whole > 0);

    // The session that is closed takes its node along; what the reader has seen it does not see again.
    session.close();
    txns.clear();
    for (int i = 0; i < 500 && txns.empty(); ++i) {
      REQUIRE(log.poll(txns).empty());
      usleep(10000);
    }
    REQUIRE(txns.size() == 1);
    CHECK(txns[0].kind == TxnKind::kCloseSession);
    CHECK(txns[0].cxid != 0);  // Asked for, so no expiry.
    CHECK(truth.apply(txns[0]).deleted == std::vector<std::string>{"/a/n-0000000000"});
  }
}

TEST_CASE("a multi is logged as its parts, and one that failed changes nothing", "[live]") {
  auto folder = Folder::make();
  REQUIRE(folder.ok());
  auto servers = Servers::start({.tick_us = 250 * kMillisecond, .folder = folder.value().path()});
  REQUIRE(servers.ok());
  ZookeeperSession session({.connect = servers.value().connect_string(), .timeout_us = 2 * kSecond});
  REQUIRE(session.open().empty());
  const zk::Request create = {.op = zk::Op::kCreate, .path = "/a", .data = "one"};
  const zk::Request set = {.op = zk::Op::kSetData, .path = "/a", .data = "three", .version = 0};
  const zk::Request check = {.op = zk::Op::kCheck, .path = "/a", .version = 1};
  const zk::Request again = {.op = zk::Op::kDelete, .path = "/a", .version = 7};
  CHECK(ask(session, {.op = zk::Op::kMulti, .ops = {create, set, check}}).error == zk::Error::kOk);
  const zk::Request other = {.op = zk::Op::kCreate, .path = "/b"};
  CHECK(ask(session, {.op = zk::Op::kMulti, .ops = {other, again, other}}).error == zk::Error::kBadVersion);
  const zk::Reply stat = ask(session, {.op = zk::Op::kExists, .path = "/a"});

  std::vector<Txn> txns;
  TxnLog log(servers.value().log_folder(0));
  REQUIRE(log.poll(txns).empty());
  REQUIRE(txns.size() == 3);
  CHECK(txns[1].parts.size() == 3);
  CHECK(txns[2].kind == TxnKind::kError);
  CHECK(txns[2].error == zk::Error::kBadVersion);
  Truth truth;
  for (const Txn& txn : txns) truth.apply(txn);
  CHECK(truth.stat_of("/a") == stat.stat);
  CHECK_FALSE(truth.has("/b"));
}

TEST_CASE("a file that is no log is refused", "[live]") {
  const Scratch scratch;
  std::ofstream(scratch.path() + "/log.1", std::ios::binary) << "this is no log of ZooKeeper";
  std::vector<Txn> txns;
  const auto problems = TxnLog(scratch.path()).poll(txns);
  REQUIRE(problems.size() == 1);
  CHECK(problems.front().file == scratch.path() + "/log.1");
}

TEST_CASE("committed is what a majority has logged", "[live]") {
  // Three empty folders: nothing is logged, nothing committed, nothing wrong.
  const Scratch scratch;
  CommittedTxns none({scratch.path() + "/1", scratch.path() + "/2", scratch.path() + "/3"});
  std::vector<Txn> txns;
  CHECK(none.poll(txns).empty());
  CHECK(txns.empty());
}

TEST_CASE("what a deposed leader has logged alone is never told", "[live]") {
  const ThreeLogs logs;
  CommittedTxns committed(logs.folders());
  logs.write(0, kEpoch1 + 1, {kEpoch1 + 1, kEpoch1 + 2, kEpoch1 + 3});
  CHECK(told(committed).empty());
  for (const size_t other : {1u, 2u}) logs.write(other, kEpoch1 + 1, {kEpoch1 + 1, kEpoch1 + 2});
  CHECK(told(committed) == std::vector<zk::Zxid>{kEpoch1 + 1, kEpoch1 + 2});
  CHECK(committed.last_zxid(0) == kEpoch1 + 3);
  // The others elect a leader and go on.
  for (const size_t other : {1u, 2u}) logs.write(other, kEpoch2 + 1, {kEpoch2 + 1});
  CHECK(told(committed) == std::vector<zk::Zxid>{kEpoch2 + 1});
  // It comes back: its log loses what was in vain, and takes up the rest.
  logs.write(0, kEpoch1 + 1, {kEpoch1 + 1, kEpoch1 + 2});
  CHECK(told(committed).empty());
  CHECK(committed.last_zxid(0) == kEpoch1 + 2);
  logs.write(0, kEpoch2 + 1, {kEpoch2 + 1, kEpoch2 + 2});
  CHECK(told(committed).empty());
  logs.write(2, kEpoch2 + 1, {kEpoch2 + 1, kEpoch2 + 2});
  CHECK(told(committed) == std::vector<zk::Zxid>{kEpoch2 + 2});
  CHECK(committed.committed() == kEpoch2 + 2);
}

TEST_CASE("a proposal of a leader that was lost is committed by the next, if that has it", "[live]") {
  const ThreeLogs logs;
  CommittedTxns committed(logs.folders());
  for (const size_t one : {0u, 1u, 2u}) logs.write(one, kEpoch1 + 1, {kEpoch1 + 1});
  logs.write(0, kEpoch1 + 1, {kEpoch1 + 1, kEpoch1 + 2});
  CHECK(told(committed) == std::vector<zk::Zxid>{kEpoch1 + 1});
  logs.write(1, kEpoch1 + 1, {kEpoch1 + 1, kEpoch1 + 2});  // It has followed its leader into the next epoch.
  CHECK(told(committed) == std::vector<zk::Zxid>{kEpoch1 + 2});
}

TEST_CASE("an observer's log is no vote", "[live]") {
  const ThreeLogs logs;
  CommittedTxns committed(logs.folders(), {false, false, true});
  for (const size_t one : {0u, 2u}) logs.write(one, 1, {1});
  CHECK(told(committed).empty());
  logs.write(1, 1, {1});
  CHECK(told(committed) == std::vector<zk::Zxid>{1});
}

TEST_CASE("a file of a log that is gone is forgotten", "[live]") {
  const ThreeLogs logs;
  TxnLog log(logs.folders()[0]);
  std::vector<Txn> txns;
  logs.write(0, 1, {1, 2});
  logs.write(0, 3, {3});
  REQUIRE(log.poll(txns).empty());
  CHECK(log.zxids() == std::vector<zk::Zxid>{1, 2, 3});
  std::filesystem::remove(logs.folders()[0] + "/log.3");
  REQUIRE(log.poll(txns).empty());
  CHECK(log.zxids() == std::vector<zk::Zxid>{1, 2});
}
