// What the parts of a live run say to each other: one JSON object a line.
//
//   to a client       a ClientOrder; the first is kBegin and carries everything that it needs
//   from a client     a ClientReport for everything that it does
//   to a resource     on its standard input a ResourceBegin, then RuleOrders; on its socket WriteRequests
//   from a resource   on its socket WriteAnswers, on its standard output a Judgement for each request
//
// Both ends are the same program, so enumerators travel as numbers. Times are of CLOCK_MONOTONIC, less the
// run's zero.
#pragma once

#include <cstdint>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "recipes/zookeeper.h"
#include "scenario/problem.h"
#include "scenario/scenario.h"
#include "trace/event.h"
#include "trace/snapshot.h"

namespace lockstep::live {

// ---- Clients -----------------------------------------------------------------------------------------

enum class ClientVerb : uint8_t {
  kBegin,
  kBreak,  ///< at `line`, for the `visit`-th time, do what `then` says before running it
  kGo,     ///< go on from a break
  kRelease,
  kCancel,
  kHang,  ///< the application does nothing more until kFree; the library goes on
  kFree,
  kQuit,  ///< close the session and end
};

/// What a client does at a break.
enum class AtBreak : uint8_t {
  kStopItself,  ///< SIGSTOP, having told so; SIGCONT lets it go on with that very line
  kHang,        ///< until kFree
  kWait,        ///< until kGo: somebody does something else at this moment
};

struct ClientOrder {
  ClientVerb verb = ClientVerb::kGo;
  std::string client = {};    ///< kBegin: which of the scenario's
  int32_t start = 1;          ///< kBegin: which start of this client this is
  std::string connect = {};   ///< kBegin: ZooKeeper
  std::string resource = {};  ///< kBegin: "host:port"
  TimeUs zero_us = 0;         ///< kBegin: CLOCK_MONOTONIC at the run's zero
  int32_t line = 0;
  int32_t visit = 1;
  AtBreak then = AtBreak::kStopItself;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit_field) {
    visit_field("verb", self.verb);
    visit_field("client", self.client);
    visit_field("start", self.start);
    visit_field("connect", self.connect);
    visit_field("resource", self.resource);
    visit_field("zero_us", self.zero_us);
    visit_field("line", self.line);
    visit_field("visit", self.visit);
    visit_field("then", self.then);
  }
};

/// What the application shows of itself: the columns of trace::ClientRow that the recipe decides.
struct AppState {
  trace::Belief belief = trace::Belief::kIdle;
  int64_t token = -1;
  int32_t line = 0;
  bool at_line = false;
  std::string node = {};
  std::string waits_for = {};
  int32_t rounds_done = 0;
  int32_t writes_sent = 0;
  int32_t inputs = 0;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("belief", self.belief);
    visit("token", self.token);
    visit("line", self.line);
    visit("at_line", self.at_line);
    visit("node", self.node);
    visit("waits_for", self.waits_for);
    visit("rounds_done", self.rounds_done);
    visit("writes_sent", self.writes_sent);
    visit("inputs", self.inputs);
  }
};

enum class ReportKind : uint8_t {
  kEvent,    ///< `event` happened, of a kind that a trace knows
  kAtBreak,  ///< it stands before `data.line`, and does what `then` says
  kEnded,    ///< the recipe has nothing more to do
  kTrouble,  ///< it cannot go on; `data.what` says why
};

struct ClientReport {
  ReportKind kind = ReportKind::kEvent;
  TimeUs time_us = 0;
  trace::EventKind event = trace::EventKind::kStarted;
  trace::EventData data = {};
  AppState state = {};
  AtBreak then = AtBreak::kWait;  ///< kAtBreak
  zk::SessionId session_id = 0;   ///< kConnected
  std::string password = {};      ///< kConnected: the session's, in hexadecimal
  TimeUs timeout_us = 0;          ///< kConnected: as negotiated
  int64_t request = -1;  ///< kLine that writes or reads: the request's number; see WriteRequest
  bool read_only = false;
  std::string op = {};  ///< kLine that asks ZooKeeper: "create"; the path is in `data`
  // What the truth must have come to before this could happen, so that an order can be found.
  zk::Zxid needs_zxid = 0;        ///< the truth has reached this
  std::string needs_absent = {};  ///< this node is gone
  std::string needs_change = {};  ///< this node, or its children, have changed after `changed_after`
  zk::Zxid changed_after = 0;
  // A watch that a reply says is set; the reply shows the node as of data.zxid.
  std::string watch_path = {};
  trace::WatchTable watch_table = trace::WatchTable::kData;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("kind", self.kind);
    visit("t_us", self.time_us);
    visit("event", self.event);
    visit("data", self.data);
    visit("state", self.state);
    visit("then", self.then);
    visit("session_id", self.session_id);
    visit("password", self.password);
    visit("timeout_us", self.timeout_us);
    visit("request", self.request);
    visit("read_only", self.read_only);
    visit("op", self.op);
    visit("needs_zxid", self.needs_zxid);
    visit("needs_absent", self.needs_absent);
    visit("needs_change", self.needs_change);
    visit("changed_after", self.changed_after);
    visit("watch_path", self.watch_path);
    visit("watch_table", self.watch_table);
  }
};

