#include "live/zookeeper_session.h"

#include <sys/eventfd.h>
#include <unistd.h>
#include <zookeeper/zookeeper.h>

#include <cerrno>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>

#include "live/monotonic.h"
#include "recipes/paths.h"

namespace lockstep::live {

/// The queue between the library's threads and the owner's. The callbacks of every session that we have
/// had share it, but only those of the current one are heard.
struct SessionInbox {
  Descriptor event{eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
  std::mutex mutex;
  std::deque<SessionNews> news;
  uint32_t current = 0;

  void put(uint32_t from, SessionNews one) {
    one.time_us = monotonic_us();
    const std::lock_guard lock(mutex);
    if (from != current) return;
    news.push_back(std::move(one));
    const uint64_t increment = 1;
    [[maybe_unused]] const ssize_t written = write(event.get(), &increment, sizeof increment);
  }
};

/// One session of the library. Lives until the library has promised no more callbacks.
struct ZookeeperSession::Connection {
  std::shared_ptr<SessionInbox> inbox;
  uint32_t number = 0;
  zhandle_t* handle = nullptr;
  bool connected = false;  // as last told; of the callback thread alone

  void put(SessionNews news) const { inbox->put(number, std::move(news)); }
};

namespace {

using Connection = ZookeeperSession::Connection;

/// An ACL as the library wants it: it points into the entries that it was made of.
class AclList {
 public:
  AclList() = default;
  explicit AclList(std::vector<zk::Acl> entries) : entries_(std::move(entries)) {
    for (zk::Acl& entry : entries_) {
      pointers_.push_back({entry.perms, {entry.id.scheme.data(), entry.id.id.data()}});
    }
    vector_ = {static_cast<int32_t>(pointers_.size()), pointers_.data()};
  }
  AclList(const AclList&) = delete;
  AclList& operator=(const AclList&) = delete;

  /// An empty list is open to everybody.
  ACL_vector* get() { return pointers_.empty() ? &ZOO_OPEN_ACL_UNSAFE : &vector_; }

