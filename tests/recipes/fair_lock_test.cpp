// The fair lock on a fake wire: the test plays ZooKeeper and decides every answer.
#include "recipes/fair_lock.h"

#include <deque>
#include <set>

#include "catch.h"
#include "recipes/shelf.h"

using namespace lockstep;
using namespace lockstep::recipes;

namespace {

constexpr zk::SessionId kSession = 7;
const std::string kPath = "/locks/sku-1";

FairLockOptions with_writes(std::vector<int64_t> writes) {
  FairLockOptions options;
  options.path = kPath;
  options.job.writes = std::move(writes);
  return options;
}

/// A client at the end of a fake wire.
class Wire {
 public:
  explicit Wire(FairLockOptions options) : lock(std::move(options)) { give(Start{}); }

  void give(const Input& input) {
    Outputs out;
    lock.handle(input, now, out);
    for (Output& output : out) outputs.push_back(std::move(output));
  }
  void connect(zk::SessionId session = kSession) {
    give(SessionChanged{zk::SessionState::kConnected, session});
  }
  void disconnect() { give(SessionChanged{zk::SessionState::kDisconnected, 0}); }
  void expire() { give(SessionChanged{zk::SessionState::kExpired, 0}); }
  void line() {
    REQUIRE(lock.ready());
    give(NextLine{});
  }

  /// The next output, which must be of this kind.
  template <class T>
  T take() {
    REQUIRE_FALSE(outputs.empty());
    const T* found = std::get_if<T>(&outputs.front());
    REQUIRE(found != nullptr);
    T output = *found;
    outputs.pop_front();
    return output;
  }
  zk::Request request() { return take<SendRequest>().request; }

  void reply(zk::Error error) {
    zk::Reply answer;
    answer.error = error;
    give(ReplyArrived{answer});
  }
  void created(const std::string& name, zk::Zxid czxid) {
    zk::Reply answer;
    answer.path = kPath + "/" + name;
    answer.stat.czxid = czxid;
    answer.stat.ephemeral_owner = kSession;
    give(ReplyArrived{answer});
  }
  void listed(std::vector<std::string> children) {
    zk::Reply answer;
    answer.children = std::move(children);
    give(ReplyArrived{answer});
  }

  /// Connects, creates `own` and lists `children`; stands at the line `look`.
  void queue_up(const std::string& own, const std::vector<std::string>& children) {
    connect();
    line();
    (void)request();
    created(own, 41);
    line();
    (void)request();
    listed(children);
  }

  FairLock lock;
  TimeUs now = 1000;
  std::deque<Output> outputs;
};

}  // namespace

TEST_CASE("nothing is sent before the session is there") {
  Wire wire(with_writes({}));
  CHECK_FALSE(wire.lock.ready());
  wire.connect();
  wire.line();
  const zk::Request create = wire.request();
  CHECK(create.op == zk::Op::kCreate);
  CHECK(create.mode == zk::CreateMode::kEphemeralSequential);
  CHECK(create.path.starts_with(kPath + "/_c_"));
  CHECK(create.path.ends_with("-lock-"));
}

TEST_CASE("the first node in order of numbers holds the lock, with the czxid as its token") {
  Wire wire(with_writes({70}));
  // By name "a" sorts before "b"; by number it is the other way round.
  wire.queue_up("b-lock-0000000001", {"a-lock-0000000002", "b-lock-0000000001"});
  wire.line();
  CHECK(wire.take<Notice>().kind == NoticeKind::kAcquired);
  CHECK(wire.lock.belief() == Belief::kHolding);
  CHECK(wire.lock.token() == 41);
}

TEST_CASE("a waiter watches the node just before its own, and looks again on every event") {
  Wire wire(with_writes({}));
  wire.queue_up("c-lock-0000000003", {"c-lock-0000000003", "a-lock-0000000002", "b-lock-0000000001"});
  wire.line();  // look
  wire.line();  // watch
  const zk::Request watch = wire.request();
  CHECK(watch.op == zk::Op::kGetData);
  CHECK(watch.path == kPath + "/a-lock-0000000002");
  CHECK(watch.watch);
  wire.reply(zk::Error::kOk);
  CHECK(wire.lock.belief() == Belief::kWaiting);
  CHECK_FALSE(wire.lock.ready());

  // The middle one left: the first still holds, so this client must wait again.
  wire.give(WatchFired{zk::WatchEventType::kNodeDeleted, watch.path});
  wire.line();
  CHECK(wire.request().op == zk::Op::kGetChildren);
  wire.listed({"c-lock-0000000003", "b-lock-0000000001"});
  wire.line();
  CHECK(wire.lock.belief() == Belief::kWaiting);
  CHECK(wire.lock.waits_for() == "b-lock-0000000001");
}

