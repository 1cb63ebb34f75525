#include "conformance/plan.h"

#include <array>
#include <random>

#include "sim/acl.h"

namespace lockstep::conformance {
namespace {

/// What a seat can do next.
enum class Seat : uint8_t {
  kEmpty,
  kConnected,
  kAway,
  kUseless,  ///< its credentials were refused: the session lives, and its handle does nothing any more
};

/// Credentials that no server knows.
bool is_refused(const zk::Request& request) {
  return request.op == zk::Op::kAddAuth && request.acl.front().id.scheme != "digest";
}

/// The seats as they are after the steps so far.
class Seats {
 public:
  Seat at(uint32_t place) const { return seats_[place]; }
  /// True if time may go by without anybody's session ending but this one's.
  bool may_expire(uint32_t place) const {
    for (const Seat seat : seats_) {
      if (seat == Seat::kAway || seat == Seat::kUseless) return false;
    }
    return seats_[place] == Seat::kConnected && brief_[place];
  }

  /// False if the step is not possible now.
  bool take(const Step& step) {
    Seat& seat = seats_[step.place];
    if (!is_possible(step)) return false;
    switch (step.act) {
      case Act::kOpen: brief_[step.place] = step.timeout_us == kBrief; [[fallthrough]];
      case Act::kRegain: seat = Seat::kConnected; break;
      case Act::kRequest: seat = is_refused(step.request) ? Seat::kUseless : seat; break;
      case Act::kLose: seat = Seat::kAway; break;
      case Act::kFail: break;
      case Act::kEnd:
      case Act::kClose:
      case Act::kExpire: seat = Seat::kEmpty; break;
    }
    return true;
  }

 private:
  bool is_possible(const Step& step) const {
    const Seat seat = seats_[step.place];
    switch (step.act) {
      case Act::kOpen: return seat == Seat::kEmpty;
      case Act::kRequest: return may_ask(seat, step.request.op);
      case Act::kLose:
      case Act::kClose: return seat == Seat::kConnected;
      case Act::kFail:
      case Act::kRegain: return seat == Seat::kAway;
      case Act::kEnd: return seat == Seat::kConnected || seat == Seat::kUseless;
      case Act::kExpire: return may_expire(step.place);
    }
    return false;
  }
  /// What the C library makes of a multi on a useless handle, and of credentials between two attempts to connect,
  /// tells nothing of servers.
  static bool may_ask(Seat seat, zk::Op op) {
    if (seat == Seat::kAway) return op != zk::Op::kAddAuth;
    return seat == Seat::kConnected || (seat == Seat::kUseless && op != zk::Op::kMulti);
  }

  std::array<Seat, kPlaces> seats_ = {};
  std::array<bool, kPlaces> brief_ = {};
};

class Draw {
 public:
  explicit Draw(uint64_t seed) : bits_(seed) {}

  uint32_t below(uint32_t bound) { return static_cast<uint32_t>(bits_() % bound); }
  bool one_in(uint32_t count) { return below(count) == 0; }
  template <class T, size_t N>
  const T& one_of(const std::array<T, N>& all) {
    return all[below(N)];
  }