 private:
  std::vector<zk::Acl> entries_;
  std::vector<::ACL> pointers_;
  ACL_vector vector_ = {};
};

/// Handed to the library with a request, and given back with its completion.
struct Asked {
  const Connection* connection = nullptr;
  zk::Request request;
  // Of a multi: what the library reads when it sends, and where it writes what came of each operation.
  std::vector<zoo_op_t> ops = {};
  std::vector<zoo_op_result_t> results = {};
  std::vector<std::string> paths = {};
  std::vector<::Stat> stats = {};
  std::vector<std::unique_ptr<AclList>> acls = {};
};

zk::Stat stat_of(const ::Stat* stat) {
  if (!stat) return {};
  return {.czxid = stat->czxid,
          .mzxid = stat->mzxid,
          .ctime = stat->ctime,
          .mtime = stat->mtime,
          .version = stat->version,
          .cversion = stat->cversion,
          .aversion = stat->aversion,
          .ephemeral_owner = stat->ephemeralOwner,
          .data_length = stat->dataLength,
          .num_children = stat->numChildren,
          .pzxid = stat->pzxid};
}

int mode_of(zk::CreateMode mode) {
  switch (mode) {
    case zk::CreateMode::kPersistent: return ZOO_PERSISTENT;
    case zk::CreateMode::kEphemeral: return ZOO_EPHEMERAL;
    case zk::CreateMode::kPersistentSequential: return ZOO_PERSISTENT_SEQUENTIAL;
    case zk::CreateMode::kEphemeralSequential: return ZOO_EPHEMERAL_SEQUENTIAL;
    case zk::CreateMode::kContainer: return ZOO_CONTAINER;
    case zk::CreateMode::kPersistentWithTtl: return ZOO_PERSISTENT_WITH_TTL;
    case zk::CreateMode::kPersistentSequentialWithTtl: return ZOO_PERSISTENT_SEQUENTIAL_WITH_TTL;
  }
  return ZOO_PERSISTENT;
}

bool watch_type_of(int type, zk::WatchEventType& out) {
  if (type == ZOO_CREATED_EVENT) {
    out = zk::WatchEventType::kNodeCreated;
  } else if (type == ZOO_DELETED_EVENT) {
    out = zk::WatchEventType::kNodeDeleted;
  } else if (type == ZOO_CHANGED_EVENT) {
    out = zk::WatchEventType::kNodeDataChanged;
  } else if (type == ZOO_CHILD_EVENT) {
    out = zk::WatchEventType::kNodeChildrenChanged;
  } else {
    return false;
  }
  return true;
}

// ---- Callbacks: in the library's threads; they only put news into the queue --------------------------

void answer(const void* data, zk::Reply reply, int code) {
  const std::unique_ptr<const Asked> asked(static_cast<const Asked*>(data));
  reply.error = static_cast<zk::Error>(code);
  asked->connection->put(
      {.input = recipes::ReplyArrived{std::move(reply)}, .request = asked->request});
}

void on_created(int code, const char* path, const ::Stat* stat, const void* data) {
  zk::Reply reply;
  if (code == ZOK && path) reply.path = path;
  if (code == ZOK) reply.stat = stat_of(stat);
  answer(data, std::move(reply), code);
}

void on_done(int code, const void* data) { answer(data, {}, code); }

void on_stat(int code, const ::Stat* stat, const void* data) {
  zk::Reply reply;
  if (code == ZOK) reply.stat = stat_of(stat);
  answer(data, std::move(reply), code);
}

void on_data(int code, const char* value, int length, const ::Stat* stat, const void* data) {
  zk::Reply reply;
  if (code == ZOK && value && length > 0) reply.data.assign(value, static_cast<size_t>(length));
  if (code == ZOK) reply.stat = stat_of(stat);
  answer(data, std::move(reply), code);
}

void on_children(int code, const String_vector* names, const ::Stat* stat, const void* data) {
  zk::Reply reply;
  for (int32_t i = 0; code == ZOK && names && i < names->count; ++i) {
    reply.children.insert(names->data[i]);
  }
  if (code == ZOK) reply.stat = stat_of(stat);
  answer(data, std::move(reply), code);
}

void on_multi(int code, const void* data) {
  const auto* asked = static_cast<const Asked*>(data);
  zk::Reply reply;
  for (size_t i = 0; i < asked->results.size(); ++i) {
    const zoo_op_result_t& result = asked->results[i];
    zk::OpResult& one = reply.results.emplace_back();
    one.error = static_cast<zk::Error>(result.err);
    const zk::Op op = asked->request.ops[i].op;
    if (op == zk::Op::kCreate && result.value) one.path = result.value;
    if (op == zk::Op::kSetData) one.stat = stat_of(result.stat);
  }
  answer(data, std::move(reply), code);
}

void on_acl(int code, ACL_vector* list, ::Stat* stat, const void* data) {
  zk::Reply reply;
  for (int32_t i = 0; code == ZOK && list && i < list->count; ++i) {
    const ::ACL& entry = list->data[i];
    reply.acl.push_back({entry.perms, {entry.id.scheme, entry.id.id}});
  }
  if (code == ZOK) reply.stat = stat_of(stat);
  answer(data, std::move(reply), code);
}

void on_synced(int code, const char*, const void* data) { answer(data, {}, code); }

void on_nudged(int, const ::Stat*, const void*) {}

void on_watch(zhandle_t*, int type, int, const char* path, void* context) {
  recipes::WatchFired fired;
  if (!watch_type_of(type, fired.type)) return;  // A session event: on_session has it.
  if (path) fired.path = path;
  static_cast<const Connection*>(context)->put({.input = fired});
}

void on_session(zhandle_t* handle, int type, int state, const char*, void* context) {
  if (type != ZOO_SESSION_EVENT) return;
  auto* connection = static_cast<Connection*>(context);
  const auto tell = [&](zk::SessionState changed) {
    connection->put({.input = recipes::SessionChanged{changed, 0}});
  };
  if (state == ZOO_CONNECTED_STATE) {
    connection->connected = true;
    const clientid_t* id = zoo_client_id(handle);
    connection->put({.input = recipes::SessionChanged{zk::SessionState::kConnected, id->client_id},
                     .timeout_us = zoo_recv_timeout(handle) * kMillisecond,
                     .password = std::string(id->passwd, sizeof id->passwd)});
  } else if (state == ZOO_EXPIRED_SESSION_STATE) {
    if (connection->connected) tell(zk::SessionState::kDisconnected);
    connection->connected = false;
    tell(zk::SessionState::kExpired);
  } else if (state == ZOO_AUTH_FAILED_STATE) {
    connection->connected = false;
    tell(zk::SessionState::kAuthFailed);
  } else if (connection->connected) {  // Connecting again.
    connection->connected = false;
    tell(zk::SessionState::kDisconnected);
  }
}

/// Fits the name of any sequential node.
constexpr size_t kNumberBytes = 12;

/// False for what the library's multi does not know: other operations, and the containers whose answer it
/// misreads.
bool init_op(const zk::Request& request, ACL_vector* acl, zoo_op_t& op, std::string& path,
             ::Stat& stat) {
  const auto size = static_cast<int>(request.data.size());
  switch (request.op) {
    case zk::Op::kCreate:
      if (request.mode == zk::CreateMode::kContainer || zk::has_ttl(request.mode)) return false;
      path.resize(request.path.size() + kNumberBytes);
      zoo_create_op_init(&op, request.path.c_str(), request.data.c_str(), size, acl, mode_of(request.mode),
                         path.data(), static_cast<int>(path.size()));
      return true;
    case zk::Op::kDelete: zoo_delete_op_init(&op, request.path.c_str(), request.version); return true;
    case zk::Op::kSetData:
      zoo_set_op_init(&op, request.path.c_str(), request.data.c_str(), size, request.version, &stat);
      return true;
    case zk::Op::kCheck: zoo_check_op_init(&op, request.path.c_str(), request.version); return true;
    default: return false;
  }
}

/// True if the library would say ZMARSHALLINGERROR only after having freed what it never had: once one operation
/// is not to its liking, it looks at those after it no more, but cleans up after them (3.8.0).
bool would_crash(zhandle_t* handle, const std::vector<zk::Request>& ops) {
  for (size_t i = 0; i + 1 < ops.size(); ++i) {
    const bool sequential = ops[i].op == zk::Op::kCreate && zk::is_sequential(ops[i].mode);
    if (is_unrecoverable(handle) || !zk::is_valid_for_c(ops[i].path, sequential)) return true;
  }
  return false;
}

int submit_multi(zhandle_t* handle, Asked* asked) {
  const size_t count = asked->request.ops.size();
  asked->ops.resize(count);
  asked->results.resize(count);
  asked->paths.resize(count);
  asked->stats.resize(count);
  for (size_t i = 0; i < count; ++i) {
    const zk::Request& op = asked->request.ops[i];
    asked->acls.push_back(std::make_unique<AclList>(op.acl));
    if (!init_op(op, asked->acls.back()->get(), asked->ops[i], asked->paths[i], asked->stats[i])) {
      return ZUNIMPLEMENTED;
    }
  }
  if (would_crash(handle, asked->request.ops)) return ZMARSHALLINGERROR;
  return zoo_amulti(handle, static_cast<int>(count), asked->ops.data(), asked->results.data(), on_multi,
                    asked);
}

int add_auth(zhandle_t* handle, const zk::Request& request, Asked* asked) {
  if (request.acl.size() != 1) return ZBADARGUMENTS;
  const zk::Id& credentials = request.acl.front().id;
  return zoo_add_auth(handle, credentials.scheme.c_str(), credentials.id.data(),
                      static_cast<int>(credentials.id.size()), on_done, asked);
}

int submit(zhandle_t* handle, const zk::Request& request, Connection* connection, Asked* asked) {
  const char* path = request.path.c_str();
  const auto size = static_cast<int>(request.data.size());
  const watcher_fn watcher = request.watch ? on_watch : nullptr;
  AclList acl(request.acl);
  switch (request.op) {
    case zk::Op::kCreate:
      return zoo_acreate2_ttl(handle, path, request.data.c_str(), size, acl.get(), mode_of(request.mode),
                              zk::has_ttl(request.mode) ? request.ttl_ms : -1, on_created, asked);
    case zk::Op::kDelete: return zoo_adelete(handle, path, request.version, on_done, asked);
    case zk::Op::kExists: return zoo_awexists(handle, path, watcher, connection, on_stat, asked);
    case zk::Op::kGetData: return zoo_awget(handle, path, watcher, connection, on_data, asked);
    case zk::Op::kSetData:
      return zoo_aset(handle, path, request.data.c_str(), size, request.version, on_stat, asked);
    case zk::Op::kGetChildren:
      return zoo_awget_children2(handle, path, watcher, connection, on_children, asked);
    case zk::Op::kSync: return zoo_async(handle, path, on_synced, asked);
    case zk::Op::kMulti: return submit_multi(handle, asked);
    case zk::Op::kGetAcl: return zoo_aget_acl(handle, path, on_acl, asked);
    case zk::Op::kSetAcl:
      return zoo_aset_acl(handle, path, request.version, acl.get(), on_done, asked);
    case zk::Op::kAddAuth: return add_auth(handle, request, asked);
    case zk::Op::kCheck: return ZUNIMPLEMENTED;  // the library knows it inside a multi only
  }
  return ZBADARGUMENTS;
}

}  // namespace

// ---- The owner's side ----------------------------------------------------------------------------

ZookeeperSession::ZookeeperSession(SessionOptions options)
    : options_(std::move(options)), inbox_(std::make_shared<SessionInbox>()) {
  zoo_set_debug_level(static_cast<ZooLogLevel>(0));  // What matters comes as news.
  if (options_.in_order) zoo_deterministic_conn_order(1);
}

ZookeeperSession::~ZookeeperSession() { close(); }

std::vector<scenario::Problem> ZookeeperSession::open() {
  uint32_t number = 0;
  {
    const std::lock_guard lock(inbox_->mutex);
    number = ++inbox_->current;
    inbox_->news.clear();
  }
  close();
  connection_ = std::make_unique<Connection>();
  connection_->inbox = inbox_;
  connection_->number = number;
  connection_->handle = zookeeper_init(options_.connect.c_str(), on_session,
                                       static_cast<int>(options_.timeout_us / kMillisecond),
                                       nullptr, connection_.get(), 0);
  if (connection_->handle) return {};
  const int error = errno;
  connection_.reset();
  return {{options_.connect, "",
           std::string("libzookeeper cannot use these addresses: ") + std::strerror(error),
           scenario::ProblemKind::kEnvironment}};
}

void ZookeeperSession::close() {
  if (!connection_) return;
  zookeeper_close(connection_->handle);  // Completes what is outstanding, then calls back no more.
  connection_.reset();
}

void ZookeeperSession::send(const zk::Request& request) {
  if (!connection_) return;
  auto asked = std::make_unique<Asked>(Asked{connection_.get(), request});
  const int code = submit(connection_->handle, request, connection_.get(), asked.get());
  if (code == ZOK) {
    asked.release();  // Its completion owns it now.
  } else {
    zk::Reply reply;
    reply.error = static_cast<zk::Error>(code);
    connection_->put({.input = recipes::ReplyArrived{std::move(reply)}, .request = request});
  }
}

void ZookeeperSession::nudge() {
  if (connection_) zoo_aexists(connection_->handle, "/", 0, on_nudged, nullptr);
}

int ZookeeperSession::wake() const { return inbox_->event.get(); }

bool ZookeeperSession::take(SessionNews& news) {
  const std::lock_guard lock(inbox_->mutex);
  if (inbox_->news.empty()) {
    uint64_t count = 0;
    [[maybe_unused]] const ssize_t drained = read(inbox_->event.get(), &count, sizeof count);
    return false;
  }
  news = std::move(inbox_->news.front());
  inbox_->news.pop_front();
  return true;
}

}  // namespace lockstep::live
