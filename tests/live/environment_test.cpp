// What the machine may lack: each is named, with how to get it.
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

#include "catch.h"
#include "live/folder.h"
#include "live/monotonic.h"
#include "live/servers.h"
#include "live/sockets.h"
#include "scenarios.h"

using namespace lockstep;
using namespace lockstep::live_tests;
using Catch::Matchers::Contains;

namespace {

scenario::Problem problem_with(const live::LiveOptions& with) {
  const Scratch scratch;
  const auto trace = live::play_live(crowd({}), with);
  REQUIRE_FALSE(trace.ok());
  CHECK(scratch.left().empty());
  CHECK(children_of(getpid()).empty());
  return trace.problems().front();
}

live::LiveOptions connected_to(const std::string& connect) {
  live::LiveOptions with = options();
  with.connect = connect;
  with.answer_patience_us = kSecond;
  return with;
}

}  // namespace

TEST_CASE("a server that cannot be reached is named", "[live]") {
  const uint16_t nobody = live::free_ports(1).front();
  const std::string address = "127.0.0.1:" + std::to_string(nobody);
  const auto problem = problem_with(connected_to(address));
  CHECK(problem.kind == scenario::ProblemKind::kEnvironment);
  CHECK(problem.file == address);
  CHECK_THAT(problem.message, Contains("refused"));
}

TEST_CASE("a server that never answers is named", "[live]") {
  uint16_t port = 0;
  const live::Descriptor silent = live::listen_on_free_port(port);
  const auto problem = problem_with(connected_to("127.0.0.1:" + std::to_string(port)));
  CHECK(problem.kind == scenario::ProblemKind::kEnvironment);
  CHECK_THAT(problem.message, Contains("does not answer") && Contains("1000 ms"));
}

TEST_CASE("a server that is no ZooKeeper is named with what it said", "[live]") {
  uint16_t port = 0;
  const live::Descriptor listening = live::listen_on_free_port(port);
  std::thread stranger([&] {
    const int peer = accept(listening.get(), nullptr, nullptr);
    char request[64];
    if (recv(peer, request, sizeof request, 0) > 0)
      send(peer, "HTTP/1.1 400 Bad Request\r\n", 26, MSG_NOSIGNAL);
    close(peer);
  });
  const auto problem = problem_with(connected_to("127.0.0.1:" + std::to_string(port)));
  stranger.join();
  CHECK(problem.kind == scenario::ProblemKind::kEnvironment);
  CHECK_THAT(problem.message, Contains("no ZooKeeper") && Contains("HTTP/1.1"));
}

TEST_CASE("a server that is gone in the middle of the run is named", "[live]") {
  const Scratch scratch;
  auto folder = live::Folder::make();
  REQUIRE(folder.ok());
  auto servers = live::Servers::start({.count = 1, .folder = folder.value().path()});
  REQUIRE(servers.ok());
  scenario::Scenario scenario = crowd({.clients = 2});
  scenario.clients.front().options.job.work_us = 25 * kSecond;
  live::LiveOptions with = connected_to(servers.value().connect_string());
  with.on_event = [&](const trace::Trace& trace, int64_t index) {
    if (trace.kind_at(index) == trace::EventKind::kAcquired) servers.value().stop();
  };
  const TimeUs began = live::monotonic_us();
  const auto trace = live::play_live(scenario, with);
  CHECK(live::monotonic_us() - began < 20 * kSecond);
  REQUIRE_FALSE(trace.ok());
  CHECK(trace.problems().front().kind == scenario::ProblemKind::kEnvironment);
  CHECK(trace.problems().front().file == servers.value().connect_string());
  CHECK_THAT(trace.problems().front().message, Contains("no server answers here any more"));
}

TEST_CASE("cutting all links is no reason to think that the servers are gone", "[live]") {
  const Scratch scratch;
  auto folder = live::Folder::make();
  REQUIRE(folder.ok());
  auto servers = live::Servers::start({.count = 1, .folder = folder.value().path()});
  REQUIRE(servers.ok());
  scenario::Scenario scenario = crowd({.clients = 1});
  scenario.clients.front().options.job.work_us = 6 * kSecond;
  scenario.steps = {when("/clients/A/belief", std::string("holding"), "cut A-zk1")};
  scenario.time_max_us = 9 * kSecond;
  CHECK(live::play_live(scenario, connected_to(servers.value().connect_string())).ok());
}

