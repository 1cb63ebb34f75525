// Plays one scenario with real parts, from starting the servers to removing the last file. It runs in one
// thread, the one that calls run(), which must live as long: the parts die with it.
//
// What it has to say to the outside it puts into an Outbox, and it looks into the same for what it is
// asked to do. Nothing else crosses threads.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "live/client_process.h"
#include "live/ensemble.h"
#include "live/folder.h"
#include "live/live.h"
#include "live/recorder.h"
#include "live/script.h"
#include "trace/ending.h"

namespace lockstep::live {

/// What the runner's thread and its owner's exchange.
struct Outbox {
  std::atomic<LivePhase> phase{LivePhase::kNotStarted};
  std::atomic<TimeUs> zero_us{0};
  std::atomic<bool> stop{false};

  std::mutex mutex;  // of all below
  std::vector<Recorded> recorded;
  std::vector<scenario::Intervention> interventions;
  std::vector<scenario::Problem> problems;
};

class Runner {
 public:
  Runner(scenario::Scenario scenario, LiveOptions options, Outbox& outbox);
  ~Runner();
  /// Plays to the end, or until outbox.stop. Problems are in the outbox.
  void run();

 private:
  // Beginning (runner.cpp).
  bool start_parts();
  bool start_ensemble();
  bool start_resource();
  bool make_ways();
  bool add_client(const scenario::ClientSpec& spec);
  std::unique_ptr<Relay> relay_to(const Address& upstream, ClientProcess& client,
                                  const std::string& server);
  void begin_recording(Truth truth);

  // Playing (runner.cpp).
  void play();
  void start_clients_due();
  void listen();
  void listen_to(ClientProcess& client);
  void listen_to_server(size_t index);
  void follow_script();
  bool everybody_ended() const;
  bool leaves_a_session(const ClientProcess& client) const;
  void publish();
  void wind_up(trace::EndKind why);

  // Interfering (runner_interfere.cpp).
  void interfere(const scenario::Intervention& intervention);
  using Change = std::function<void(trace::Snapshot&)>;
  bool do_to_client(ClientProcess& client, scenario::Action action);
  bool do_to_server(size_t index, scenario::Action action);
  bool do_to_links(const scenario::Intervention& intervention);
  bool do_to_server_links(const scenario::Intervention& intervention);
  bool do_to_server_link(size_t from, size_t to, scenario::Action action);
  bool partition(const std::string& group);
  bool heal_all();
  bool expire(ClientProcess& client);
  bool do_to_way(const Way& way, Direction direction, scenario::Action action);
  bool set_rule(const scenario::Intervention& intervention);
  bool add_client_like_last(const std::string& id);
  std::string lane_of(const scenario::Intervention& intervention);
  Change change_of(const scenario::Intervention& intervention) const;
  Change change_of_links() const;
  bool start_client(ClientProcess& client);
  void fulfil(const Wish& wish);

  ClientProcess* client_named(const std::string& id);
  std::optional<size_t> server_named(const std::string& id) const;
  TimeUs now() const;
  void fail(std::vector<scenario::Problem> problems);
  bool failed() const { return failed_; }

  scenario::Scenario scenario_;
  LiveOptions options_;
  Outbox& outbox_;
  TimeUs zero_us_ = 0;
  bool failed_ = false;
  TimeUs idle_since_us_ = 0;

  // In the order in which they may be destroyed last to first: the folder outlives what is in it.
  Folder folder_;
  std::unique_ptr<Ensemble> ensemble_;
  std::vector<std::string> servers_;  // their ids: zk1, zk2, ...
  std::vector<trace::ServerRow> server_rows_;
  ResourceProcess resource_;
  struct Network;  // asio's context
  std::unique_ptr<Network> network_;
  std::vector<std::unique_ptr<ClientProcess>> clients_;
  std::unique_ptr<Recorder> recorder_;
  std::unique_ptr<Script> script_;
};

}  // namespace lockstep::live