// ---- Resource ----------------------------------------------------------------------------------------

struct WriteRequest {
  std::string client = {};
  int64_t request = 0;  ///< a number that the client counts up from 1
  bool read_only = false;
  int64_t token = -1;
  int64_t value = 0;
  int32_t serial = 0;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("client", self.client);
    visit("request", self.request);
    visit("read_only", self.read_only);
    visit("token", self.token);
    visit("value", self.value);
    visit("serial", self.serial);
  }
};

struct WriteAnswer {
  int64_t request = 0;
  bool accepted = false;
  int64_t value = 0;
  int64_t token_max = -1;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("request", self.request);
    visit("accepted", self.accepted);
    visit("value", self.value);
    visit("token_max", self.token_max);
  }
};

/// What the resource made of a request.
struct Judgement {
  TimeUs time_us = 0;  ///< CLOCK_MONOTONIC, as it is
  WriteRequest request = {};
  WriteAnswer answer = {};
  int64_t token_max_before = -1;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("t_us", self.time_us);
    visit("request", self.request);
    visit("answer", self.answer);
    visit("token_max_before", self.token_max_before);
  }
};

/// The first line on its standard input.
struct ResourceBegin {
  std::string database = {};  ///< path of the SQLite file
  std::string id = {};
  scenario::RegisterRule rule = scenario::RegisterRule::kNone;
  int64_t initial = 0;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("database", self.database);
    visit("id", self.id);
    visit("rule", self.rule);
    visit("initial", self.initial);
  }
};

/// Those after it.
struct RuleOrder {
  scenario::RegisterRule rule = scenario::RegisterRule::kNone;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("rule", self.rule);
  }
};

// ---- Lines -------------------------------------------------------------------------------------------

std::string to_line(const ClientReport& report);
std::string to_line(const WriteRequest& request);
std::string to_line(const WriteAnswer& answer);
std::string to_line(const Judgement& judgement);
std::string to_line(const ResourceBegin& begin);
std::string to_line(const RuleOrder& order);
std::string to_line(const ClientOrder& order);
/// kBegin, with the scenario.
std::string to_line(const ClientOrder& order, const scenario::Scenario& scenario);

/// False if the line is none of these. Members that are missing keep their defaults.
[[nodiscard]] bool from_line(const std::string& line, ClientReport& report);
[[nodiscard]] bool from_line(const std::string& line, WriteRequest& request);
[[nodiscard]] bool from_line(const std::string& line, WriteAnswer& answer);
[[nodiscard]] bool from_line(const std::string& line, Judgement& judgement);
[[nodiscard]] bool from_line(const std::string& line, ResourceBegin& begin);
[[nodiscard]] bool from_line(const std::string& line, RuleOrder& order);
[[nodiscard]] bool from_line(const std::string& line, ClientOrder& order);
/// The scenario that a kBegin line carries.
scenario::Result<scenario::Scenario> scenario_in(const std::string& line);

/// The first line on standard input, read byte by byte: what follows it is left there.
std::string first_line();

/// Bytes that are no text, as text.
std::string to_hex(const std::string& bytes);
std::string from_hex(const std::string& hex);

/// Cuts a stream of bytes into lines. A line longer than `kLineBytesMax` is given up: ok() is false then.
class LineBuffer {
 public:
  static constexpr size_t kLineBytesMax = 64u << 20;

  void add(const char* bytes, size_t count) { bytes_.append(bytes, count); }
  /// Takes the next whole line, without its end.
  bool take(std::string& line);
  bool ok() const { return bytes_.size() <= kLineBytesMax; }

 private:
  std::string bytes_;
  size_t from_ = 0;
};

}  // namespace lockstep::live
