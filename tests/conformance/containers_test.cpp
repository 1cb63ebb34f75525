// What a real server does with containers by its own clock, and what its clients hear of it. How soon is told to
// the server; the simulator's minute is its default.
#include <cstdlib>

#include "catch.h"
#include "live/ensemble.h"
#include "live/folder.h"
#include "live/monotonic.h"
#include "live/servers.h"

using namespace lockstep;
using zk::CreateMode;
using zk::Error;
using zk::Op;

namespace {

constexpr TimeUs kPatience = 20 * kSecond;

class Client {
 public:
  explicit Client(const std::string& connect) : session_({.connect = connect, .timeout_us = 10 * kSecond}) {
    REQUIRE(session_.open().empty());
  }
  zk::Reply ask(const zk::Request& request) {
    zk::Reply reply;
    REQUIRE(live::call(session_, request, kPatience, reply));
    return reply;
  }
  bool is_there(const std::string& path) { return ask({.op = Op::kExists, .path = path}).error == Error::kOk; }
  bool goes(const std::string& path) {
    const TimeUs until = live::monotonic_us() + kPatience;
    while (is_there(path)) {
      if (live::monotonic_us() > until) return false;
    }
    return true;
  }

 private:
  live::ZookeeperSession session_;
};

}  // namespace

TEST_CASE("a real server deletes containers that had children and have none, the inner before the outer") {
  setenv("JAVA_TOOL_OPTIONS", "-Dznode.container.checkIntervalMs=300", 1);
  auto folder = live::Folder::make();
  REQUIRE(folder.ok());
  auto servers = live::Servers::start({.folder = folder.value().path()});
  unsetenv("JAVA_TOOL_OPTIONS");
  REQUIRE(servers.ok());
  Client client(servers.value().connect_string());
  const auto create = [&](const std::string& path, CreateMode mode = CreateMode::kPersistent) {
    return client.ask({.op = Op::kCreate, .path = path, .mode = mode});
  };
  CHECK(create("/unused", CreateMode::kContainer).error == Error::kOk);
  const zk::Reply outer = create("/outer", CreateMode::kContainer);
  CHECK(outer.error == Error::kOk);
  CHECK(outer.stat.ephemeral_owner == 0);
  create("/outer/inner", CreateMode::kContainer);
  create("/outer/inner/x");
  create("/used", CreateMode::kContainer);
  create("/used/x", CreateMode::kEphemeral);
  CHECK(client.ask({.op = Op::kDelete, .path = "/outer/inner/x"}).error == Error::kOk);
  const zk::Zxid emptied = client.ask({.op = Op::kExists, .path = "/outer/inner"}).stat.pzxid;
  REQUIRE(client.goes("/outer/inner"));
  const zk::Reply kept = client.ask({.op = Op::kExists, .path = "/outer"});
  if (kept.error == Error::kOk) CHECK(kept.stat.pzxid == emptied + 1);
  REQUIRE(client.goes("/outer"));
  // Each in a transaction of its own, and nothing else has taken a zxid.
  CHECK(create("/after").stat.czxid == emptied + 3);
  CHECK(client.is_there("/unused"));
  CHECK(client.is_there("/used"));
}
