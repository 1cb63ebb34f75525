// The transaction log of a real server, read while it grows.
#include <unistd.h>

#include <filesystem>
#include <fstream>

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
