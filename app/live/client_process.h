// One client of a live run as its runner sees it: a process, and the relays through which it reaches the
// servers and the resource.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "live/greeting.h"
#include "live/process.h"
#include "live/relay.h"
#include "live/wire.h"

namespace lockstep::live {

/// The client's way to one server, or to the resource.
struct Way {
  std::string to;  ///< "zk1", "db"
  std::unique_ptr<Relay> relay;
};

class ClientProcess {
 public:
  explicit ClientProcess(scenario::ClientSpec spec) : spec_(std::move(spec)) {}

  const scenario::ClientSpec& spec() const { return spec_; }
  const std::string& id() const { return spec_.id; }
  std::vector<Way>& ways() { return ways_; }

  /// Starts the process; the order is completed with what only we know.
  [[nodiscard]] std::vector<scenario::Problem> start(const std::string& program,
                                                     const scenario::Scenario& scenario,
                                                     ClientOrder begin);
  /// False if the process does not listen. Before its first start it is kept for it.
  bool order(const ClientOrder& order);

  /// What it has said since the last call; never waits.
  std::vector<ClientReport> hear();
  /// Looks at what became of the process.
  ProcessChange poll();

  bool running() const { return process_.running(); }
  bool paused() const { return paused_; }
  bool ended() const { return ended_; }  ///< its recipe, or the process
  int32_t starts() const { return starts_; }
  pid_t pid() const { return process_.pid(); }
  const std::string& ending() const { return process_.ending(); }

  /// SIGSTOP, unless it has told that it is about to do that itself, and waits until the process stands.
  bool pause();
  bool resume();
  bool crash();
  /// The session that it was last connected with.
  const SessionKey& session() const { return session_; }
  /// Asks to close the session and to end; then ends it.
  void ask_to_quit();
  void stop(TimeUs grace_us);

 private:
  scenario::ClientSpec spec_;
  Process process_;
  LineBuffer lines_;
  std::vector<Way> ways_;
  int32_t starts_ = 0;
  SessionKey session_;
  std::vector<ClientOrder> kept_orders_;
  bool stops_itself_ = false;  // it has said so
  bool stands_ = false;        // as the kernel says
  bool paused_ = false;        // as we want it
  bool ended_ = false;
};

/// The resource's process.
class ResourceProcess {
 public:
  [[nodiscard]] std::vector<scenario::Problem> start(const std::string& program,
                                                     const std::string& database,
                                                     const scenario::ResourceSpec& spec);
  uint16_t port() const { return port_; }
  std::vector<Judgement> hear();
  void set_rule(scenario::RegisterRule rule) { process_.write_line(to_line(RuleOrder{rule})); }
  ProcessChange poll() { return process_.poll(); }
  const std::string& ending() const { return process_.ending(); }
  pid_t pid() const { return process_.pid(); }
  void stop();

 private:
  Process process_;
  LineBuffer lines_;
  uint16_t port_ = 0;
};

}  // namespace lockstep::live