TEST_CASE("an event that is no deletion wakes too") {
  // A predecessor deleted and made again while the client was away arrives as NodeDataChanged.
  Wire wire(with_writes({}));
  wire.queue_up("c-lock-0000000003", {"c-lock-0000000003", "a-lock-0000000002"});
  wire.line();
  wire.line();
  (void)wire.request();
  wire.reply(zk::Error::kOk);
  wire.give(WatchFired{zk::WatchEventType::kNodeDataChanged, kPath + "/a-lock-0000000002"});
  CHECK(wire.lock.line() == FairLockLine::kList);
}

TEST_CASE("a predecessor that is gone before the watch means: list again") {
  Wire wire(with_writes({}));
  wire.queue_up("c-lock-0000000003", {"c-lock-0000000003", "a-lock-0000000002"});
  wire.line();
  wire.line();
  (void)wire.request();
  wire.reply(zk::Error::kNoNode);
  CHECK(wire.lock.line() == FairLockLine::kList);
  CHECK(wire.lock.belief() != Belief::kHolding);
}

TEST_CASE("a create whose reply is lost is looked for before another is made") {
  Wire wire(with_writes({}));
  wire.connect();
  wire.line();
  const std::string prefix = wire.request().path.substr(kPath.size() + 1);
  wire.disconnect();
  wire.reply(zk::Error::kConnectionLoss);
  CHECK_FALSE(wire.lock.ready());
  wire.connect();
  wire.line();
  CHECK(wire.request().op == zk::Op::kGetChildren);

  SECTION("it was applied, by this session: it is the own node") {
    wire.listed({"other-lock-0000000000", prefix + "0000000001"});
    wire.line();
    CHECK(wire.request().op == zk::Op::kExists);
    wire.created(prefix + "0000000001", 9);
    CHECK(wire.lock.node() == kPath + "/" + prefix + "0000000001");
    CHECK(wire.lock.line() == FairLockLine::kList);
  }
  SECTION("it was applied, by a session that is dying: never adopted") {
    wire.listed({prefix + "0000000001"});
    wire.line();
    (void)wire.request();
    zk::Reply stat;
    stat.stat.ephemeral_owner = kSession + 1;
    wire.give(ReplyArrived{stat});
    wire.line();
    const zk::Request again = wire.request();
    CHECK(again.op == zk::Op::kCreate);
    CHECK_FALSE(again.path.ends_with(prefix));  // a GUID of its own
  }
  SECTION("it was not applied: create with the same GUID") {
    wire.listed({});
    wire.line();
    CHECK(wire.request().path == kPath + "/" + prefix);
  }
}

TEST_CASE("a missing parent is created, grandparents first") {
  Wire wire(with_writes({}));
  wire.connect();
  wire.line();
  (void)wire.request();
  wire.reply(zk::Error::kNoNode);
  wire.line();
  CHECK(wire.request().path == "/locks/sku-1");
  wire.reply(zk::Error::kNoNode);
  wire.line();
  CHECK(wire.request().path == "/locks");
  wire.reply(zk::Error::kOk);
  wire.line();
  CHECK(wire.request().mode == zk::CreateMode::kEphemeralSequential);
}

TEST_CASE("a holder that is disconnected starts no write, and looks again before it goes on") {
  Wire wire(with_writes({70}));
  wire.queue_up("a-lock-0000000001", {"a-lock-0000000001"});
  wire.line();
  (void)wire.take<Notice>();
  wire.line();  // work
  (void)wire.take<SetDeadline>();
  wire.give(DeadlinePassed{DeadlineId::kWorkDone});
  REQUIRE(wire.lock.line() == FairLockLine::kWrite);
  wire.disconnect();
  CHECK(wire.take<Notice>().kind == NoticeKind::kSuspended);
  CHECK(wire.lock.belief() == Belief::kSuspended);
  CHECK_FALSE(wire.lock.ready());
  wire.connect();
  wire.line();
  CHECK(wire.request().op == zk::Op::kGetChildren);

  SECTION("still first: it goes on at the very line, with the same token") {
    wire.listed({"a-lock-0000000001"});
    wire.line();
    CHECK(wire.take<Notice>().kind == NoticeKind::kConfirmed);
    wire.line();
    CHECK(wire.take<SendToResource>().token == 41);
  }
  SECTION("the node is gone: lost, and nothing is written") {
    wire.listed({"b-lock-0000000002"});
    wire.line();
    CHECK(wire.take<Notice>().kind == NoticeKind::kLost);
    CHECK(wire.lock.belief() == Belief::kLost);
    CHECK(wire.lock.ended());
  }
}

