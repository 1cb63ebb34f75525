// Several writes as one. Expected values: what a real 3.8.0 server and its C client tell (tests/conformance).
#include "catch.h"
#include "desk.h"
#include "sim/database.h"
#include "sim/resolve.h"

using namespace lockstep;
using toy::create;
using toy::Desk;
using toy::erase;
using toy::kTop;
using zk::CreateMode;
using zk::Error;
using zk::Op;
using zk::Request;

namespace {

Request set(const std::string& name, int32_t version = -1) {
  return {.op = Op::kSetData, .path = kTop + name, .data = "new", .version = version};
}
Request check(const std::string& name, int32_t version = -1) {
  return {.op = Op::kCheck, .path = kTop + name, .version = version};
}
Request multi(std::vector<Request> ops) { return {.op = Op::kMulti, .ops = std::move(ops)}; }
Request exists(const std::string& name) { return {.op = Op::kExists, .path = kTop + name, .watch = true}; }

std::vector<Error> errors_of(const zk::Reply& reply) {
  std::vector<Error> errors;
  for (const zk::OpResult& result : reply.results) errors.push_back(result.error);
  return errors;
}

}  // namespace

TEST_CASE("a multi is all or nothing, and takes one zxid either way") {
  Desk desk(1);
  const zk::Zxid before = desk.database().zxid;
  const zk::Reply done = desk.ask(0, multi({create("/a"), create("/a/b"), set("/a", 0)}));
  CHECK(done.error == Error::kOk);
  CHECK(done.results[1].path == kTop + "/a/b");
  CHECK(done.results[1].stat == zk::Stat{});  // a create inside a multi is told without one
  CHECK(done.results[2].stat.version == 1);
  CHECK(done.results[2].stat.czxid == before + 1);
  CHECK(done.results[2].stat.mzxid == before + 1);
  CHECK(desk.database().zxid == before + 1);

  const sim::DataTree tree = desk.database().tree;
  const zk::Reply failed = desk.ask(0, multi({create("/c"), erase("/a"), set("/c"), erase("/no")}));
  CHECK(failed.error == Error::kNotEmpty);
  CHECK(errors_of(failed) == std::vector<Error>{Error::kOk, Error::kNotEmpty, Error::kRuntimeInconsistency,
                                                Error::kRuntimeInconsistency});
  CHECK(failed.results[0].path.empty());
  CHECK(desk.database().tree == tree);
  CHECK(desk.database().zxid == before + 2);

  CHECK(desk.ask(0, multi({})).error == Error::kOk);
  CHECK(desk.database().zxid == before + 3);
}

TEST_CASE("the operations of a multi see each other: numbers, versions, nodes that come and go") {
  Desk desk(1);
  const auto numbered = create("/n-", CreateMode::kEphemeralSequential);
  const zk::Reply reply =
      desk.ask(0, multi({numbered, create("/x"), numbered, erase("/x"), create("/x"), create("/x/y"),
                         set("/x", 0), set("/x", 1), check("/x", 2)}));
  REQUIRE(reply.error == Error::kOk);
  CHECK(reply.results[0].path == kTop + "/n-0000000000");
  CHECK(reply.results[2].path == kTop + "/n-0000000002");
  CHECK(reply.results[6].stat.version == 1);  // as it was just then
  CHECK(reply.results[7].stat.version == 2);
  CHECK(reply.results[7].stat.num_children == 1);
  // What a failed one would have counted is forgotten.
  CHECK(desk.ask(0, multi({numbered, check("/x", 7)})).error == Error::kBadVersion);
  CHECK(desk.ask(0, numbered).path == kTop + "/n-0000000004");
  CHECK(desk.ask(0, multi({erase("/x/y"), erase("/x"), check("/x")})).error == Error::kNoNode);
}

TEST_CASE("a check is what setData asks, and changes nothing") {
  Desk desk(1);
  desk.ask(0, create("/a"));
  const zk::Stat before = desk.database().tree.stat_of(kTop + "/a");
  CHECK(desk.ask(0, multi({check("/a", 0), check("/a")})).error == Error::kOk);
  CHECK(desk.database().tree.stat_of(kTop + "/a") == before);
  CHECK(desk.ask(0, multi({check("/a", 1)})).error == Error::kBadVersion);
  CHECK(desk.ask(0, multi({check("/no", 1)})).error == Error::kNoNode);
}

TEST_CASE("the events of a multi come in the order of its operations, before the issuer's own reply") {
  Desk desk(2);
  for (const uint32_t client : {0u, 1u}) {
    desk.ask(client, exists("/b"));
    desk.ask(client, exists(""));
    desk.ask(client, {.op = Op::kGetChildren, .path = kTop, .watch = true});
  }
  desk.ask(0, multi({set(""), create("/b"), set("/b"), erase("/b")}));
  std::vector<std::string> own;
  for (const recipes::Input& input : desk.told) own.push_back(Desk::word_of(input));
  const std::vector<std::string> events = {"NodeDataChanged " + kTop, "NodeCreated " + kTop + "/b",
                                           "NodeChildrenChanged " + kTop};
  CHECK(desk.heard_words(1) == events);
  REQUIRE(own.size() == 4);
  CHECK(own.back() == "reply Ok");
}

TEST_CASE("what a library says of a multi that it cannot send, or of which it never hears") {
  Desk desk(1);
  CHECK(desk.ask(0, multi({create("/a"), create("/a/")})).error == Error::kMarshallingError);
  CHECK(desk.ask(0, multi({exists("/a")})).error == Error::kUnimplemented);
  CHECK(desk.ask(0, check("/a")).error == Error::kUnimplemented);
  const zk::Reply lost = sim::unanswered(multi({create("/a"), check("/a")}), Error::kConnectionLoss);
  CHECK(lost.error == Error::kConnectionLoss);
  CHECK(errors_of(lost) == std::vector<Error>{Error::kConnectionLoss, Error::kConnectionLoss});
}

TEST_CASE("any server that applies the same comes to the same, and would tell the same") {
  sim::Database database;
  const Request request = multi({{.op = Op::kCreate, .path = "/n-", .mode = CreateMode::kEphemeralSequential},
                                 {.op = Op::kCreate, .path = "/p"},
                                 {.op = Op::kSetData, .path = "/p", .data = "new"}});
  const sim::Txn txn{.kind = sim::TxnKind::kWrite,
                     .zxid = 1,
                     .request = request,
                     .changes = sim::resolve(database.tree, request, {.session = 7}).changes};
  CHECK(database == sim::Database{});
  sim::Database replica = database;
  CHECK(sim::apply(database, txn, 7).reply == sim::apply(replica, txn, 7).reply);
  CHECK(database == replica);
  CHECK(database.tree.find("/n-0000000000") != nullptr);
}
