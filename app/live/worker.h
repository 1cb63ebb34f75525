// `lockstep client`: one client of a live run, as a process of its own. It runs the recipe of the shelf,
// the very one that the simulator runs, over a real session and a real connection to the resource.
//
// One loop does everything, one step at a time: what the library has said becomes inputs, then one input
// is taken, or one line of the listing is run. So a process can be stopped between any two steps, and it
// goes on with the very next. Orders come on standard input, reports go to standard output; see wire.h.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "live/sockets.h"
#include "live/wire.h"
#include "live/zookeeper_session.h"
#include "recipes/shelf.h"

namespace lockstep::live {

struct WorkerOptions {
  scenario::Scenario scenario;
  ClientOrder begin;
};

class Worker {
 public:
  explicit Worker(WorkerOptions options);
  /// Returns when told to quit, or when nobody gives orders any more. The value is an exit code.
  int run();

 private:
  struct Queued {
    recipes::Input input;
    zk::Request request;  // of a reply
  };
  struct Break {
    int line = 0;
    int32_t visit = 1;
    AtBreak then = AtBreak::kStopItself;
  };

  // The loop.
  bool begin();
  void wait_for_work();
  bool hear_orders();
  void obey(const ClientOrder& order);
  void hear_library();
  void hear_resource();
  void rescue_stuck_read();
  bool step();
  bool held_up() const { return hung_ || waiting_; }

  // One step of the application.
  void take_input();
  bool take_deadline();
  bool run_line();
  bool pause_at_break(int line);
  void act(const recipes::Outputs& outputs);
  void announce(const recipes::Output& output, ClientReport& line_report);
  void send_to_resource(const recipes::SendToResource& send);

  // Telling.
  TimeUs now() const;
  AppState state() const;
  void report(ClientReport report);
  void report_library(const SessionNews& news);
  void trouble(const std::string& why);

  WorkerOptions options_;
  const scenario::ClientSpec* spec_ = nullptr;
  recipes::Recipe recipe_;
  ZookeeperSession session_;
  Descriptor resource_;
  LineBuffer orders_;
  LineBuffer answers_;
  std::deque<Queued> inputs_;
  std::map<std::string, zk::Zxid> shown_;  // of what is watched: the newest change that the reply has shown
  std::map<recipes::DeadlineId, TimeUs> deadlines_;
  std::vector<Break> breaks_;
  std::map<int, int32_t> visits_;
  int line_visited_ = 0;  // the line before which it stands, once counted
  TimeUs asked_us_ = 0;   // when the outstanding read was sent; 0: none
  int64_t requests_ = 0;  // to the resource
  int32_t writes_ = 0;
  bool connected_ = false;
  bool hung_ = false;
  bool waiting_ = false;
  bool ended_ = false;
  bool quit_ = false;
};

}  // namespace lockstep::live
