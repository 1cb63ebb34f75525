#include <unistd.h>

#include <algorithm>

#include "live/ensemble.h"
#include "live/monotonic.h"

namespace lockstep::live {
namespace {

using scenario::Problem;
using scenario::ProblemKind;

constexpr TimeUs kPreparePatience = 30 * kSecond;
constexpr TimeUs kRoleInterval = kSecond;
constexpr TimeUs kLastOfMillisecond = kMillisecond - 1;

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

class OwnEnsemble : public Ensemble {
 public:
  explicit OwnEnsemble(Servers servers)
      : servers_(std::move(servers)), txns_(log_folders(servers_)), rows_(txns_.servers()) {}

  std::vector<Address> addresses() const override {
    std::vector<Address> all;
    for (int i = 0; i < servers_.count(); ++i) all.push_back(servers_.address(i));
    return all;
  }

  std::vector<Problem> prepare(const std::string& path, Truth& truth) override;
  std::vector<Problem> poll(std::vector<SeenTxn>& out) override;
  trace::ServerRow row(size_t index) override;

 private:
  Servers servers_;
  CommittedTxns txns_;
  std::vector<trace::ServerRow> rows_;
  TimeUs roles_asked_us_ = 0;
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
    // The log knows the millisecond. Its end can be too late, which causes put right; see Recorder.
    const TimeUs time = txn.time_ms * kMillisecond + kLastOfMillisecond + offset;
    out.push_back({std::min(time, monotonic_us()), std::move(txn)});
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
  const TimeUs now = monotonic_us();
  const bool first = roles_asked_us_ == 0;
  // One alone stays alone; of several, the leader can change.
  if (first || (rows_.size() > 1 && index == 0 && now - roles_asked_us_ > kRoleInterval)) {
    roles_asked_us_ = now;
    for (size_t i = 0; i < rows_.size(); ++i) {
      rows_[i].role = role_of(mode_of(servers_.address(static_cast<int>(i))));
    }
  }
  rows_[index].zxid = txns_.last_zxid(index);
  return rows_[index];
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
