// Merges what the parts of a live run say into one trace.
//
// Each part stamps what it says with CLOCK_MONOTONIC, but it reaches us late, and by different ways. So
// everything waits for a moment (kHoldback), and is then taken in the order of its time. Where the order
// of times cannot be right, causes decide: a reply comes after the transaction that it reports, an event
// after what fired it. A transaction's time is known to the millisecond only, which is why.
//
// The truth comes as transactions: from the log of our own servers, or, for foreign ones, as a sampler has
// found them. Watches are not in any log: a watch is armed when its reply says so, and fires with the
// transaction that it waits for.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "live/truth.h"
#include "live/txnlog.h"
#include "live/wire.h"
#include "trace/trace.h"
#include "trace/writer.h"

namespace lockstep::live {

struct ClientSaid {
  std::string client;
  ClientReport report;
};

/// Something that we have done or noticed ourselves: an event, and what it changes.
struct Noted {
  trace::EventKind kind = trace::EventKind::kIntervened;
  std::string lane = {};
  trace::EventData data = {};
  std::function<void(trace::Snapshot&)> change = {};
};

/// An event of the trace, and the snapshot after it.
struct Recorded {
  trace::Event event;
  trace::Snapshot after;
};

struct RecorderOptions {
  trace::Source source = trace::Source::kLive;
  scenario::Scenario scenario = {};
  std::vector<std::string> servers =
      {};              ///< those that there are, whatever the scenario says: "zk1", ...
  TimeUs zero_us = 0;  ///< CLOCK_MONOTONIC at the run's zero
};

/// The trace before anything is known of the servers.
trace::Trace empty_trace(trace::Source source, const scenario::Scenario& scenario);

class Recorder {
 public:
  static constexpr TimeUs kHoldback = 50 * kMillisecond;
  /// How long something waits for its cause to arrive.
  static constexpr TimeUs kPatience = 400 * kMillisecond;

  /// `truth` is what is committed before anything happens; the first events tell that the servers serve it.
  Recorder(RecorderOptions options, Truth truth);
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // ---- What was seen; times since the run's zero ---------------------------------------------------
  void see(ClientSaid said);
  void see(const Judgement& judgement);
  void see(TimeUs time_us, Txn txn);
  void see(TimeUs time_us, Noted noted);
  /// A client's connection to a server has begun or ended.
  void connected(const std::string& client, const std::string& server, bool is);
  /// The server has heard of a client.
  void heard(const std::string& client, TimeUs time_us) { heard_[client] = time_us; }
  void set_server(const std::string& id, const trace::ServerRow& row) { servers_[id] = row; }
  /// Which lane transactions belong to: the leader's.
  void set_leader(const std::string& id) { leader_ = id; }

  // ---- What becomes of it --------------------------------------------------------------------------
  /// Takes the next that has waited long enough by `now_us`; false if there is none. One at a time, so that
  /// nobody who looks at the snapshot after each misses what was true for a moment only.
  bool settle(TimeUs now_us) { return settle_one(now_us, false); }
  /// Takes everything, and ends the trace.
  void finish(const std::string& why, TimeUs now_us);
  /// The events since the last call.
  std::vector<Recorded> take();
  const trace::Snapshot& snapshot() const { return trace_.last(); }

 private:
  using What = std::variant<ClientSaid, Judgement, Txn, Noted>;
  struct Seen {
    TimeUs time_us = 0;
    What what;
  };
  /// Indexes of the events that later ones follow from.
  struct Causes {
    int64_t step = trace::kNoEvent;        // the application's last step
    int64_t library = trace::kNoEvent;     // what the library said last
    std::map<std::string, int64_t> watch;  // by path: its watch fired
    std::map<int64_t, int64_t> requests;   // by number: sent to the resource
    std::map<int64_t, int64_t> messages;   // by number: its message
    int64_t judged = trace::kNoEvent;
    std::string op;  // of its last request to ZooKeeper
    std::string path;
  };

  void record_servers();
  void insert(TimeUs time_us, What what);
  bool settle_one(TimeUs now_us, bool all);
  bool ready(const Seen& head, TimeUs now_us, bool all);
  bool needs_met(const ClientReport& report) const;
  bool adopt_session(zk::SessionId session);
  void process(const Seen& seen);

  void record(ClientSaid said);
  void record(const Judgement& judgement);
  void record(const Txn& txn);
  void record(const Noted& noted);

  Txn as_it_must_have_been(const Txn& seen) const;
  void record_session_opened(const Txn& txn);
  void record_session_ended(const Txn& txn, const TreeChange& change);
  void record_refused(const Txn& txn);
  void record_commit(const Txn& txn, const TreeChange& change);
  void fire_watches(const TreeChange& change, int64_t cause);
  void fire(trace::WatchTable table, const std::string& path, zk::WatchEventType type,
            int64_t cause);
  void fire(const trace::WatchRow& row, zk::WatchEventType type, int64_t cause);
  void arm_watch(const std::string& client, const ClientReport& report);
  void note(const TreeChange& change, int64_t index);
  void drop_watches(const std::string& session);
  void arm_again(const std::string& client, const std::string& session);
  void arm(const trace::WatchRow& row, zk::Zxid shown);
  void record_sent(const std::string& client, const ClientReport& report);
  void put_tree(const TreeChange& change);
  void put_sessions_heard();
  trace::ClientRow client_row(const std::string& client) const;
  trace::SessionRow session_row(const std::string& id) const;
  std::string session_of(zk::SessionId session) const;
  std::string client_of(zk::SessionId session) const;
  std::string open_session_row(zk::SessionId session, const std::string& client, TimeUs timeout_us);
  TimeUs expiry_of(TimeUs heard_us, TimeUs timeout_us) const;
  int64_t cause_of_input(const std::string& client, const ClientReport& report);
  int64_t emit(trace::EventKind kind, const std::string& lane, trace::EventData data,
               int64_t cause);

  RecorderOptions options_;
  Truth truth_;
  trace::Trace trace_;
  trace::Writer writer_;
  std::vector<Seen> waiting_;  // by time
  std::vector<Recorded> recorded_;
  TimeUs now_us_ = 0;  // of the event being recorded
  std::string leader_;
  std::map<std::string, Causes> causes_;
  std::map<std::string, std::string> served_by_;
  std::map<std::string, TimeUs> heard_;
  std::map<std::string, trace::ServerRow> servers_;
  std::map<std::string, std::vector<trace::WatchRow>>
      parked_watches_;                             // of clients without a connection
  std::map<zk::SessionId, std::string> sessions_;  // their rows
  std::map<std::string, int> session_counts_;      // by client
  std::map<zk::Zxid, int64_t> commits_;            // their events
  std::map<std::string, int64_t> deletions_;       // by path, their events
  std::map<std::string, int64_t> creations_;
  std::map<std::string, int64_t> changes_;  // of the node's data, or of its children
  int64_t messages_ = 0;
  int64_t ledger_rows_ = 0;
};

}  // namespace lockstep::live
