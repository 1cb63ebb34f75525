// Local ZooKeeper servers from Debian's jars, for as long as this object lives: one alone, or an ensemble.
// They listen on free ports of 127.0.0.1 only and keep everything in the given folder. Servers of an ensemble
// reach each other through relays; see ServerLinks.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "live/process.h"
#include "live/server_links.h"
#include "live/sockets.h"
#include "scenario/problem.h"

namespace lockstep::live {

constexpr int kServersMax = 5;

struct ServersOptions {
  int count = 1;  ///< 1..kServersMax
  TimeUs tick_us = 500 * kMillisecond;
  int32_t init_limit = 20;  ///< ticks; and so is the next
  int32_t sync_limit = 10;
  std::vector<bool> observers = {};  ///< by server; those that it does not name are none
  std::string folder = {};  ///< exists, and is removed by somebody else
  std::string jars = "/usr/share/java";
  std::string java = {};                       ///< empty: the one on PATH
  TimeUs patience_us = 60 * kSecond;           ///< how long they may take until they serve
  const std::atomic<bool>* give_up = nullptr;  ///< becomes true when nobody wants them any more
};

class Servers {
 public:
  Servers() = default;
  /// Returns when all serve and, if several, have elected a leader. Retries with other ports if somebody
  /// took one meanwhile.
  static scenario::Result<Servers> start(const ServersOptions& options);
  /// Stops them.
  ~Servers();
  Servers(Servers&&) noexcept = default;
  Servers& operator=(Servers&&) noexcept = default;

  int count() const { return static_cast<int>(servers_.size()); }
  /// The client port of server `index`, from 0.
  const Address& address(int index) const { return servers_[static_cast<size_t>(index)].client; }
  /// "127.0.0.1:41234,127.0.0.1:41235"
  std::string connect_string() const;
  /// Where server `index` keeps its transaction logs.
  std::string log_folder(int index) const;
  pid_t pid(int index) const { return servers_[static_cast<size_t>(index)].process.pid(); }
  bool observes(int index) const { return servers_[static_cast<size_t>(index)].observer; }
  /// True if server `index` is no longer running, though nobody has crashed it.
  bool has_ended(int index);
  void stop();

  // ---- Interfering; false: it is not in a state for that -------------------------------------------
  bool pause(int index);    ///< SIGSTOP
  bool resume(int index);   ///< SIGCONT
  bool crash(int index);    ///< SIGKILL
  bool restart(int index);  ///< in the same folder, on the same ports; does not wait until it serves
  bool crashed(int index) const { return servers_[static_cast<size_t>(index)].crashed; }
  bool paused(int index) const { return servers_[static_cast<size_t>(index)].paused; }
  /// The network between them; nullptr: one has none.
  ServerLinks* links() { return links_.get(); }

 private:
  struct Server {
    Address client;
    PeerPorts peers;
    bool observer = false;
    std::string folder;
    bool crashed = false;
    bool paused = false;
    Process process;
  };

  void choose_ports(const ServersOptions& options);
  std::vector<scenario::Problem> configure(const ServersOptions& options);
  std::vector<scenario::Problem> write_folder(const ServersOptions& options, size_t index);
  std::string ensemble_as_seen_by(size_t index) const;
  std::vector<scenario::Problem> launch(const ServersOptions& options);
  std::vector<scenario::Problem> launch_one(Server& server);
  std::vector<scenario::Problem> wait_until_serving(const ServersOptions& options);

  std::string java_;
  std::string jars_;
  std::unique_ptr<ServerLinks> links_;
  std::vector<Server> servers_;
};

/// What a server calls itself in answer to `srvr`: "standalone", "leader", "follower"; empty: not serving.
std::string mode_of(const Address& server, TimeUs patience_us = 2 * kSecond);

}  // namespace lockstep::live
