// What the machine may lack: exit code 3, and how to get it.
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include "catch.h"
#include "cli/process.h"

using namespace lockstep::cli_tests;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

TEST_CASE("without a display the window says how to get one") {
  const Scratch scratch;
  const std::string script =
      scratch.file("d.json", R"({"steps": [{"open": "lessons/L18-gc-pause.json"}]})");
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {}, {"open"}, {lesson("L18-gc-pause")}, {"drive", script}}) {
    CHECK_THAT(complaint(run(arguments), 3), Contains("no display") && Contains("xvfb-run"));
  }
}

TEST_CASE("the window refuses a file as the other commands do") {
  CHECK_THAT(complaint(run({"open", "no-such-file.json"}), 2),
             StartsWith("no-such-file.json: there is no such file"));
  CHECK_THAT(complaint(run({"drive", "no-such-file.json"}), 2),
             StartsWith("lockstep drive: no-such-file.json: there is no such file"));
}

#if LOCKSTEP_WITH_LIVE

namespace {

Outcome connecting_to(const std::string& connect) {
  Start start;
  start.arguments = {"play", lesson("L18-gc-pause"), "--backend", "live", "--connect", connect};
  start.seconds = 30;
  return run(start);
}

/// A port on which nobody listens: one that was free a moment ago.
std::string deserted_address() {
  const int listening = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  REQUIRE(bind(listening, reinterpret_cast<sockaddr*>(&address), size) == 0);
  REQUIRE(getsockname(listening, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  close(listening);
  return "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
}

}  // namespace

TEST_CASE("what only the simulator can do is refused with the place where it is asked for") {
  const Scratch scratch;
  const auto refusal = [&](const std::string& scenario, const std::vector<std::string>& more) {
    const std::string file = scratch.file("s.json", scenario);
    std::vector<std::string> arguments = {"play", file, "--backend", "live"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const std::string said = complaint(run(arguments), 2);
    REQUIRE_THAT(said, StartsWith(file + "#"));
    return said.substr(file.size() + 1);
  };
  CHECK_THAT(refusal(R"({"clients": [{"id": "A"}], "servers": ["a", "b", "c", "d", "e", "f"]})", {}),
             StartsWith("/servers: 6 servers"));
  CHECK_THAT(refusal(R"({"clients": [{"id": "A"}], "sequence_start": 7})", {}), StartsWith("/sequence_start: "));
  CHECK_THAT(refusal(R"({"clients": [{"id": "A", "server": "b"}], "servers": ["a", "b"]})", {"--servers", "1"}),
             StartsWith("/clients/0/server: names b"));
}

TEST_CASE("addresses that are none are bad input") {
  for (const std::string connect :
       {"localhost:", "localhost:0", "localhost:70000", "localhost:x", "a:1,,b:2", "http://a:1"}) {
    INFO(connect);
    CHECK_THAT(complaint(connecting_to(connect), 2),
               StartsWith("--connect") && Contains("host:port"));
  }
}

TEST_CASE("a server that cannot be reached is named") {
  const std::string address = deserted_address();
  CHECK_THAT(complaint(connecting_to(address), 3), StartsWith(address));
  CHECK_THAT(complaint(connecting_to("no-such-host.invalid:2181"), 3),
             StartsWith("no-such-host.invalid"));
}

#endif
