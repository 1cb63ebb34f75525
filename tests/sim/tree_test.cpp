// Expected values are those of ZooKeeper 3.8 (zookeeper.md A1, A2).
#include "sim/tree.h"

#include "catch.h"
#include "sim/database.h"
#include "sim/resolve.h"

using namespace lockstep;
using zk::CreateMode;
using zk::Error;
using zk::Op;

namespace {

class Tree {
 public:
  Error create(const std::string& path, CreateMode mode = CreateMode::kPersistent, zk::SessionId session = 1) {
    return write({.op = Op::kCreate, .path = path, .mode = mode}, session);
  }
  Error remove(const std::string& path, int32_t version = -1) {
    return write({.op = Op::kDelete, .path = path, .version = version});
  }
  Error set(const std::string& path, const std::string& data, int32_t version = -1) {
    return write({.op = Op::kSetData, .path = path, .data = data, .version = version});
  }
  Error write(const zk::Request& request, zk::SessionId session = 1) {
    sim::Txn txn{.kind = sim::TxnKind::kWrite, .zxid = ++database.zxid, .request = request};
    sim::Resolved resolved = sim::resolve(tree, request, {.session = session});
    txn.time_us = txn.zxid * 1000;
    name = txn.path = resolved.path;
    txn.changes = std::move(resolved.changes);
    txn.error = resolved.error;
    if (txn.error != Error::kOk) txn.kind = sim::TxnKind::kError;
    reply = sim::apply(database, txn, session).reply;
    return reply.error;
  }

  sim::Database database;
  sim::DataTree& tree = database.tree;
  std::string name;  // of the last create
  zk::Reply reply;   // to the last write
};

}  // namespace

TEST_CASE("a sequence number counts the creates under its parent, of any kind and name") {
  Tree t;
  REQUIRE(t.create("/p") == Error::kOk);
  REQUIRE(t.create("/p/a-", CreateMode::kEphemeralSequential) == Error::kOk);
  CHECK(t.name == "/p/a-0000000000");
  REQUIRE(t.create("/p/plain") == Error::kOk);
  REQUIRE(t.remove("/p/plain") == Error::kOk);  // a delete does not take the number back
  REQUIRE(t.create("/p/plain/x") == Error::kNoNode);  // a failed create uses none
  REQUIRE(t.create("/p/a-", CreateMode::kEphemeralSequential) == Error::kOk);
  CHECK(t.name == "/p/a-0000000002");
  REQUIRE(t.create("/p/other-", CreateMode::kPersistentSequential) == Error::kOk);
  CHECK(t.name == "/p/other-0000000003");
}

TEST_CASE("a parent made again counts from zero, while czxids go on rising") {
  Tree t;
  t.create("/p");
  t.create("/p/a-", CreateMode::kEphemeralSequential);
  const zk::Zxid first = t.tree.stat_of(t.name).czxid;
  t.remove("/p/a-0000000000");
  t.remove("/p");
  t.create("/p");
  t.create("/p/a-", CreateMode::kEphemeralSequential);
  CHECK(t.name == "/p/a-0000000000");
  CHECK(t.tree.stat_of(t.name).czxid > first);
}

TEST_CASE("a Stat is what a client sees") {
  Tree t;
  t.create("/p");                                     // zxid 1
  t.create("/p/e", CreateMode::kEphemeral, 0x77);     // zxid 2
  t.create("/p/q");                                   // zxid 3
  t.set("/p", "hello");                               // zxid 4
  t.remove("/p/q");                                   // zxid 5
  const zk::Stat parent = t.tree.stat_of("/p");
  CHECK(parent.czxid == 1);
  CHECK(parent.mzxid == 4);
  CHECK(parent.pzxid == 5);
  CHECK(parent.version == 1);
  CHECK(parent.cversion == 3);  // two creates and one delete
  CHECK(parent.num_children == 1);
  CHECK(parent.data_length == 5);
  CHECK(parent.ephemeral_owner == 0);
  CHECK(parent.ctime == 1);
  CHECK(parent.mtime == 4);
  CHECK(t.tree.stat_of("/p/e").ephemeral_owner == 0x77);
}

TEST_CASE("errors come in the server's order") {
  Tree t;
  t.create("/p");
  t.create("/p/c");
  t.create("/p/e", CreateMode::kEphemeral);
  CHECK(t.create("relative") == Error::kBadArguments);
  CHECK(t.create("/p/") == Error::kBadArguments);
  CHECK(t.create("/p//x") == Error::kNoNode);  // a parent "/p/" is looked for first
  CHECK(t.create("/no/\x7f") == Error::kNoNode);
  CHECK(t.create("/p/\x7f") == Error::kBadArguments);
  CHECK(t.create("/") == Error::kNodeExists);
  CHECK(t.remove("/") == Error::kBadArguments);
  CHECK(t.remove("/p/\x7f") == Error::kNoNode);  // a delete looks at no more than the slash
  CHECK(t.set("/p/\x7f", "") == Error::kBadArguments);
  CHECK(t.create("/no/x") == Error::kNoNode);
  CHECK(t.create("/p/c") == Error::kNodeExists);
  CHECK(t.create("/p/e/x") == Error::kNoChildrenForEphemerals);
  CHECK(t.remove("/p/no") == Error::kNoNode);
  CHECK(t.remove("/p", 7) == Error::kBadVersion);  // beats NotEmpty
  CHECK(t.remove("/p") == Error::kNotEmpty);
  CHECK(t.set("/p/no", "") == Error::kNoNode);
  CHECK(t.set("/p", "", 3) == Error::kBadVersion);
  CHECK(t.set("/p", "x", 0) == Error::kOk);
  CHECK(t.set("/p", "x", 1) == Error::kOk);
}

TEST_CASE("children are listed in an order that tells nothing, and the oldest is known") {
  Tree t;
  t.create("/p");
  std::vector<std::string> made;
  for (int i = 0; i < 20; ++i) {
    t.create("/p/n-", CreateMode::kEphemeralSequential);
    made.emplace_back(zk::name_in(t.name));
  }
  const Names& names = t.tree.children_of("/p");
  std::vector<std::string> listed(names.begin(), names.end());
  CHECK(listed != made);
  std::sort(listed.begin(), listed.end());
  CHECK(listed == made);
  CHECK(t.tree.oldest_child("/p") == made.front());
}

TEST_CASE("the ephemerals of a session are known until they are gone") {
  Tree t;
  t.create("/p");
  t.create("/p/a", CreateMode::kEphemeral, 5);
  t.create("/p/b", CreateMode::kEphemeral, 5);
  t.create("/p/c", CreateMode::kEphemeral, 6);
  CHECK(t.tree.ephemerals_of(5) == std::vector<std::string>{"/p/a", "/p/b"});
  t.remove("/p/a");
  CHECK(t.tree.ephemerals_of(5) == std::vector<std::string>{"/p/b"});
}
