// A client's session with ZooKeeper, over libzookeeper_mt.
//
// The library runs threads of its own. Its callbacks do one thing: they put what they were told, with the
// time, into a queue, and make wake() readable. The owner takes it from there, in its own thread, in the
// order in which the library told it. All other functions are the owner's to call.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "live/sockets.h"
#include "recipes/machine.h"
#include "scenario/problem.h"

namespace lockstep::live {

struct SessionOptions {
  std::string connect = {};         ///< "127.0.0.1:2181,127.0.0.1:2182"
  TimeUs timeout_us = 6 * kSecond;  ///< asked for
  /// Tries the addresses as they stand, for every session of this process; else as the library shuffles them.
  bool in_order = false;
};

/// Something that the library said.
struct SessionNews {
  TimeUs time_us = 0;         ///< CLOCK_MONOTONIC, when the callback ran
  recipes::Input input = {};  ///< ReplyArrived, WatchFired or SessionChanged
  zk::Request request = {};   ///< what a reply answers
  TimeUs timeout_us = 0;      ///< of SessionChanged to connected: as negotiated
  std::string password = {};  ///< of the same: 16 bytes
};

struct SessionInbox;

class ZookeeperSession {
 public:
  struct Connection;  // what the callbacks know

  explicit ZookeeperSession(SessionOptions options);
  /// Closes the session politely if it is connected.
  ~ZookeeperSession();
  ZookeeperSession(const ZookeeperSession&) = delete;
  ZookeeperSession& operator=(const ZookeeperSession&) = delete;

  /// Begins a new session, letting go of the one before, whose callbacks are no longer heard.
  [[nodiscard]] std::vector<scenario::Problem> open();
  void close();

  /// Sends a request; its reply comes as news. What the library refuses at once comes as news too.
  void send(const zk::Request& request);
  /// Sends a read whose answer nobody waits for. Debian's 3.8.0 can leave a read on an ensemble
  /// unanswered until another request reaches the same server (ZOOKEEPER-4537).
  void nudge();

  /// Readable while there is news.
  int wake() const;
  /// Takes the oldest news; false if there is none.
  bool take(SessionNews& news);

 private:
  SessionOptions options_;
  std::shared_ptr<SessionInbox> inbox_;
  std::unique_ptr<Connection> connection_;
};

}  // namespace lockstep::live