TEST_CASE("expiry ends ownership for good") {
  Wire wire(with_writes({70}));
  wire.queue_up("a-lock-0000000001", {"a-lock-0000000001"});
  wire.line();
  (void)wire.take<Notice>();
  wire.expire();
  CHECK(wire.take<Notice>().kind == NoticeKind::kLost);
  CHECK(wire.lock.ended());
}

TEST_CASE("a client that requeues after expiry asks for a new session and a new node") {
  FairLockOptions options = with_writes({70});
  options.after_expiry = AfterExpiry::kRequeue;
  Wire wire(options);
  wire.connect();
  wire.line();
  const std::string first = wire.request().path;
  wire.created(first.substr(kPath.size() + 1) + "0000000001", 41);
  wire.expire();
  (void)wire.take<OpenSession>();
  CHECK_FALSE(wire.lock.ready());
  wire.connect(kSession + 1);
  wire.line();
  CHECK(wire.request().path != first);
}

TEST_CASE("a delete whose outcome is unknown is repeated, and NoNode then counts as released") {
  Wire wire(with_writes({}));
  wire.queue_up("a-lock-0000000001", {"a-lock-0000000001"});
  wire.line();
  (void)wire.take<Notice>();
  wire.give(Command{CommandKind::kRelease});
  wire.line();
  CHECK(wire.request().op == zk::Op::kDelete);
  wire.disconnect();
  wire.reply(zk::Error::kOperationTimeout);
  CHECK(wire.lock.belief() == Belief::kReleasing);
  wire.connect();
  wire.line();
  CHECK(wire.request().path == kPath + "/a-lock-0000000001");
  wire.reply(zk::Error::kNoNode);
  CHECK(wire.take<Notice>().kind == NoticeKind::kReleased);
  CHECK(wire.lock.ended());
}

TEST_CASE("told of its expiry while it releases, a client does not claim to have released") {
  const bool sent = GENERATE(false, true);
  const bool more = GENERATE(false, true);  // rounds to come: only for those is there a new session
  FairLockOptions options = with_writes({});
  options.after_expiry = AfterExpiry::kRequeue;
  options.rounds = more ? 2 : 1;
  Wire wire(options);
  wire.queue_up("a-lock-0000000001", {"a-lock-0000000001"});
  wire.line();
  (void)wire.take<Notice>();
  wire.give(Command{CommandKind::kRelease});
  if (sent) wire.line();
  if (sent) CHECK(wire.request().op == zk::Op::kDelete);
  wire.expire();
  CHECK(wire.take<Notice>().kind == NoticeKind::kLost);
  CHECK(wire.lock.rounds_done() == 1);
  if (more) (void)wire.take<OpenSession>();
  CHECK(wire.lock.belief() == (more ? Belief::kAcquiring : Belief::kLost));
  CHECK(wire.outputs.empty());
}

TEST_CASE("a cancel ends in exactly one state, wherever it comes") {
  SECTION("before anything was sent: no node, nothing to delete") {
    Wire wire(with_writes({}));
    wire.connect();
    wire.give(Command{CommandKind::kCancel});
    CHECK(wire.lock.ended());
    CHECK(wire.lock.belief() == Belief::kCancelled);
  }
  SECTION("while the create is under way: the node is deleted once it is known") {
    Wire wire(with_writes({}));
    wire.connect();
    wire.line();
    (void)wire.request();
    wire.give(Command{CommandKind::kCancel});
    wire.created("a-lock-0000000001", 41);
    wire.line();
    CHECK(wire.request().op == zk::Op::kDelete);
    wire.reply(zk::Error::kOk);
    CHECK(wire.take<Notice>().kind == NoticeKind::kCancelled);
  }
  SECTION("while the list is under way, and it would have been first: cancelled wins") {
    Wire wire(with_writes({}));
    wire.connect();
    wire.line();
    (void)wire.request();
    wire.created("a-lock-0000000001", 41);
    wire.line();
    (void)wire.request();
    wire.give(Command{CommandKind::kCancel});
    wire.listed({"a-lock-0000000001"});
    wire.line();
    CHECK(wire.request().op == zk::Op::kDelete);
    CHECK(wire.outputs.empty());
  }
  SECTION("after the grant: too late, the lock is held") {
    Wire wire(with_writes({}));
    wire.queue_up("a-lock-0000000001", {"a-lock-0000000001"});
    wire.line();
    wire.give(Command{CommandKind::kCancel});
    CHECK(wire.lock.belief() == Belief::kHolding);
  }
}

