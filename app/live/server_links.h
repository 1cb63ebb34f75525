// The network between our own servers: each reaches each other one through relays, one for the quorum port and
// one for the election port of every ordered pair, so that what flows from one server to another can be cut or
// held in one direction, whichever of the two has opened the connection.
//
// A server that begins an election connection tells its own address, and the other one may connect back to
// it, around our relays (QuorumCnxManager.handleConnection). So the greeting is made one of those that servers
// before 3.5 sent, with a number and no address: then the other looks into its own zoo.cfg, which names a relay.
//
// The relays have a thread of their own: servers talk to each other also while we wait for them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lockstep::live {

/// The two ports at which servers listen for each other.
struct PeerPorts {
  uint16_t quorum = 0;
  uint16_t election = 0;
};

class ServerLinks {
 public:
  /// Between servers that listen at `real` ports of 127.0.0.1. Servers are numbers from 0.
  explicit ServerLinks(const std::vector<PeerPorts>& real);
  ~ServerLinks();
  ServerLinks(const ServerLinks&) = delete;
  ServerLinks& operator=(const ServerLinks&) = delete;

  /// False if there were no free ports.
  bool ok() const;
  /// Where `from` reaches `to`.
  PeerPorts ports(size_t from, size_t to) const;

  // ---- Of what flows from one to the other; for one thread -----------------------------------------
  void set_cut(size_t from, size_t to, bool cut);
  void set_held(size_t from, size_t to, bool held);
  /// Lets what waits pass; false if nothing waits.
  bool deliver(size_t from, size_t to);
  bool cut(size_t from, size_t to) const;
  bool held(size_t from, size_t to) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Takes the sender's address out of the greeting of an election connection; see above. False: it is not whole
/// yet.
bool forget_address(std::string& greeting);

}  // namespace lockstep::live
