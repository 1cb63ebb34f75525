// Containers, and nodes with a TTL. Expected values: what a real 3.8.0 server does (tests/conformance), and its
// default of one check a minute.
#include <algorithm>

#include "catch.h"
#include "desk.h"
#include "sim/ensemble.h"
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

bool is_there(Desk& desk, const std::string& name) {
  return desk.database().tree.find(kTop + name) != nullptr;
}

/// Whatever comes due first, pings included; applications do nothing.
sim::Choice first_choice(const sim::World& world) {
  const auto all = sim::enabled(world);
  const auto is_of_application = [](const sim::Enabled& one) {
    const sim::Mover mover = one.choice.mover;
    return mover == sim::Mover::kStart || mover == sim::Mover::kInput || mover == sim::Mover::kLine;
  };
  return std::min_element(all.begin(), all.end(),
                          [&](const sim::Enabled& a, const sim::Enabled& b) {
                            return std::pair(is_of_application(a), a.due_us) <
                                   std::pair(is_of_application(b), b.due_us);
                          })
      ->choice;
}

/// Lets time go by until the server has looked for containers; false if it will not.
bool check_containers(Desk& desk) {
  const TimeUs due = sim::due_of(desk.world, sim::Mover::kServer, 0);
  while (due != sim::kNever && sim::due_of(desk.world, sim::Mover::kServer, 0) == due) {
    sim::apply(desk.world, first_choice(desk.world));
  }
  desk.settle();
  return due != sim::kNever;
}

}  // namespace

TEST_CASE("a container goes at the next full minute after its last child, and only then") {
  Desk desk(1);
  REQUIRE(desk.ask(0, create("/c", CreateMode::kContainer)).error == Error::kOk);
  CHECK(desk.database().tree.stat_of(kTop + "/c").ephemeral_owner == 0);
  CHECK_FALSE(check_containers(desk));  // never used: it stays
  REQUIRE(desk.ask(0, create("/c/e", CreateMode::kEphemeral)).error == Error::kOk);
  CHECK_FALSE(check_containers(desk));  // in use
  REQUIRE(desk.ask(0, erase("/c/e")).error == Error::kOk);
  CHECK(sim::due_of(desk.world, sim::Mover::kServer, 0) == 60 * kSecond);
  desk.ask(0, {.op = Op::kExists, .path = kTop + "/c", .watch = true});
  const zk::Zxid before = desk.database().zxid;
  REQUIRE(check_containers(desk));
  CHECK(desk.world.now_us >= 60 * kSecond);
  CHECK_FALSE(is_there(desk, "/c"));
  CHECK(desk.database().zxid == before + 1);
  CHECK(desk.database().tree.stat_of(kTop).pzxid == before + 1);
  CHECK(desk.heard_words(0) == std::vector<std::string>{"NodeDeleted " + kTop + "/c"});
  CHECK_FALSE(check_containers(desk));
}

TEST_CASE("a container inside another keeps it for one minute more, and one that is used again stays") {
  Desk desk(1);
  desk.ask(0, create("/c", CreateMode::kContainer));
  desk.ask(0, create("/c/d", CreateMode::kContainer));
  desk.ask(0, create("/c/d/x"));
  desk.ask(0, erase("/c/d/x"));
  REQUIRE(check_containers(desk));
  CHECK_FALSE(is_there(desk, "/c/d"));
  CHECK(is_there(desk, "/c"));
  desk.ask(0, create("/c/x"));
  CHECK_FALSE(check_containers(desk));
  desk.ask(0, erase("/c/x"));
  CHECK(sim::due_of(desk.world, sim::Mover::kServer, 0) == 120 * kSecond);
  REQUIRE(check_containers(desk));
  CHECK_FALSE(is_there(desk, "/c"));
}