TEST_CASE("a timeout deletes the node, the mistake leaves it behind") {
  for (const bool leave : {false, true}) {
    FairLockOptions options = with_writes({});
    options.acquire_timeout_us = 5 * kSecond;
    options.leave_node_on_timeout = leave;
    Wire wire(options);
    CHECK(wire.take<SetDeadline>().at == 1000 + 5 * kSecond);
    wire.queue_up("b-lock-0000000002", {"a-lock-0000000001", "b-lock-0000000002"});
    wire.line();
    wire.line();
    (void)wire.request();
    wire.reply(zk::Error::kOk);
    wire.give(DeadlinePassed{DeadlineId::kAcquireTimeout});
    CHECK(wire.lock.ready() == !leave);
    if (!leave) {
      wire.line();
      CHECK(wire.request().op == zk::Op::kDelete);
      wire.reply(zk::Error::kOk);
    }
    CHECK(wire.take<Notice>().kind == NoticeKind::kTimedOut);
    CHECK(wire.lock.belief() == Belief::kTimedOut);
  }
}

TEST_CASE("a refused write means that the lock is lost") {
  Wire wire(with_writes({70, 60}));
  wire.queue_up("a-lock-0000000001", {"a-lock-0000000001"});
  wire.line();
  (void)wire.take<Notice>();
  wire.line();
  (void)wire.take<SetDeadline>();
  wire.give(DeadlinePassed{DeadlineId::kWorkDone});
  wire.line();
  const SendToResource write = wire.take<SendToResource>();
  CHECK(write.value == 70);
  CHECK(write.token == 41);
  wire.give(ResourceReplied{.accepted = false, .value = 1, .token_max = 50});
  CHECK(wire.take<Notice>().kind == NoticeKind::kLost);
  wire.line();
  CHECK(wire.request().op == zk::Op::kDelete);  // tidies up, and writes no second value
}

