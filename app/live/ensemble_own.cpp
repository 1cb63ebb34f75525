#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "live/ensemble.h"
#include "live/monotonic.h"
#include "live/role_watcher.h"

namespace lockstep::live {
namespace {

using scenario::Problem;
using scenario::ProblemKind;

constexpr TimeUs kPreparePatience = 30 * kSecond;
constexpr TimeUs kLastOfMillisecond = kMillisecond - 1;
/// With a quorum, a transaction is committed, and found in the logs, within this time.
constexpr TimeUs kCommitTakes = 150 * kMillisecond;

trace::ServerRole role_of(const std::string& mode) {
  if (mode == "leader") return trace::ServerRole::kLeading;
  if (mode == "follower") return trace::ServerRole::kFollowing;
  if (mode == "observer") return trace::ServerRole::kObserving;
  return mode == "standalone" ? trace::ServerRole::kStandalone : trace::ServerRole::kLooking;
}

std::vector<std::string> log_folders(const Servers& servers) {
  std::vector<std::string> folders;
  for (int i = 0; i < servers.count(); ++i) folders.push_back(servers.log_folder(i));
  return folders;
}

std::vector<bool> observers(const Servers& servers) {
  std::vector<bool> all;
  for (int i = 0; i < servers.count(); ++i) all.push_back(servers.observes(i));
  return all;
}

/// The epoch that a server has promised to, as it keeps it on disk; 0: none yet.
int32_t epoch_in(const std::string& log_folder) {
  int32_t epoch = 0;
  std::ifstream(log_folder + "/currentEpoch", std::ios::binary) >> epoch;
  return epoch;
}

class OwnEnsemble : public Ensemble {
 public:
  explicit OwnEnsemble(Servers servers)
      : servers_(std::move(servers)),
        txns_(log_folders(servers_), observers(servers_)),
        roles_(addresses()),
        rows_(txns_.servers()) {}

  std::vector<Address> addresses() const override {
    std::vector<Address> all;
    for (int i = 0; i < servers_.count(); ++i) all.push_back(servers_.address(i));
    return all;
  }

  std::vector<Problem> prepare(const std::string& path, Truth& truth) override;
  std::vector<Problem> poll(std::vector<SeenTxn>& out) override;
  trace::ServerRow row(size_t index) override;
  bool do_to_server(size_t index, scenario::Action action) override;
  ServerLinks* links() override { return servers_.links(); }

 private:
  std::string leader_in(int32_t epoch) const;

