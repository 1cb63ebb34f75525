// Beyond the largest sequence number. Expected values: zookeeper.md A1, measured on a 3.8.0 server whose counter
// had been brought there; the documentation of ZooKeeper, which 3.5 still agreed with.
#include <limits>

#include "catch.h"
#include "desk.h"
#include "sim/resolve.h"

using namespace lockstep;
using toy::Bench;
using zk::CreateMode;
using zk::Error;
using zk::Op;
using zk::Request;

namespace {

constexpr int32_t kLargest = std::numeric_limits<int32_t>::max();

/// A tree in which "/p" has had almost as many children as can be counted.
class Tree {
 public:
  explicit Tree(int32_t creates, bool numbers_go_on = false) : tree(numbers_go_on) {
    create("/p", CreateMode::kPersistent);
    tree.count_creates("/p", creates);
  }

  std::string create(const std::string& path, CreateMode mode = CreateMode::kPersistentSequential) {
    return write({.op = Op::kCreate, .path = path, .mode = mode}).path;
  }
  sim::Resolved write(const Request& request) {
    sim::Resolved resolved = sim::resolve(tree, request, {});
    ++zxid;
    for (const sim::Change& change : resolved.changes) tree.apply(change, {.zxid = zxid});
    return resolved;
  }

  sim::DataTree tree;
  zk::Zxid zxid = 0;
};

}  // namespace

TEST_CASE("the counter sticks at the largest number: the same name is taken, another has the same number") {
  Tree t(kLargest - 1);
  CHECK(t.create("/p/a-") == "/p/a-2147483646");
  CHECK(t.tree.stat_of("/p").pzxid == t.zxid);
  const zk::Zxid last = t.zxid;
  CHECK(t.create("/p/a-") == "/p/a-2147483647");
  const Request again{.op = Op::kCreate, .path = "/p/a-", .mode = CreateMode::kPersistentSequential};
  CHECK(t.write(again).error == Error::kNodeExists);
  CHECK(t.create("/p/b-") == "/p/b-2147483647");
  CHECK(t.tree.stat_of("/p").pzxid == last);  // moves no more with creates
  CHECK(t.tree.stat_of("/p").num_children == 3);
  t.write({.op = Op::kDelete, .path = "/p/b-2147483647"});
  CHECK(t.tree.stat_of("/p").pzxid == t.zxid);
  CHECK(t.create("/p/b-") == "/p/b-2147483647");
}

TEST_CASE("what clients see as cversion turns negative at half of it") {
  Tree t(1 << 30);
  CHECK(t.tree.stat_of("/p").cversion == std::numeric_limits<int32_t>::min());
  t.create("/p/a-");
  CHECK(t.tree.stat_of("/p").cversion == std::numeric_limits<int32_t>::min() + 1);
}

TEST_CASE("creates inside one multi go on into negatives, and afterwards the counter is where it was") {
  Tree t(kLargest);
  const Request numbered{.op = Op::kCreate, .path = "/p/n-", .mode = CreateMode::kPersistentSequential};
  const sim::Resolved resolved = t.write({.op = Op::kMulti, .ops = {numbered, numbered, numbered}});
  REQUIRE(resolved.error == Error::kOk);
  CHECK(resolved.changes[0].path == "/p/n-2147483647");
  CHECK(resolved.changes[1].path == "/p/n--2147483648");  // eleven characters
  CHECK(resolved.changes[2].path == "/p/n--2147483647");
  CHECK(t.create("/p/m-") == "/p/m-2147483647");
}

TEST_CASE("as documented, numbers go on into negatives") {
  Tree t(kLargest, true);
  CHECK(t.create("/p/a-") == "/p/a-2147483647");
  CHECK(t.create("/p/a-") == "/p/a--2147483648");
  CHECK(t.tree.stat_of("/p").pzxid == t.zxid);
  CHECK(t.create("/p/a-") == "/p/a--2147483647");
  t.tree.count_creates("/p", -1);
  CHECK(t.create("/p/a-") == "/p/a--000000001");  // the sign counts in the width
  CHECK(t.create("/p/a-") == "/p/a-0000000000");
}

TEST_CASE("a scenario says where the lock's numbers start, and which rule they follow") {
  for (const bool documented : {false, true}) {
    for (const size_t servers : {1u, 3u}) {
      scenario::Scenario scenario = toy::clients(2);
      scenario.servers.resize(servers);
      for (size_t i = 0; i < servers; ++i) scenario.servers[i].id = "zk" + std::to_string(i + 1);
      scenario.sequence_start = kLargest;
      if (documented) scenario.sequence_overflow = scenario::SequenceOverflow::kAsDocumented;
      Bench bench(scenario);
      REQUIRE(bench.run_while_not([&] { return !bench.client("B").node.empty(); }));
      CHECK(bench.client("A").node.ends_with("-2147483647"));
      CHECK(bench.client("B").node.ends_with(documented ? "--2147483648" : "-2147483647"));
    }
  }
}