TEST_CASE("each mistake changes exactly what it says") {
  const std::vector<std::string> children = {"a-lock-0000000001", "b-lock-0000000002", "c-lock-0000000003"};
  SECTION("watch the smallest") {
    FairLockOptions options = with_writes({});
    options.watch = WatchTarget::kSmallest;
    Wire wire(options);
    wire.queue_up("c-lock-0000000003", children);
    wire.line();
    wire.line();
    CHECK(wire.request().path == kPath + "/a-lock-0000000001");
  }
  SECTION("watch the children") {
    FairLockOptions options = with_writes({});
    options.watch = WatchTarget::kChildren;
    Wire wire(options);
    wire.connect();
    wire.line();
    (void)wire.request();
    wire.created("c-lock-0000000003", 41);
    wire.line();
    CHECK(wire.request().watch);
    wire.listed(children);
    wire.line();
    CHECK(wire.lock.line() == FairLockLine::kWait);
    CHECK(wire.outputs.empty());
  }
  SECTION("believe the wake-up") {
    FairLockOptions options = with_writes({});
    options.believe_wake_up = true;
    Wire wire(options);
    wire.queue_up("c-lock-0000000003", children);
    wire.line();
    wire.line();
    (void)wire.request();
    wire.reply(zk::Error::kOk);
    wire.give(WatchFired{zk::WatchEventType::kNodeDeleted, kPath + "/b-lock-0000000002"});
    CHECK(wire.take<Notice>().kind == NoticeKind::kAcquired);
  }
  SECTION("ignore session events") {
    FairLockOptions options = with_writes({70});
    options.ignore_session_events = true;
    Wire wire(options);
    wire.queue_up("a-lock-0000000001", {"a-lock-0000000001"});
    wire.line();
    (void)wire.take<Notice>();
    wire.disconnect();
    wire.expire();
    CHECK(wire.outputs.empty());
    CHECK(wire.lock.belief() == Belief::kHolding);
    CHECK(wire.lock.ready());
  }
  SECTION("check in the client: it asks, and then writes on the strength of an old answer") {
    FairLockOptions options = with_writes({70});
    options.check_in_client = true;
    Wire wire(options);
    wire.queue_up("a-lock-0000000001", {"a-lock-0000000001"});
    wire.line();
    (void)wire.take<Notice>();
    wire.line();
    (void)wire.take<SetDeadline>();
    wire.give(DeadlinePassed{DeadlineId::kWorkDone});
    wire.line();
    CHECK(wire.take<SendToResource>().read_only);
    wire.give(ResourceReplied{.accepted = true, .value = 1, .token_max = 41});
    CHECK(wire.lock.line() == FairLockLine::kWrite);
    wire.line();
    CHECK_FALSE(wire.take<SendToResource>().read_only);
  }
  SECTION("create again: a lost reply leaves the first node in front of the second") {
    FairLockOptions options = with_writes({});
    options.lost_create_reply = LostCreateReply::kCreateAgain;
    Wire wire(options);
    wire.connect();
    wire.line();
    const std::string first = wire.request().path;
    wire.reply(zk::Error::kConnectionLoss);
    CHECK(wire.lock.line() == FairLockLine::kCreate);
    wire.line();
    CHECK(wire.request().path == first);
  }
  SECTION("the order of whole names: a newcomer whose GUID is lower goes first") {
    FairLockOptions options = with_writes({});
    options.queue_order = QueueOrder::kWholeName;
    Wire wire(options);
    wire.queue_up("a-lock-0000000002", {"a-lock-0000000002", "b-lock-0000000001"});
    wire.line();
    CHECK(wire.take<Notice>().kind == NoticeKind::kAcquired);
    Wire behind(options);
    behind.queue_up("c-lock-0000000001", {"a-lock-0000000002", "b-lock-0000000003", "c-lock-0000000001"});
    behind.line();
    CHECK(behind.lock.waits_for() == "b-lock-0000000003");
  }
  SECTION("believe after a reconnect: even in a new session") {
    FairLockOptions options = with_writes({70});
    options.after_reconnect = AfterReconnect::kBelieve;
    Wire wire(options);
    wire.queue_up("a-lock-0000000001", {"a-lock-0000000001"});
    wire.line();
    (void)wire.take<Notice>();
    wire.disconnect();
    CHECK(wire.take<Notice>().kind == NoticeKind::kSuspended);
    wire.expire();
    (void)wire.take<OpenSession>();
    CHECK(wire.lock.belief() == Belief::kSuspended);
    wire.connect(kSession + 1);
    CHECK(wire.take<Notice>().kind == NoticeKind::kConfirmed);
    CHECK(wire.lock.belief() == Belief::kHolding);
  }
  SECTION("release the smallest: who gives up deletes the holder's node") {
    FairLockOptions options = with_writes({});
    options.released_node = ReleasedNode::kSmallest;
    Wire wire(options);
    wire.queue_up("c-lock-0000000003", children);
    wire.line();
    wire.give(Command{CommandKind::kCancel});
    wire.line();
    CHECK(wire.request().path == kPath + "/a-lock-0000000001");
  }
  SECTION("forget early events: one that comes before the wait is lost, one after wakes") {
    for (const bool early : {false, true}) {
      FairLockOptions options = with_writes({});
      options.forget_early_events = true;
      Wire wire(options);
      wire.queue_up("c-lock-0000000003", children);
      wire.line();
      wire.line();
      (void)wire.request();
      wire.reply(zk::Error::kOk);
      CHECK(wire.lock.line() == FairLockLine::kWait);
      const WatchFired event{zk::WatchEventType::kNodeDeleted, kPath + "/b-lock-0000000002"};
      if (early) wire.give(event);
      wire.line();
      if (!early) wire.give(event);
      CHECK((wire.lock.line() == FairLockLine::kList) == !early);
    }
  }
  SECTION("tokens from a UUID or from a clock that is ahead") {
    FairLockOptions options = with_writes({});
    options.token = TokenSource::kClock;
    options.clock_ahead_us = 5 * kSecond;
    Wire wire(options);
    wire.now = 2 * kSecond;
    wire.queue_up("a-lock-0000000001", {"a-lock-0000000001"});
    wire.line();
    CHECK(wire.lock.token() == 7000);
    std::set<int64_t> tokens;
    for (uint64_t seed = 1; seed <= 20; ++seed) {
      options.token = TokenSource::kUuid;
      options.guid_seed = seed;
      Wire other(options);
      other.queue_up("a-lock-0000000001", {"a-lock-0000000001"});
      other.line();
      CHECK(other.lock.token() >= 0);
      tokens.insert(other.lock.token());
    }
    CHECK(tokens.size() == 20);
  }
  SECTION("a vanished predecessor is taken for the lock, or ignored") {
    for (const VanishedPredecessor mistake : {VanishedPredecessor::kTakeForLock, VanishedPredecessor::kIgnore}) {
      FairLockOptions options = with_writes({});
      options.vanished_predecessor = mistake;
      Wire wire(options);
      wire.queue_up("c-lock-0000000003", children);
      wire.line();
      wire.line();
      (void)wire.request();
      wire.reply(zk::Error::kNoNode);
      const bool holds = mistake == VanishedPredecessor::kTakeForLock;
      CHECK((wire.lock.belief() == Belief::kHolding) == holds);
      CHECK((wire.lock.belief() == Belief::kWaiting) == !holds);
    }
  }
}