  Servers servers_;
  CommittedTxns txns_;
  RoleWatcher roles_;
  std::vector<trace::ServerRow> rows_;
};

std::vector<Problem> OwnEnsemble::prepare(const std::string& path, Truth& truth) {
  {
    ZookeeperSession session(
        {.connect = servers_.connect_string(), .timeout_us = kPreparePatience});
    std::vector<Problem> problems = session.open();
    if (!problems.empty()) return problems;
    for (size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
      zk::Reply reply;
      const zk::Request request = {.op = zk::Op::kCreate, .path = path.substr(0, slash)};
      if (!call(session, request, kPreparePatience, reply) ||
          (reply.error != zk::Error::kOk && reply.error != zk::Error::kNodeExists)) {
        return {
            {request.path, "",
             "our own ZooKeeper does not make this node: " + std::string(zk::name_of(reply.error)),
             ProblemKind::kEnvironment}};
      }
      if (slash == std::string::npos) break;
    }
  }
  // Until the log tells of it, and of the end of the session that made it.
  const TimeUs until = monotonic_us() + kPreparePatience;
  int sessions = 0;
  while (!truth.has(path) || sessions > 0) {
    std::vector<Txn> found;
    std::vector<Problem> problems = txns_.poll(found);
    if (!problems.empty()) return problems;
    for (const Txn& txn : found) {
      truth.apply(txn);
      if (txn.kind == TxnKind::kCreateSession) ++sessions;
      if (txn.kind == TxnKind::kCloseSession) --sessions;
    }
    if (monotonic_us() > until) {
      return {{servers_.log_folder(0), "",
               "the server's transaction log does not tell of what was done",
               ProblemKind::kEnvironment}};
    }
    usleep(2000);
  }
  return {};
}

std::vector<Problem> OwnEnsemble::poll(std::vector<SeenTxn>& out) {
  std::vector<Txn> found;
  std::vector<Problem> problems = txns_.poll(found);
  const TimeUs offset = monotonic_minus_wall_us();
  for (Txn& txn : found) {
    // The log knows the millisecond in which it was asked for. Its end can be too late, which causes put right; see
    // Recorder. Without a quorum it was not committed then, but only when we come to hear of it.
    const TimeUs now = monotonic_us();
    const TimeUs asked = txn.time_ms * kMillisecond + kLastOfMillisecond + offset;
    out.push_back({std::min(now - asked > kCommitTakes ? now : asked, now), std::move(txn)});
  }
  for (int i = 0; problems.empty() && i < servers_.count(); ++i) {
    if (servers_.has_ended(i)) {
      problems.push_back({to_text(servers_.address(i)), "",
                          "our own ZooKeeper server has ended by itself",
                          ProblemKind::kEnvironment});
    }
  }
  return problems;
}

trace::ServerRow OwnEnsemble::row(size_t index) {
  trace::ServerRow& row = rows_[index];
  const int number = static_cast<int>(index);
  const trace::ServerRow before = row;
  row.process = servers_.crashed(number)  ? trace::Process::kCrashed
                : servers_.paused(number) ? trace::Process::kPaused
                                          : trace::Process::kRunning;
  row.logged = txns_.last_zxid(index);
  if (row.process == trace::Process::kPaused) return row;  // It is what it was.
  row.role = role_of(roles_.mode(index));
  row.serving = row.role != trace::ServerRole::kLooking;
  // Of what is logged, it has applied what it knows to be committed.
  if (row.serving) row.zxid = std::min(row.logged, txns_.committed());
  if (rows_.size() == 1) return row;
  if (row.role != before.role || row.epoch == 0) row.epoch = epoch_in(servers_.log_folder(number));
  row.leader = row.serving ? leader_in(row.epoch) : "";
  return row;
}

/// There is one at most in an epoch.
std::string OwnEnsemble::leader_in(int32_t epoch) const {
  for (size_t i = 0; i < rows_.size(); ++i) {
    const bool leads = rows_[i].role == trace::ServerRole::kLeading;
    if (leads && rows_[i].epoch == epoch) return "zk" + std::to_string(i + 1);
  }
  return "";
}

bool OwnEnsemble::do_to_server(size_t index, scenario::Action action) {
  const int number = static_cast<int>(index);
  bool done = false;
  switch (action) {
    case scenario::Action::kPause: done = servers_.pause(number); break;
    case scenario::Action::kResume: done = servers_.resume(number); break;
    case scenario::Action::kCrash: done = servers_.crash(number); break;
    case scenario::Action::kRestart: done = servers_.restart(number); break;
    default: return false;  // done to something else
  }
  const bool crashed = servers_.crashed(number);
  if (done) roles_.set_asked(index, !crashed && !servers_.paused(number), crashed);
  return done;
}

}  // namespace

bool call(ZookeeperSession& session, const zk::Request& request, TimeUs patience_us,
          zk::Reply& reply) {
  const TimeUs until = monotonic_us() + patience_us;
  session.send(request);
  while (monotonic_us() < until) {
    SessionNews news;
    while (session.take(news)) {
      auto* arrived = std::get_if<recipes::ReplyArrived>(&news.input);
      if (!arrived || news.request != request) continue;
      reply = std::move(arrived->reply);
      if (!zk::is_outcome_unknown(reply.error)) return true;
      session.send(request);  // All that we ask for here may be asked for twice.
    }
    usleep(1000);
  }
  return false;
}

scenario::Result<std::unique_ptr<Ensemble>> own_ensemble(const ServersOptions& options) {
  auto servers = Servers::start(options);
  if (!servers) return servers.problems();
  return std::unique_ptr<Ensemble>(std::make_unique<OwnEnsemble>(std::move(servers.value())));
}

}  // namespace lockstep::live
