// Our own servers as an ensemble: what flows between them flows through us, and can be stopped.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "catch.h"
#include "live/folder.h"
#include "live/monotonic.h"
#include "live/servers.h"
#include "scenarios.h"

using namespace lockstep;
using namespace lockstep::live_tests;

namespace {

/// True as soon as `condition` holds.
template <class Condition>
bool soon(Condition condition) {
  for (int i = 0; i < 1000; ++i) {
    if (condition()) return true;
    usleep(20000);
  }
  return false;
}

int leader_of(live::Servers& servers) {
  for (int i = 0; i < servers.count(); ++i) {
    if (!servers.crashed(i) && live::mode_of(servers.address(i)) == "leader") return i;
  }
  return -1;
}

std::set<std::string> sockets_of(pid_t pid) {
  std::set<std::string> inodes;
  std::error_code error;
  for (const auto& entry :
       std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/fd", error)) {
    const std::string target = std::filesystem::read_symlink(entry.path(), error).string();
    if (target.starts_with("socket:[")) inodes.insert(target.substr(8, target.size() - 9));
  }
  return inodes;
}

/// Connections from one of the servers straight to another: to a port where another one listens.
int around_us(const live::Servers& servers) {
  std::set<int> listening;  // every port of a server is one of its own choosing or ours
  std::set<std::string> theirs;
  for (int i = 0; i < servers.count(); ++i) theirs.merge(sockets_of(servers.pid(i)));
  std::vector<std::pair<int, std::string>> established;  // the far port, and whose socket
  std::ifstream table("/proc/net/tcp", std::ios::binary);
  std::string line;
  std::getline(table, line);
  while (std::getline(table, line)) {
    std::istringstream in(line);
    std::string number, near, far, state, skip, inode;
    in >> number >> near >> far >> state >> skip >> skip >> skip >> skip >> skip >> inode;
    const auto port = [](const std::string& end) { return std::stoi(end.substr(9), nullptr, 16); };
    if (theirs.count(inode) == 0) continue;
    if (state == "0A") listening.insert(port(near));
    if (state == "01") established.emplace_back(port(far), inode);
  }
  int count = 0;
  for (const auto& [port, inode] : established) count += listening.count(port) > 0 ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("an election's greeting loses its address, and nothing else", "[live]") {
  const std::string version("\xff\xff\xff\xff\xff\xff\x00\x00", 8);
  const std::string number("\0\0\0\0\0\0\0\3", 8);
  std::string whole = version + number + std::string("\0\0\0\x04", 4) + "a:12" + "rest";
  for (size_t size = 0; size < 24; ++size) {
    std::string part = whole.substr(0, size);
    CHECK_FALSE(live::forget_address(part));
    CHECK(part == whole.substr(0, size));
  }
  REQUIRE(live::forget_address(whole));
  CHECK(whole == number + "rest");
  std::string old = number;
  REQUIRE(live::forget_address(old));
  CHECK(old == number);
}

TEST_CASE("servers reach each other through us only, also after a crash and a restart", "[live]") {
  const Scratch scratch;
  auto folder = live::Folder::make();
  REQUIRE(folder.ok());
  auto started = live::Servers::start(
      {.count = 3, .tick_us = 250 * kMillisecond, .folder = folder.value().path()});
  REQUIRE(started.ok());
  live::Servers& servers = started.value();
  CHECK(around_us(servers) == 0);
  const int first = leader_of(servers);
  REQUIRE(first >= 0);
  REQUIRE(servers.crash(first));
  CHECK_FALSE(servers.has_ended(first));
  CHECK(soon([&] { return leader_of(servers) >= 0; }));
  CHECK(around_us(servers) == 0);
  REQUIRE(servers.restart(first));
  CHECK(soon([&] { return live::mode_of(servers.address(first)) == "follower"; }));
  CHECK(around_us(servers) == 0);
}

TEST_CASE("a leader that hears nobody steps down, and the others elect another", "[live]") {
  const Scratch scratch;
  auto folder = live::Folder::make();
  REQUIRE(folder.ok());
  auto started = live::Servers::start({.count = 3,
                                       .tick_us = 250 * kMillisecond,
                                       .sync_limit = 4,
                                       .folder = folder.value().path()});
  REQUIRE(started.ok());
  live::Servers& servers = started.value();
  const auto first = static_cast<size_t>(leader_of(servers));
  for (size_t other = 0; other < 3; ++other) {
    if (other != first) servers.links()->set_cut(other, first, true);
  }
  const auto other_leads = [&] {
    for (size_t i = 0; i < 3; ++i) {
      if (i != first && live::mode_of(servers.address(static_cast<int>(i))) == "leader") return true;
    }
    return false;
  };
  CHECK(soon(other_leads));
  CHECK(soon([&] { return live::mode_of(servers.address(static_cast<int>(first))).empty(); }));
  for (size_t other = 0; other < 3; ++other) {
    if (other != first) servers.links()->set_cut(other, first, false);
  }
  CHECK(soon([&] { return live::mode_of(servers.address(static_cast<int>(first))) == "follower"; }));
  CHECK(around_us(servers) == 0);
}