TEST_CASE("every line that a machine can stand on is in its listing, for all options") {
  std::set<int> numbers;
  FairLockOptions options = with_writes({70});
  for (const bool check : {false, true}) {
    options.check_in_client = check;
    for (const ListingLine& line : fair_lock_listing(options)) {
      numbers.insert(line.number);
      CHECK_FALSE(line.pseudo.empty());
      CHECK_FALSE(line.java.empty());
      CHECK(line.id == fair_lock_line_id(line.number));
      CHECK(line_named(Recipe(FairLock(options)), line.id) == line.number);
    }
  }
  for (int line = static_cast<int>(FairLockLine::kCreate); line <= static_cast<int>(FairLockLine::kRelease); ++line) {
    CHECK(numbers.count(line) == 1);
  }
}

TEST_CASE("a mistake is marked in the listing, and the right lock has no marked line") {
  const auto marked = [](const FairLockOptions& options) {
    int count = 0;
    for (const ListingLine& line : fair_lock_listing(options)) count += line.mistake ? 1 : 0;
    return count;
  };
  CHECK(marked(with_writes({70})) == 0);
  FairLockOptions options = with_writes({70});
  options.watch = WatchTarget::kSmallest;
  CHECK(marked(options) == 1);
  options = with_writes({70});
  options.believe_wake_up = true;
  CHECK(marked(options) == 1);
  options = with_writes({70});
  options.vanished_predecessor = VanishedPredecessor::kIgnore;
  CHECK(marked(options) == 1);
  options = with_writes({70});
  options.leave_node_on_timeout = true;
  options.acquire_timeout_us = kSecond;
  CHECK(marked(options) == 1);
  options = with_writes({70});
  options.lost_create_reply = LostCreateReply::kCreateAgain;
  CHECK(marked(options) == 1);
  options = with_writes({70});
  options.queue_order = QueueOrder::kWholeName;
  CHECK(marked(options) == 1);
  options = with_writes({70});
  options.after_reconnect = AfterReconnect::kBelieve;
  CHECK(marked(options) == 1);
  options = with_writes({70});
  options.released_node = ReleasedNode::kSmallest;
  CHECK(marked(options) == 1);
  options = with_writes({70});
  options.forget_early_events = true;
  CHECK(marked(options) == 1);
  for (const TokenSource token : {TokenSource::kUuid, TokenSource::kClock}) {
    options = with_writes({70});
    options.token = token;
    CHECK(marked(options) == 1);
  }
}

TEST_CASE("a recipe is a regular value: copies are equal, hash alike, and go their own ways") {
  Wire wire(with_writes({}));
  wire.connect();
  const FairLock copy = wire.lock;
  CHECK(copy == wire.lock);
  CHECK(hash_of(copy) == hash_of(wire.lock));
  wire.line();
  CHECK_FALSE(copy == wire.lock);
  CHECK(hash_of(copy) != hash_of(wire.lock));
}
