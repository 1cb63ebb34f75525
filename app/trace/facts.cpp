#include "trace/facts.h"

#include <algorithm>
#include <set>
#include <utility>

namespace lockstep::trace {
namespace {

/// True if `path` is a child of the lock's node (not a deeper descendant).
bool is_child(std::string_view path, std::string_view lock_path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return false;
  return lock_path == "/" ? slash == 0 && path.size() > 1 : path.substr(0, slash) == lock_path;
}

std::string path_in(const std::string& lock_path, std::string_view name) {
  std::string path = lock_path == "/" ? "" : lock_path;
  path += '/';
  path += name;
  return path;
}

/// The client that owns a node through a session; empty if none does.
std::string_view owner_of(const Snapshot& snapshot, const ZnodeRow& znode) {
  const SessionRow* session = find(snapshot.sessions, znode.owner);
  return session && session->life == SessionLife::kLive ? session->client : std::string_view();
}

/// A node of the queue. It points into the snapshot.
struct Queued {
  int32_t number = 0;
  std::string_view name;
  const ZnodeRow* znode = nullptr;
};

/// By number, then name.
std::vector<Queued> queued_in(const Snapshot& snapshot, std::string_view lock_path) {
  std::vector<Queued> queue;
  for (const auto& [path, znode] : snapshot.znodes) {
    if (!is_child(path, lock_path)) continue;
    const std::string_view name = zk::name_in(path);
    int32_t number = 0;
    if (zk::sequence_of(name, number)) queue.push_back({number, name, &znode});
  }
  std::sort(queue.begin(), queue.end(), [](const Queued& a, const Queued& b) {
    return a.number != b.number ? a.number < b.number : a.name < b.name;
  });
  return queue;
}

/// A crashed process waits for nothing, whatever it believed last.
bool believes_to_wait(const ClientRow& client) {
  return client.belief == Belief::kWaiting && client.process != Process::kCrashed;
}

}  // namespace

std::string_view name_of(Danger danger) {
  switch (danger) {
    case Danger::kNone: return "none";
    case Danger::kBehind: return "behind";
    case Danger::kDangerous: return "dangerous";
  }
  return "unknown";
}

// ---- The truth about the lock ------------------------------------------------------------------

std::vector<std::string> queue_of(const Snapshot& snapshot, std::string_view lock_path) {
  std::vector<std::string> names;
  for (const Queued& node : queued_in(snapshot, lock_path)) names.emplace_back(node.name);
  return names;
}

Truth truth_of(const Snapshot& snapshot, std::string_view lock_path) {
  const std::vector<Queued> queue = queued_in(snapshot, lock_path);
  Truth truth;
  truth.lock_path = lock_path;
  truth.queue.reserve(queue.size());
  truth.places.reserve(queue.size());
  for (const Queued& node : queue) {
    const std::string_view owner = owner_of(snapshot, *node.znode);
    if (truth.queue.empty()) truth.holder = owner;
    if (!owner.empty()) truth.places.emplace(owner, static_cast<int64_t>(truth.queue.size()));
    truth.queue.emplace_back(node.name);
  }
  return truth;
}

std::string holder_of(const Snapshot& snapshot, std::string_view lock_path) {
  return truth_of(snapshot, lock_path).holder;
}

int64_t place_of(const Truth& truth, std::string_view client) {
  const auto found = truth.places.find(client);
  return found == truth.places.end() ? -1 : found->second;
}

// ---- Danger ------------------------------------------------------------------------------------

namespace {

/// It has not heard that its session is over.
bool is_session_over_unheard(const Snapshot& snapshot, const ClientRow& client) {
  if (client.connection == Connection::kExpired || client.connection == Connection::kClosed)
    return false;
  const SessionRow* session = find(snapshot.sessions, client.session);
  return session && session->life != SessionLife::kLive;
}

/// It counts on a node that is not there any more: its own, or the one that it waits for.
bool counts_on_vanished_node(const Snapshot& snapshot, const Truth& truth,
                             const ClientRow& client) {
  const bool queues = client.belief == Belief::kAcquiring || client.belief == Belief::kWaiting ||
                      client.belief == Belief::kSuspended || client.belief == Belief::kReleasing;
  if (queues && !client.node.empty() && !find(snapshot.znodes, client.node)) return true;
  return client.belief == Belief::kWaiting && !client.waits_for.empty() &&
         !find(snapshot.znodes, path_in(truth.lock_path, client.waits_for));
}

}  // namespace

Danger danger_of(const Snapshot& snapshot, const Truth& truth, std::string_view id) {
  const ClientRow* client = find(snapshot.clients, id);
  if (!client || client->process == Process::kCrashed || client->process == Process::kNotStarted) {
    return Danger::kNone;
  }
  const bool holds = truth.holder == id;
  if (believes_to_hold(*client)) return holds ? Danger::kNone : Danger::kDangerous;
  // Who releases knows what it has, and what it has asked for.
  if (holds && client->belief != Belief::kReleasing) return Danger::kBehind;
  if (is_session_over_unheard(snapshot, *client)) return Danger::kBehind;
  return counts_on_vanished_node(snapshot, truth, *client) ? Danger::kBehind : Danger::kNone;
}

Danger danger_of(const Snapshot& snapshot, std::string_view lock_path, std::string_view client) {
  return danger_of(snapshot, truth_of(snapshot, lock_path), client);
}

// ---- Counting over the run ---------------------------------------------------------------------

bool is_counted(EventKind kind) {
  switch (kind) {
    case EventKind::kCommitted:
    case EventKind::kWatchFired:
    case EventKind::kSessionExpired:
    case EventKind::kSessionClosed:
    case EventKind::kAcquired:
    case EventKind::kWriteAccepted:
    case EventKind::kWriteRefused: return true;
    default: return false;
  }
}

namespace {

void count_grant(Counters& counters, int64_t token) {
  ++counters.grants;
  if (token < counters.token_granted_max) ++counters.grants_out_of_order;
  counters.token_granted_max = std::max(counters.token_granted_max, token);
}

/// True for the commits that take nodes away. A session's end is told as what it is, with the first of
/// its nodes; without a node it released nothing.
bool is_release(const Event& event) {
  const std::string& what = event.data.what;
  if (event.kind == EventKind::kCommitted) return what == "delete" || what == "closeSession";
  const bool ends =
      event.kind == EventKind::kSessionExpired || event.kind == EventKind::kSessionClosed;
  return ends && !event.data.path.empty();
}

void count_release(Counters& counters, const Event& event) {
  counters.last_release = event.index;
  counters.woken_by_last_release = 0;
}

void count_watch_event(Counters& counters, int64_t cause) {
  ++counters.watch_events;
  if (cause != kNoEvent && cause == counters.last_release) ++counters.woken_by_last_release;
}

}  // namespace

void count(Counters& counters, const Event& event) {
  counters.believers_max = std::max(counters.believers_max, counters.believers);
  if (!is_counted(event.kind)) return;
  const bool stale = event.data.stale;
  if (is_release(event)) count_release(counters, event);
  if (event.kind == EventKind::kWatchFired) count_watch_event(counters, event.cause);
  if (event.kind == EventKind::kSessionExpired) ++counters.sessions_expired;
  if (event.kind == EventKind::kAcquired) count_grant(counters, event.data.token);
  if (event.kind == EventKind::kWriteAccepted) {
    ++counters.writes_accepted;
    if (stale) ++counters.stale_writes_accepted;
  }
  if (event.kind == EventKind::kWriteRefused) {
    ++counters.writes_refused;
    if (stale) ++counters.stale_writes_refused;
  }
}

int64_t count_believers(const Snapshot& snapshot) {
  return std::count_if(snapshot.clients.begin(), snapshot.clients.end(),
                       [](const auto& entry) { return believes_to_hold(entry.second); });
}

// ---- Facts -------------------------------------------------------------------------------------

namespace {

using Names = std::set<std::string_view>;

/// Sessions that have a watch armed somewhere.
Names watching_sessions(const Snapshot& snapshot) {
  Names sessions;
  for (const auto& [id, watch] : snapshot.watches) sessions.insert(watch.session);
  return sessions;
}

/// Clients to which or from which a message is under way that something will follow from. Pings keep a
/// session alive and wake nobody.
Names expecting_clients(const Snapshot& snapshot) {
  Names clients;
  for (const auto& [id, message] : snapshot.messages) {
    const LinkRow* link = find(snapshot.links, message.link);
    if (!link || message.what == "ping" || message.what == "pong") continue;
    clients.insert(link->from);
    clients.insert(link->to);
  }
  return clients;
}

bool is_at_rest(const ClientRow& client) {
  return client.process == Process::kRunning && client.connection == Connection::kConnected &&
         client.unread == 0 && client.inputs == 0 && !client.at_line;
}

/// Where each node of the queue stands in it.
std::map<std::string_view, size_t> places_in(const std::vector<std::string>& queue) {
  std::map<std::string_view, size_t> places;
  for (size_t place = 0; place < queue.size(); ++place) places.emplace(queue[place], place);
  return places;
}

/// (session, path) of each armed data watch.
std::set<std::pair<std::string_view, std::string_view>> data_watches(const Snapshot& snapshot) {
  std::set<std::pair<std::string_view, std::string_view>> watches;
  for (const auto& [id, watch] : snapshot.watches) {
    if (watch.table == WatchTable::kData) watches.emplace(watch.session, watch.path);
  }
  return watches;
}

void count_waiters(const Snapshot& snapshot, const Truth& truth, Facts& facts) {
  const Names watching = watching_sessions(snapshot);
  const Names expecting = expecting_clients(snapshot);
  const auto places = places_in(truth.queue);
  const auto watches = data_watches(snapshot);
  for (const auto& [id, client] : snapshot.clients) {
    if (!believes_to_wait(client)) continue;
    ++facts.waiters;
    if (!is_at_rest(client) || expecting.count(id) > 0) continue;  // It is about to do something.
    if (watching.count(client.session) == 0) ++facts.stuck_waiters;
    const auto place = places.find(zk::name_in(client.node));
    if (client.node.empty() || place == places.end() || place->second == 0) continue;
    const std::string before = path_in(truth.lock_path, truth.queue[place->second - 1]);
    if (watches.count({client.session, before}) == 0) ++facts.chain_breaks;
  }
}

}  // namespace

Facts facts_of(const Snapshot& snapshot, const Truth& truth) {
  Facts facts;
  facts.counters = snapshot.counters;
  facts.believers = count_believers(snapshot);
  facts.holders = truth.holder.empty() ? 0 : 1;
  facts.queue_length = static_cast<int64_t>(truth.queue.size());
  facts.messages_in_flight = static_cast<int64_t>(snapshot.messages.size());
  for (const auto& [id, client] : snapshot.clients) {
    const Danger danger = danger_of(snapshot, truth, id);
    if (danger == Danger::kDangerous) ++facts.dangerous;
    if (danger == Danger::kBehind) ++facts.behind;
  }
  count_waiters(snapshot, truth, facts);
  if (!truth.queue.empty()) {
    const std::string first = path_in(truth.lock_path, truth.queue.front());
    for (const auto& [id, watch] : snapshot.watches) {
      if (watch.path == first) ++facts.watches_on_first;
    }
  }
  return facts;
}

Facts facts_of(const Snapshot& snapshot, std::string_view lock_path) {
  return facts_of(snapshot, truth_of(snapshot, lock_path));
}

}  // namespace lockstep::trace
