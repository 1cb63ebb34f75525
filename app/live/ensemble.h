// The ZooKeeper that a run uses: our own servers, whose truth is in their logs, or somebody else's, whose
// truth is sampled.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "live/servers.h"
#include "live/truth.h"
#include "live/txnlog.h"
#include "live/zookeeper_session.h"
#include "trace/snapshot.h"

namespace lockstep::live {

/// A transaction, and when it was, by CLOCK_MONOTONIC: for a log, when the server took it up, known to the
/// millisecond; for a sample, when it was seen.
struct SeenTxn {
  TimeUs time_us = 0;
  Txn txn;
};

/// Sends a request and waits for its reply; false if none came in time.
[[nodiscard]] bool call(ZookeeperSession& session, const zk::Request& request, TimeUs patience_us,
                        zk::Reply& reply);

class Ensemble {
 public:
  virtual ~Ensemble() = default;

  /// By number, from 0; the servers are called zk1, zk2, ...
  virtual std::vector<Address> addresses() const = 0;
  /// Makes `path` with its parents, and fills in the truth as it is then.
  [[nodiscard]] virtual std::vector<scenario::Problem> prepare(const std::string& path,
                                                               Truth& truth) = 0;
  /// What has happened since, in the order of zxids.
  [[nodiscard]] virtual std::vector<scenario::Problem> poll(std::vector<SeenTxn>& out) = 0;
  /// How server `index` is now.
  virtual trace::ServerRow row(size_t index) = 0;
  /// Pauses, resumes, crashes or restarts server `index`. False: it cannot be done.
  virtual bool do_to_server(size_t, scenario::Action) { return false; }
  /// The network between the servers; nullptr: none that is ours.
  virtual ServerLinks* links() { return nullptr; }
  /// Takes back what prepare() has made, where nobody else uses it.
  virtual void leave() {}
};

/// Our own servers, in `options.folder`.
scenario::Result<std::unique_ptr<Ensemble>> own_ensemble(const ServersOptions& options);

struct ForeignOptions {
  std::string connect = {};
  TimeUs patience_us = 5 * kSecond;
};
/// Somebody else's, which must answer.
scenario::Result<std::unique_ptr<Ensemble>> foreign_ensemble(const ForeignOptions& options);

}  // namespace lockstep::live
