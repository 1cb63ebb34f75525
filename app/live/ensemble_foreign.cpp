#include <algorithm>

#include "live/ensemble.h"
#include "live/greeting.h"
#include "live/monotonic.h"

namespace lockstep::live {
namespace {

using scenario::Problem;
using scenario::ProblemKind;

constexpr TimeUs kSampleInterval = 20 * kMillisecond;
constexpr TimeUs kSessionTimeout = 10 * kSecond;
constexpr TimeUs kCallPatience = 10 * kSecond;
/// After so long without an answer the servers are asked anew, one by one, each with this patience.
constexpr TimeUs kSilenceMax = 3 * kSecond;
constexpr TimeUs kAskPatience = kSecond;

/// True if a server has said this, and not the library in its place.
bool comes_from_server(zk::Error error) {
  return error != zk::Error::kConnectionLoss && error != zk::Error::kOperationTimeout &&
         error != zk::Error::kSessionExpired;
}

/// Looks at the lock's children again and again, and makes transactions of what differs.
class ForeignEnsemble : public Ensemble {
 public:
  ForeignEnsemble(std::string connect, std::vector<Address> addresses)
      : addresses_(std::move(addresses)),
        session_({.connect = std::move(connect), .timeout_us = kSessionTimeout}) {}

  std::vector<Address> addresses() const override { return addresses_; }
  std::vector<Problem> prepare(const std::string& path, Truth& truth) override;
  std::vector<Problem> poll(std::vector<SeenTxn>& out) override;
  trace::ServerRow row(size_t) override { return {.zxid = zxid_}; }
  void leave() override;

 private:
  void take_news(std::vector<SeenTxn>& out);
  std::vector<Problem> check_alive();
  void take_children(const zk::Reply& reply);
  void take_stat(const std::string& path, const zk::Reply& reply);