TEST_CASE("addresses that are none are bad input", "[live]") {
  for (const char* text :
       {"", "host:", "host:0", "host:65536", "host:2x", "a:1,,b:2", "h:1/path"}) {
    const auto addresses = live::addresses_of(text, "--connect");
    INFO(text);
    REQUIRE_FALSE(addresses.ok());
    CHECK(addresses.problems().front().kind == scenario::ProblemKind::kInput);
    CHECK(addresses.problems().front().file == "--connect");
  }
  const auto two = live::addresses_of("[::1]:12,example.org", "--connect");
  REQUIRE(two.ok());
  CHECK(two.value() == std::vector<live::Address>{{"::1", 12}, {"example.org", 2181}});
}

TEST_CASE("missing Java and missing jars are named with their packages", "[live]") {
  live::LiveOptions with = options();
  SECTION("Java") {
    with.java = "/nowhere/java";
    const auto problem = problem_with(with);
    CHECK(problem.kind == scenario::ProblemKind::kEnvironment);
    CHECK_THAT(problem.message, Contains("apt-get install default-jre-headless"));
  }
  SECTION("jars") {
    with.jars = "/nowhere";
    const auto problem = problem_with(with);
    CHECK(problem.file == "/nowhere/zookeeper.jar");
    CHECK_THAT(problem.message, Contains("apt-get install zookeeper"));
  }
}

TEST_CASE("what cannot be started so is bad input", "[live]") {
  live::LiveOptions with = options();
  SECTION("no servers") {
    with.servers = 0;
    CHECK(problem_with(with).kind == scenario::ProblemKind::kInput);
  }
  SECTION("too many servers") {
    with.servers = 6;
    CHECK(problem_with(with).kind == scenario::ProblemKind::kInput);
  }
  SECTION("too many clients") {
    scenario::Scenario scenario = crowd({});
    scenario.clients.resize(live::kLiveClientsMax + 1);
    const auto trace = live::play_live(scenario, with);
    REQUIRE_FALSE(trace.ok());
    CHECK(trace.problems().front().kind == scenario::ProblemKind::kInput);
  }
}

TEST_CASE("what only the simulator can do is refused for real", "[live]") {
  const auto pointer_of = [](const scenario::Scenario& scenario) {
    const auto trace = live::play_live(scenario, options());
    REQUIRE_FALSE(trace.ok());
    CHECK(trace.problems().front().kind == scenario::ProblemKind::kInput);
    return trace.problems().front().pointer;
  };
  scenario::Scenario scenario = crowd({});
  scenario.sequence_start = 2147483640;
  CHECK(pointer_of(scenario) == "/sequence_start");
  scenario.sequence_start = 0;
  scenario.sequence_overflow = scenario::SequenceOverflow::kAsDocumented;
  CHECK(pointer_of(scenario) == "/sequence_overflow");
}

TEST_CASE("fewer servers than the scenario names are refused", "[live]") {
  const auto pointer_of = [](const scenario::Scenario& scenario) {
    live::LiveOptions with = options();
    with.servers = 2;
    const auto trace = live::play_live(scenario, with);
    REQUIRE_FALSE(trace.ok());
    CHECK(trace.problems().front().kind == scenario::ProblemKind::kInput);
    CHECK_THAT(trace.problems().front().message, Contains("zk3"));
    return trace.problems().front().pointer;
  };
  scenario::Scenario scenario = crowd({});
  scenario.servers = {{"zk1"}, {"zk2"}, {"zk3"}};
  scenario.clients[1].server = "zk3";
  CHECK(pointer_of(scenario) == "/clients/1/server");
  scenario.clients[1].server = "zk2";
  for (const char* action : {"crash zk3", "cut zk1>zk3", "cut zk3-zk1", "partition zk1,zk3", "cut A>zk3"}) {
    CAPTURE(action);
    scenario.steps = {{.actions = {scenario::intervention_named(action).value()}}};
    CHECK(pointer_of(scenario) == "/steps/0/do");
  }
  scenario.steps = {when("/servers/zk3/role", std::string("leading"), "pause A")};
  CHECK(pointer_of(scenario) == "/steps/0/when");
}

TEST_CASE("a folder that cannot be made is named", "[live]") {
  setenv("TMPDIR", "/nowhere", 1);
  const auto trace = live::play_live(crowd({}), options());
  unsetenv("TMPDIR");
  REQUIRE_FALSE(trace.ok());
  CHECK(trace.problems().front().kind == scenario::ProblemKind::kEnvironment);
  CHECK_THAT(trace.problems().front().message, Contains("TMPDIR"));
}

TEST_CASE("nothing is left where PATH leads nowhere", "[live]") {
  const std::string path = getenv("PATH");
  setenv("PATH", "/nowhere", 1);
  const auto problem = problem_with(options());
  setenv("PATH", path.c_str(), 1);
  CHECK_THAT(problem.message, Contains("no Java here"));
}