 private:
  std::mt19937_64 bits_;
};

/// Few paths, so that sessions meet; some lie below others, and below nodes that may be ephemeral.
std::string path(Draw& draw) {
  static constexpr std::array<const char*, 4> kTops = {"/a", "/b", "/a", "/c"};
  static constexpr std::array<const char*, 3> kNames = {"/x", "/y", "/z"};
  // What the C library refuses, what servers do, and what is fine.
  static constexpr std::array<const char*, 10> kOdd = {
      "/", "//x", "/.", "/..", "/../x", "/\x01", "/\x1f", "/\x7f", "/\xc2\x80", "/\xe9\x94\x81"};
  std::string path = draw.one_of(kTops);
  if (draw.one_in(5)) return path;
  if (draw.one_in(3)) {
    // A name that the server may have given to a sequential node.
    return path + "/n-" + zk::sequence_suffix(static_cast<int32_t>(draw.below(12)));
  }
  path += draw.one_of(kNames);
  while (path.size() < 14 && draw.one_in(4)) path += draw.one_of(kNames);
  return draw.one_in(60) ? path + draw.one_of(kOdd) : path;
}

constexpr std::array<const char*, 3> kUsers = {"ann:one", "bob:two", "bob:three"};

/// One entry, some of them such that the server refuses the list.
zk::Acl entry(Draw& draw) {
  static constexpr std::array<int32_t, 6> kPerms = {zk::kPermAll,
                                                    zk::kPermAll,
                                                    zk::kPermRead,
                                                    zk::kPermRead | zk::kPermWrite,
                                                    zk::kPermAll & ~zk::kPermAdmin,
                                                    zk::kPermCreate | zk::kPermDelete};
  static const std::array<zk::Id, 6> kRefused = {
      zk::Id{"world", "somebody"}, {"digest", "ann"}, {"digest", "a:b:c"}, {"digest", ":"}, {"nosuch", "x"}, {"super", ""}};
  const int32_t perms = draw.one_of(kPerms);
  const uint32_t what = draw.below(20);
  if (what < 7) return {perms, {"world", "anyone"}};
  if (what < 12) return {perms, {"auth", draw.one_in(2) ? "" : "ignored"}};
  if (what < 18) return {perms, {"digest", sim::digest_of(draw.one_of(kUsers))}};
  if (what < 19) return {perms, {"digest", "ann:guessed::"}};
  return {perms, draw.one_of(kRefused)};
}

std::vector<zk::Acl> acl(Draw& draw) {
  if (draw.one_in(3)) return {};
  std::vector<zk::Acl> entries = {entry(draw)};
  while (draw.one_in(2)) entries.push_back(draw.one_in(4) ? entries.front() : entry(draw));
  return entries;
}

zk::Request add_auth(Draw& draw) {
  zk::Request request{.op = zk::Op::kAddAuth};
  request.acl = {{.id = {draw.one_in(12) ? "nosuch" : "digest", draw.one_of(kUsers)}}};
  return request;
}

zk::Request create(Draw& draw) {
  using zk::CreateMode;
  static constexpr std::array<CreateMode, 4> kModes = {
      CreateMode::kPersistent, CreateMode::kEphemeral, CreateMode::kPersistentSequential,
      CreateMode::kEphemeralSequential};
  static constexpr std::array<CreateMode, 4> kRareModes = {
      CreateMode::kContainer, CreateMode::kContainer, CreateMode::kPersistentWithTtl,
      CreateMode::kPersistentSequentialWithTtl};
  zk::Request request{.op = zk::Op::kCreate, .path = path(draw), .mode = draw.one_of(kModes)};
  if (draw.one_in(10)) request.mode = draw.one_of(kRareModes);
  if (zk::has_ttl(request.mode)) request.ttl_ms = draw.below(3) * 1000;
  if (zk::is_sequential(request.mode)) {
    static constexpr std::array<const char*, 6> kPrefixes = {"/a/n-", "/b/n-", "/a/n-", "/b/n-", "/a/", "/b/.."};
    request.path = draw.one_of(kPrefixes);
  }
  if (draw.one_in(2)) request.data = std::string(draw.below(5), 'd');
  if (draw.one_in(6)) request.acl = acl(draw);
  return request;
}

int32_t drawn_version(Draw& draw) { return draw.one_in(3) ? static_cast<int32_t>(draw.below(3)) : -1; }

/// One of what a multi may hold.
zk::Request part(Draw& draw) {
  const uint32_t what = draw.below(100);
  if (what < 45) return create(draw);
  if (what < 65) return {.op = zk::Op::kDelete, .path = path(draw), .version = drawn_version(draw)};
  if (what < 85)
    return {.op = zk::Op::kSetData, .path = path(draw), .data = "part", .version = drawn_version(draw)};
  return {.op = zk::Op::kCheck, .path = path(draw), .version = drawn_version(draw)};
}

/// Mostly of few parts, so that many succeed as a whole.
zk::Request multi(Draw& draw) {
  zk::Request request{.op = zk::Op::kMulti};
  const uint32_t parts = draw.one_in(4) ? draw.below(6) : 1 + draw.below(2);
  for (uint32_t i = 0; i < parts; ++i) request.ops.push_back(part(draw));
  return request;
}

zk::Request request(Draw& draw) {
  const uint32_t what = draw.below(130);
  const bool watch = !draw.one_in(3);
  const int32_t version = drawn_version(draw);
  if (what >= 127) return add_auth(draw);
  if (what >= 123) return {.op = zk::Op::kSetAcl, .path = path(draw), .version = version, .acl = acl(draw)};
  if (what >= 115) return {.op = zk::Op::kGetAcl, .path = path(draw)};
  if (what >= 100) return multi(draw);
  if (what < 34) return create(draw);
  if (what < 54) return {.op = zk::Op::kDelete, .path = path(draw), .version = version};
  if (what < 64)
    return {.op = zk::Op::kSetData, .path = path(draw), .data = "new", .version = version};
  if (what < 76) return {.op = zk::Op::kExists, .path = path(draw), .watch = watch};
  if (what < 86) return {.op = zk::Op::kGetData, .path = path(draw), .watch = watch};
  if (what < 98) return {.op = zk::Op::kGetChildren, .path = path(draw), .watch = watch};
  return {.op = zk::Op::kSync, .path = path(draw)};
}

/// One step that is possible for a seat.
Step step_for(Draw& draw, uint32_t place, const Seats& seats) {
  static constexpr std::array<TimeUs, 5> kTimeouts = {10 * kSecond, 60 * kSecond, 4'250 * kMillisecond, kBrief, kBrief};
  const auto acts = [&](Act act) { return Step{.act = act, .place = place}; };
  const Seat seat = seats.at(place);
  const uint32_t what = draw.below(800);
  if (seat == Seat::kEmpty) return {.act = Act::kOpen, .place = place, .timeout_us = draw.one_of(kTimeouts), .server = draw.below(60)};
  if (seat == Seat::kAway && what < 250) return {.act = Act::kRegain, .place = place, .server = draw.below(60)};
  if (seat == Seat::kAway && what < 300) return acts(Act::kFail);
  if (seat == Seat::kUseless && what < 200) return acts(Act::kEnd);
  if (seat == Seat::kConnected && what < 6) return acts(Act::kLose);
  if (seat == Seat::kConnected && what < 13) return acts(what < 10 ? Act::kEnd : Act::kClose);
  if (what == 13 && seats.may_expire(place)) {
    return {.act = Act::kExpire, .place = place, .request = {.op = zk::Op::kGetData, .path = path(draw)}};
  }
  Step step{.act = Act::kRequest, .place = place, .request = request(draw)};
  for (Seats copy = seats; !copy.take(step); copy = seats) step.request = request(draw);
  return step;
}

const char* name_of(zk::CreateMode mode) {
  switch (mode) {
    case zk::CreateMode::kPersistent: return "persistent";
    case zk::CreateMode::kEphemeral: return "ephemeral";
    case zk::CreateMode::kPersistentSequential: return "persistent sequential";
    case zk::CreateMode::kEphemeralSequential: return "ephemeral sequential";
    case zk::CreateMode::kContainer: return "container";
    case zk::CreateMode::kPersistentWithTtl: return "with a TTL";
    case zk::CreateMode::kPersistentSequentialWithTtl: return "sequential with a TTL";
  }
  return "";
}

std::string text_of(const zk::Request& request) {
  std::string text = std::string(zk::name_of(request.op)) + " " + request.path;
  for (const zk::Request& op : request.ops) text += "[" + text_of(op) + "]";
  if (request.op == zk::Op::kCreate) text += std::string(" ") + name_of(request.mode);
  for (const zk::Acl& one : request.acl) text += " " + conformance::text_of(one);
  if (request.version != -1) text += " version " + std::to_string(request.version);
  if (request.watch) text += " watch";
  return text;
}

}  // namespace

Plan plan_of(uint64_t seed, size_t steps) {
  Draw draw(seed);
  Seats seats;
  Plan plan;
  const auto add = [&](Step step) {
    (void)seats.take(step);
    plan.push_back(std::move(step));
  };
  for (uint32_t place = 0; place < kPlaces; ++place) {
    add({.act = Act::kOpen, .place = place, .timeout_us = place == 0 ? kBrief : 10 * kSecond, .server = place});
  }
  for (const char* top : {"/a", "/b"}) add({.request = {.op = zk::Op::kCreate, .path = top}});
  while (plan.size() < steps) {
    const uint32_t place = draw.below(kPlaces);
    // Who is away misses a few things before it comes back.
    if (seats.at(place) == Seat::kAway && !draw.one_in(3)) continue;
    add(step_for(draw, place, seats));
  }
  return plan;
}

bool is_possible(const Plan& plan) {
  Seats seats;
  for (const Step& step : plan) {
    if (!seats.take(step)) return false;
  }
  return true;
}

std::string text_of(const zk::Acl& entry) {
  return entry.id.scheme + ":" + entry.id.id + "=" + std::to_string(entry.perms);
}

zk::Request below(const std::string& root, zk::Request request) {
  if (request.op != zk::Op::kMulti && request.op != zk::Op::kAddAuth) request.path.insert(0, root);
  for (zk::Request& op : request.ops) op = below(root, op);
  return request;
}

std::string text_of(const Step& step) {
  const std::string who = "S" + std::to_string(step.place) + " ";
  const std::string at_server = "server " + std::to_string(step.server) + " modulo how many there are";
  switch (step.act) {
    case Act::kOpen: return who + "opens a session, " + std::to_string(step.timeout_us / kMillisecond) + " ms, " + at_server;
    case Act::kRequest: return who + text_of(step.request);
    case Act::kLose: return who + "loses its connection";
    case Act::kFail: return who + "fails to connect";
    case Act::kRegain: return who + "reattaches, " + at_server;
    case Act::kEnd: return who + "has its session closed by somebody else";
    case Act::kClose: return who + "closes its session";
    case Act::kExpire: return who + "is cut off and expires, asking " + text_of(step.request);
  }
  return who;
}

}  // namespace lockstep::conformance
