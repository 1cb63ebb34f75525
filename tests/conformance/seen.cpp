#include "conformance/seen.h"

#include <algorithm>
#include <sstream>

namespace lockstep::conformance {

void Teller::know(uint32_t place, zk::SessionId session) {
  if (session == 0 || sessions_.count(session) > 0) return;
  sessions_[session] = "S" + std::to_string(place) + "." + std::to_string(++opened_[place]);
}

std::string Teller::session(zk::SessionId id) const {
  if (id == 0) return "-";
  const auto found = sessions_.find(id);
  return found == sessions_.end() ? "somebody" : found->second;
}

std::string Teller::zxid(zk::Zxid zxid) const {
  return first_ == 0 || zxid < first_ ? "before" : "+" + std::to_string(zxid - first_);
}

std::string Teller::below_root(const std::string& path) const {
  return path.compare(0, root_.size(), root_) == 0 ? path.substr(root_.size()) : path;
}

std::string Teller::text_of(const zk::Stat& stat) {
  times_.emplace(stat.czxid, stat.ctime);
  times_.emplace(stat.mzxid, stat.mtime);
  std::ostringstream out;
  out << " czxid " << zxid(stat.czxid) << " mzxid " << zxid(stat.mzxid) << " pzxid "
      << zxid(stat.pzxid) << " version " << stat.version << " cversion " << stat.cversion
      << " aversion " << stat.aversion << " owner " << session(stat.ephemeral_owner) << " length "
      << stat.data_length << " children " << stat.num_children;
  return out.str();
}

std::string Teller::text_of(const zk::Reply& reply, const zk::Request& request) {
  std::string text = std::string(zk::name_of(request.op)) + " " + below_root(request.path) + ": " +
                     std::string(zk::name_of(reply.error));
  for (size_t i = 0; i < reply.results.size(); ++i) text += text_of(reply.results[i], request.ops[i]);
  if (reply.error != zk::Error::kOk || request.op == zk::Op::kSync || request.op == zk::Op::kMulti) return text;
  if (request.op == zk::Op::kCreate) {
    if (first_ == 0) first_ = reply.stat.czxid;
    text += " " + below_root(reply.path);
  }
  if (request.op == zk::Op::kGetData) text += " \"" + reply.data + "\"";
  if (request.op == zk::Op::kGetChildren) {
    std::vector<std::string> names(reply.children.begin(), reply.children.end());
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) text += " " + name;
  }
  if (request.op == zk::Op::kGetAcl) text += text_of(reply.acl);
  const bool has_stat = request.op != zk::Op::kDelete && request.op != zk::Op::kSetAcl &&
                        request.op != zk::Op::kAddAuth;
  if (has_stat) text += text_of(reply.stat);
  return text;
}

/// Where a server puts several ids for `auth` is up to its hash table.
std::string Teller::text_of(const std::vector<zk::Acl>& acl) {
  std::vector<std::string> entries;
  for (const zk::Acl& entry : acl) entries.push_back(conformance::text_of(entry));
  std::sort(entries.begin(), entries.end());
  std::string text;
  for (const std::string& entry : entries) text += " " + entry;
  return text;
}

std::string Teller::text_of(const zk::OpResult& result, const zk::Request& op) {
  std::string text = " [" + std::string(zk::name_of(op.op)) + " " + below_root(op.path) + ": " +
                     std::string(zk::name_of(result.error));
  if (!result.path.empty()) text += " " + below_root(result.path);
  if (result.stat != zk::Stat{}) text += text_of(result.stat);
  return text + "]";
}

void Teller::tell(Log& log, uint32_t place, size_t step, const recipes::Input& input,
                  const zk::Request& request, TimeUs timeout_us) {
  Seen seen{.step = step};
  if (const auto* arrived = std::get_if<recipes::ReplyArrived>(&input)) {
    seen.text = text_of(arrived->reply, request);
  } else if (const auto* fired = std::get_if<recipes::WatchFired>(&input)) {
    seen.text = std::string(zk::name_of(fired->type)) + " " + below_root(fired->path);
  } else if (const auto* changed = std::get_if<recipes::SessionChanged>(&input)) {
    know(place, changed->session);
    seen.text = std::string(zk::name_of(changed->state));
    if (changed->session != 0) {
      seen.text += " " + session(changed->session) + ", " + std::to_string(timeout_us / kMillisecond) + " ms";
    }
  } else {
    return;
  }
  log[place].push_back(std::move(seen));
}

std::string Teller::disorder_in_time() const {
  int64_t last = INT64_MIN;
  for (const auto& [zxid, time] : times_) {
    if (time < last)
      return "the time of zxid " + std::to_string(zxid) + " lies before an earlier one's";
    last = time;
  }
  return {};
}

namespace {

using Row = std::vector<Seen>;

/// Sorts what may come in any order: neighbours that the simulator saw come from the end of one session. Where the
/// real server's lie at the same places, they are sorted alike.
void settle_order(Row& simulated, Row& real) {
  for (size_t from = 0; from < simulated.size();) {
    size_t to = from + 1;
    while (simulated[from].unordered && to < simulated.size() && simulated[to].unordered &&
           simulated[to].step == simulated[from].step) {
      ++to;
    }
    const auto by_text = [](const Seen& a, const Seen& b) { return a.text < b.text; };
    const auto sort = [&](Row& row) {
      if (to <= row.size()) {
        std::sort(row.begin() + static_cast<std::ptrdiff_t>(from),
                  row.begin() + static_cast<std::ptrdiff_t>(to), by_text);
      }
    };
    if (to - from > 1) {
      sort(simulated);
      sort(real);
    }
    from = to;
  }
}

std::string columns(uint32_t place, const Row& simulated, const Row& real, size_t at) {
  constexpr size_t kBefore = 4;
  std::ostringstream out;
  out << "session in seat S" << place << ", from its " << at << ". observation on:\n";
  const size_t from = at < kBefore ? 0 : at - kBefore;
  for (size_t i = from; i < at + 3; ++i) {
    const std::string left = i < simulated.size() ? simulated[i].text : "(nothing)";
    const std::string right = i < real.size() ? real[i].text : "(nothing)";
    out << (left == right ? "    " : "  ! ") << "simulated  " << left << "\n";
    if (left != right) out << "  ! real       " << right << "\n";
  }
  return out.str();
}

}  // namespace

std::string difference(const Log& simulated, const Log& real) {
  for (uint32_t place = 0; place < kPlaces; ++place) {
    Row left = simulated[place];
    Row right = real[place];
    settle_order(left, right);
    for (size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
      const bool equal = i < left.size() && i < right.size() && left[i].text == right[i].text;
      if (!equal) return columns(place, left, right, i);
    }
  }
  return {};
}

}  // namespace lockstep::conformance