TEST_CASE("a container is deleted whatever its parent's ACL says, and may have children that a node may not") {
  Desk desk(1);
  Request parent = create("/p");
  parent.acl = {{zk::kPermRead | zk::kPermCreate, {"world", "anyone"}}};
  desk.ask(0, parent);
  desk.ask(0, create("/p/c", CreateMode::kContainer));
  CHECK(desk.ask(0, create("/p/c/e", CreateMode::kEphemeral)).error == Error::kOk);
  CHECK(desk.ask(0, create("/p/c/e/x")).error == Error::kNoChildrenForEphemerals);
  desk.ask(0, erase("/p/c/e"));
  CHECK(desk.ask(0, erase("/p/c")).error == Error::kNoAuth);
  REQUIRE(check_containers(desk));
  CHECK_FALSE(is_there(desk, "/p/c"));
}

TEST_CASE("a container that is used again, or is none any more, is not removed") {
  sim::DataTree tree;
  const auto write = [&](const Request& request) {
    for (const sim::Change& change : sim::resolve(tree, request, {}).changes) tree.apply(change, {.zxid = 1});
  };
  CHECK(sim::resolve_container_removal(tree, "/c").error == Error::kNoNode);
  write({.op = Op::kCreate, .path = "/c", .mode = CreateMode::kContainer});
  CHECK(sim::resolve_container_removal(tree, "/c").error == Error::kOk);
  write({.op = Op::kCreate, .path = "/c/x"});
  CHECK(sim::resolve_container_removal(tree, "/c").error == Error::kNotEmpty);
  CHECK(sim::resolve_container_removal(tree, "/c/x").error == Error::kBadVersion);
}

TEST_CASE("nodes with a TTL are refused before anything else is looked at, as servers do by default") {
  Desk desk(1);
  for (const CreateMode mode : {CreateMode::kPersistentWithTtl, CreateMode::kPersistentSequentialWithTtl}) {
    Request request = create("/no/x", mode);
    request.ttl_ms = 1000;
    const zk::Zxid before = desk.database().zxid;
    CHECK(desk.ask(0, request).error == Error::kUnimplemented);
    CHECK(desk.database().zxid == before + 1);
    request.ttl_ms = 0;
    CHECK(desk.ask(0, request).error == Error::kBadArguments);  // by the library
    CHECK(desk.database().zxid == before + 1);
    request.ttl_ms = 1000;
    CHECK(desk.ask(0, {.op = Op::kMulti, .ops = {request}}).error == Error::kUnimplemented);
    CHECK(desk.database().zxid == before + 1);
  }
}

TEST_CASE("in an ensemble the leader deletes containers, and every server follows") {
  scenario::Scenario scenario = toy::clients(1);
  scenario.servers = {{"zk1"}, {"zk2"}, {"zk3"}};
  sim::World world = sim::initial_world(scenario);
  const auto create_everywhere = [&](const Request& request, zk::Zxid zxid) {
    for (sim::Database* database : {&world.servers[0].database, &world.servers[1].database,
                                    &world.servers[2].database, &world.committed}) {
      for (const sim::Change& change : sim::resolve(database->tree, request, {}).changes) {
        database->tree.apply(change, {.zxid = zxid});
      }
    }
  };
  create_everywhere({.op = Op::kCreate, .path = "/c", .mode = CreateMode::kContainer}, world.committed.zxid);
  create_everywhere({.op = Op::kCreate, .path = "/c/x"}, world.committed.zxid);
  create_everywhere({.op = Op::kDelete, .path = "/c/x"}, world.committed.zxid);
  world.servers[2].member->leading->prep = world.committed.tree;
  for (uint32_t server = 0; server < 3; ++server) sim::plan_container_check(world, server);
  CHECK(sim::container_timer(world, 0) == sim::kNever);
  REQUIRE(sim::container_timer(world, 2) == 60 * kSecond);
  while (world.now_us < 61 * kSecond) {
    sim::apply(world, first_choice(world));
    if (world.now_us < 60 * kSecond) REQUIRE(world.committed.tree.find("/c") != nullptr);
  }
  for (const sim::Server& server : world.servers) CHECK(server.database.tree.find("/c") == nullptr);
  CHECK(world.committed.tree.find("/c") == nullptr);
}