  std::vector<Address> addresses_;
  ZookeeperSession session_;
  std::string path_;
  std::vector<std::string> made_;          // by us, topmost first
  std::map<std::string, zk::Stat> known_;  // the children that have been told of
  std::set<std::string> asked_;            // children whose Stat is outstanding
  std::vector<Txn> found_;  // new children, to be told with the sample that they are of
  bool sampling_ = false;
  TimeUs sampled_us_ = 0;
  TimeUs answered_us_ = 0;  // when a server was last heard of
  zk::Zxid zxid_ = 0;
};

std::vector<Problem> ForeignEnsemble::prepare(const std::string& path, Truth& truth) {
  path_ = path;
  std::vector<Problem> problems = session_.open();
  if (!problems.empty()) return problems;
  for (size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    zk::Reply reply;
    const zk::Request request = {.op = zk::Op::kCreate, .path = path.substr(0, slash)};
    const bool answered = call(session_, request, kCallPatience, reply);
    if (answered && reply.error == zk::Error::kOk) made_.push_back(request.path);
    if (!answered || (reply.error != zk::Error::kOk && reply.error != zk::Error::kNodeExists)) {
      return {{request.path, "",
               answered ? "the server does not let us make this node: " +
                              std::string(zk::name_of(reply.error))
                        : "the server did not make this node in time",
               ProblemKind::kEnvironment}};
    }
    if (!call(session_, {.op = zk::Op::kExists, .path = request.path}, kCallPatience, reply)) {
      return {{request.path, "", "the server did not tell of this node in time",
               ProblemKind::kEnvironment}};
    }
    zxid_ = std::max(zxid_, reply.stat.pzxid);
    truth.apply({.zxid = reply.stat.czxid,
                 .time_ms = reply.stat.ctime,
                 .kind = TxnKind::kCreate,
                 .path = request.path});
    if (slash == std::string::npos) break;
  }
  // Whoever queues there already belongs to the truth that we begin with.
  const TimeUs until = monotonic_us() + kCallPatience;
  std::vector<SeenTxn> there;
  bool seen_once = false;
  while (monotonic_us() < until && (!seen_once || sampling_ || !asked_.empty())) {
    problems = poll(there);
    if (!problems.empty()) return problems;
    seen_once = seen_once || sampling_;
    timespec moment = {0, 1000000};
    nanosleep(&moment, nullptr);
  }
  for (const SeenTxn& seen : there) truth.apply(seen.txn);
  return {};
}

std::vector<Problem> ForeignEnsemble::poll(std::vector<SeenTxn>& out) {
  take_news(out);
  const TimeUs now = monotonic_us();
  if (!sampling_ && asked_.empty() && now - sampled_us_ >= kSampleInterval) {
    sampling_ = true;
    sampled_us_ = now;
    session_.send({.op = zk::Op::kGetChildren, .path = path_});
  }
  return check_alive();
}

/// Our session goes straight to the servers, so what a scenario does to its clients' links does not matter
/// here. A session may be silent though its server is well; hence a handshake of its own before the verdict.
std::vector<Problem> ForeignEnsemble::check_alive() {
  const TimeUs now = monotonic_us();
  if (answered_us_ == 0) answered_us_ = now;
  if (now - answered_us_ < kSilenceMax) return {};
  std::string all;
  for (const Address& address : addresses_) {
    if (check_is_zookeeper(address, kAskPatience).empty()) {
      answered_us_ = monotonic_us();
      return {};
    }
    all += (all.empty() ? "" : ",") + to_text(address);
  }
  return {{all, "",
           "no server answers here any more, for " +
               std::to_string((monotonic_us() - answered_us_) / kSecond) +
               " s now, though one did when the run began; start it again, and play once more",
           ProblemKind::kEnvironment}};
}

void ForeignEnsemble::take_news(std::vector<SeenTxn>& out) {
  SessionNews news;
  while (session_.take(news)) {
    if (const auto* change = std::get_if<recipes::SessionChanged>(&news.input)) {
      if (change->state == zk::SessionState::kExpired) {
        sampling_ = false;
        asked_.clear();
        (void)session_.open();  // It was good before; if not now, then the next sample tells.
      }
      continue;
    }
    const auto* arrived = std::get_if<recipes::ReplyArrived>(&news.input);
    if (!arrived) continue;
    if (comes_from_server(arrived->reply.error)) answered_us_ = news.time_us;
    if (news.request.op == zk::Op::kGetChildren) {
      sampling_ = false;
      if (arrived->reply.error == zk::Error::kOk) take_children(arrived->reply);
    } else if (news.request.op == zk::Op::kExists) {
      take_stat(news.request.path, arrived->reply);
    }
    if (asked_.empty() && !found_.empty()) {
      std::sort(found_.begin(), found_.end(),
                [](const Txn& a, const Txn& b) { return a.zxid < b.zxid; });
      for (Txn& txn : found_) out.push_back({news.time_us, std::move(txn)});
      found_.clear();
    }
  }
}

void ForeignEnsemble::take_children(const zk::Reply& reply) {
  zxid_ = std::max(zxid_, reply.stat.pzxid);
  std::set<std::string> now;
  for (const std::string& name : reply.children) now.insert(path_ + "/" + name);
  for (auto known = known_.begin(); known != known_.end();) {
    if (now.count(known->first) > 0) {
      ++known;
      continue;
    }
    // When exactly is not known; not before the sample, not after the parent's last change.
    found_.push_back({.session = known->second.ephemeral_owner,
                      .cxid = 1,
                      .zxid = reply.stat.pzxid,
                      .kind = TxnKind::kDelete,
                      .path = known->first});
    known = known_.erase(known);
  }
  for (const std::string& path : now) {
    if (known_.count(path) > 0 || !asked_.insert(path).second) continue;
    session_.send({.op = zk::Op::kExists, .path = path});
  }
}

void ForeignEnsemble::take_stat(const std::string& path, const zk::Reply& reply) {
  if (asked_.erase(path) == 0 || reply.error != zk::Error::kOk) return;
  known_[path] = reply.stat;
  found_.push_back({.session = reply.stat.ephemeral_owner,
                    .cxid = 1,
                    .zxid = reply.stat.czxid,
                    .time_ms = reply.stat.ctime,
                    .kind = TxnKind::kCreate,
                    .path = path,
                    .ephemeral = reply.stat.ephemeral_owner != 0});
}

void ForeignEnsemble::leave() {
  for (auto path = made_.rbegin(); path != made_.rend(); ++path) {
    zk::Reply reply;  // Not empty: somebody else uses it by now.
    if (!call(session_, {.op = zk::Op::kDelete, .path = *path}, kSecond, reply)) return;
  }
}

}  // namespace

scenario::Result<std::unique_ptr<Ensemble>> foreign_ensemble(const ForeignOptions& options) {
  auto addresses = addresses_of(options.connect, "--connect");
  if (!addresses) return addresses.problems();
  std::vector<Problem> problems;
  std::vector<Address> good;
  std::string connect;
  for (const Address& address : addresses.value()) {
    std::vector<Problem> found = check_is_zookeeper(address, options.patience_us);
    problems.insert(problems.end(), found.begin(), found.end());
    if (!found.empty()) continue;
    good.push_back(address);
    connect += (connect.empty() ? "" : ",") + to_text(address);
  }
  if (good.empty()) return problems;  // One that answers is enough.
  return std::unique_ptr<Ensemble>(std::make_unique<ForeignEnsemble>(connect, good));
}

}  // namespace lockstep::live
