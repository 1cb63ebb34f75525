// What a client library does with requests while it has no connection, and when its application is done. Expected
// values: what the C client of 3.8.0 tells (tests/conformance, zookeeper.md A7); Java: ClientCnxn.
#include "catch.h"
#include "desk.h"

using namespace lockstep;
using toy::Desk;
using toy::kTop;
using zk::Error;
using zk::Op;
using zk::Request;

namespace {

using Words = std::vector<std::string>;

Request create(const std::string& name, zk::CreateMode mode = zk::CreateMode::kEphemeral) {
  return {.op = Op::kCreate, .path = kTop + name, .mode = mode};
}
Request exists(const std::string& name) { return {.op = Op::kExists, .path = kTop + name, .watch = true}; }

void set_cut(Desk& desk, bool cut) {
  desk.world.links[sim::link_to_server(desk.world, 0, 0)].cut = cut;
}

/// Time goes by, and nothing but the library does anything, until it has told something.
Words next_words(Desk& desk) {
  while (desk.world.processes[0].inputs.empty()) sim::apply(desk.world, {.mover = sim::Mover::kIo});
  return desk.heard_words(0);
}

void set_profile(Desk& desk, scenario::Profile profile) {
  auto changed = std::make_shared<scenario::Scenario>(*desk.world.scenario);
  changed->clients[0].profile = profile;
  desk.world.scenario = std::move(changed);
}

}  // namespace

TEST_CASE("what is asked without a connection is sent once there is one, after the watches, in its order") {
  Desk desk(2);
  desk.ask(0, exists("/x"));
  desk.lose(0);
  CHECK(desk.heard_words(0) == Words{"Disconnected"});
  desk.send(0, create("/y"));
  desk.send(0, {.op = Op::kDelete, .path = kTop + "/no"});
  desk.send(1, create("/x"));
  CHECK(desk.heard(0).empty());
  desk.settle();
  const Words words = desk.heard_words(0);
  REQUIRE(words.size() == 4);
  CHECK(words[0] == "Connected");
  // Missed while away, or on time: that depends on who was first.
  CHECK(words[1] == "NodeCreated " + kTop + "/x");
  CHECK(words[2] == "reply Ok");
  CHECK(words[3] == "reply NoNode");
}

TEST_CASE("what is asked without a connection fails with the next attempt to get one, and nothing else is told") {
  for (const auto profile : {scenario::Profile::kC, scenario::Profile::kJava}) {
    Desk desk(1);
    set_profile(desk, profile);
    set_cut(desk, true);
    CHECK(next_words(desk) == Words{"Disconnected"});  // by silence
    desk.send(0, create("/y"));
    desk.send(0, {.op = Op::kMulti, .ops = {create("/y")}});
    const std::string said =
        profile == scenario::Profile::kC ? "reply OperationTimeout" : "reply ConnectionLoss";
    CHECK(next_words(desk) == Words{said, said});
    CHECK(desk.database().tree.find(kTop + "/y") == nullptr);
  }
}

TEST_CASE("an attempt that the other end breaks off fails what was asked with ConnectionLoss") {
  Desk desk(1);
  set_cut(desk, true);
  CHECK(next_words(desk) == Words{"Disconnected"});
  desk.send(0, create("/y"));
  const sim::Library& library = desk.world.processes[0].library;
  while (library.state != sim::LibraryState::kHandshake) sim::apply(desk.world, {.mover = sim::Mover::kIo});
  {
    sim::Effects effects(desk.world, nullptr, nullptr);
    effects.send(sim::link_from_server(desk.world, 0, 0),
                 {.kind = sim::PacketKind::kClose, .connection = library.connection}, trace::kNoEvent);
  }
  sim::apply(desk.world, {.mover = sim::Mover::kDeliver, .index = sim::link_from_server(desk.world, 0, 0)});
  CHECK(next_words(desk) == Words{"reply ConnectionLoss"});
}

TEST_CASE("who closes its session hears nothing more, and its nodes go with it in one transaction") {
  Desk desk(2);
  desk.ask(0, create("/e"));
  desk.ask(0, exists("/e"));
  desk.ask(1, exists("/e"));
  const zk::Zxid before = desk.database().zxid;
  {
    sim::Effects effects(desk.world, nullptr, nullptr);
    sim::close_handle(desk.world, 0, trace::kNoEvent, effects);
  }
  desk.settle();
  CHECK(desk.heard(0).empty());
  CHECK(desk.heard_words(1) == Words{"NodeDeleted " + kTop + "/e"});
  CHECK(desk.database().zxid == before + 1);
  CHECK(desk.world.sessions[0].life == trace::SessionLife::kClosed);
  CHECK_FALSE(desk.server().connections[0].open);
  CHECK(desk.ask(0, create("/e")).error == Error::kInvalidState);
}

TEST_CASE("who closes its session without a connection leaves it to time out") {
  Desk desk(1);
  desk.ask(0, create("/e"));
  set_cut(desk, true);
  CHECK(next_words(desk) == Words{"Disconnected"});
  {
    sim::Effects effects(desk.world, nullptr, nullptr);
    sim::close_handle(desk.world, 0, trace::kNoEvent, effects);
  }
  set_cut(desk, false);
  desk.settle();
  CHECK(desk.world.sessions[0].life == trace::SessionLife::kLive);
  CHECK(desk.database().tree.find(kTop + "/e") != nullptr);
}

TEST_CASE("through a follower the same is said: credentials, multis and closing go to the leader with it") {
  for (const char* server : {"zk1", "zk2", "zk3"}) {  // zk3 leads
    scenario::Scenario scenario = toy::clients(1);
    scenario.servers = {{"zk1"}, {"zk2"}, {"zk3"}};
    scenario.clients[0].server = server;
    Desk desk(scenario);
    Request credentials{.op = Op::kAddAuth};
    credentials.acl = {{.id = {"digest", "ann:one"}}};
    REQUIRE(desk.ask(0, credentials).error == Error::kOk);
    Request mine = create("/p", zk::CreateMode::kPersistent);
    mine.acl = {{.id = {"auth", ""}}};
    REQUIRE(desk.ask(0, mine).error == Error::kOk);
    const zk::Reply done = desk.ask(0, {.op = Op::kMulti, .ops = {create("/p/e"), create("/p/f")}});
    REQUIRE(done.error == Error::kOk);
    CHECK(done.results[1].path == kTop + "/p/f");
    CHECK(desk.ask(0, {.op = Op::kMulti, .ops = {create("/p/g"), create("/no/x")}}).results.size() == 2);
    {
      sim::Effects effects(desk.world, nullptr, nullptr);
      sim::close_handle(desk.world, 0, trace::kNoEvent, effects);
    }
    desk.settle();
    CHECK(desk.world.sessions[0].life == trace::SessionLife::kClosed);
    for (const sim::Server& one : desk.world.servers) {
      CHECK(one.database.tree.find(kTop + "/p") != nullptr);
      CHECK(one.database.tree.find(kTop + "/p/e") == nullptr);
      CHECK(one.database.zxid == desk.world.committed.zxid);
    }
  }
}
