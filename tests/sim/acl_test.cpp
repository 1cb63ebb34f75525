// Who may do what. Expected values: what a real 3.8.0 server of Debian tells (tests/conformance).
#include "sim/acl.h"

#include "catch.h"
#include "desk.h"

using namespace lockstep;
using sim::Acls;
using sim::Ids;
using toy::Desk;
using toy::kTop;
using zk::Error;
using zk::Op;
using zk::Request;

namespace {

const zk::Acl kOpen = {zk::kPermAll, {"world", "anyone"}};
const zk::Acl kMine = {zk::kPermAll, {"auth", ""}};

zk::Acl everybody(int32_t perms) { return {perms, {"world", "anyone"}}; }
zk::Id digest(const std::string& user_and_password) { return {"digest", sim::digest_of(user_and_password)}; }

bool is_accepted(const zk::Id& id, const Ids& asker = {}) {
  Acls kept;
  return sim::fix_up({{zk::kPermAll, id}}, asker, kept);
}

Request on(Op op, const std::string& name, Acls acl = {}) {
  return {.op = op, .path = kTop + name, .acl = std::move(acl)};
}
Request add_auth(const std::string& user_and_password, const std::string& scheme = "digest") {
  Request request{.op = Op::kAddAuth};
  request.acl = {{.id = {scheme, user_and_password}}};
  return request;
}
Request watched(Request request) {
  request.watch = true;
  return request;
}

}  // namespace

TEST_CASE("a digest is the user, and the hash of user and password") {
  // DigestAuthenticationProvider.generateDigest("super:admin"), as in the documentation of many.
  CHECK(sim::digest_of("super:admin") == "super:xQJmxLMiHGwaqBvst5y6rkB6HQs=");
  CHECK(sim::digest_of("a:b:c").starts_with("a:"));
  CHECK(sim::digest_of("nobody").starts_with("nobody:"));
}

TEST_CASE("which ids an ACL may name") {
  CHECK(is_accepted({"world", "anyone"}));
  CHECK_FALSE(is_accepted({"world", "somebody"}));
  CHECK_FALSE(is_accepted({"super", ""}));
  CHECK_FALSE(is_accepted({"nosuch", "x"}));
  CHECK(is_accepted({"digest", "user:hash"}));
  CHECK(is_accepted({"digest", ":hash"}));
  CHECK(is_accepted({"digest", "user:hash::"}));  // colons at the end count for nothing
  for (const char* id : {"", "user", "user:", ":", "a:b:c"}) CHECK_FALSE(is_accepted({"digest", id}));
  CHECK_FALSE(is_accepted({"auth", ""}));  // who has shown nothing is nobody
  CHECK(is_accepted({"auth", "whatever"}, {digest("ann:one")}));
}

TEST_CASE("a list is kept without repetitions, and with the asker's ids for auth") {
  Acls kept;
  REQUIRE(sim::fix_up({kOpen, kOpen}, {}, kept));
  CHECK(kept.empty());  // open to everybody
  const Ids both = {digest("ann:one"), digest("bob:two")};
  REQUIRE(sim::fix_up({kMine, everybody(zk::kPermRead), kMine}, both, kept));
  CHECK(kept == Acls{{zk::kPermAll, both[0]}, {zk::kPermAll, both[1]}, everybody(zk::kPermRead)});
}

TEST_CASE("one entry that allows it is enough, and who may not change a list sees no hash in it") {
  const Acls kept = {{zk::kPermAll, digest("ann:one")}, everybody(zk::kPermRead)};
  CHECK(sim::allows(kept, zk::kPermRead, {}));
  CHECK_FALSE(sim::allows(kept, zk::kPermWrite, {}));
  CHECK(sim::allows(kept, zk::kPermRead | zk::kPermWrite, {}));  // one of these
  CHECK(sim::allows(kept, zk::kPermWrite, {digest("bob:two"), digest("ann:one")}));
  CHECK_FALSE(sim::allows(kept, zk::kPermWrite, {digest("ann:two")}));
  CHECK(sim::shown(kept, {digest("ann:one")}) == kept);
  CHECK(sim::shown(kept, {}).front().id.id == "ann:x");
  CHECK(sim::shown({}, {}) == Acls{kOpen});
}

TEST_CASE("permissions are asked in the server's order") {
  Desk desk(2);
  REQUIRE(desk.ask(0, add_auth("ann:one")).error == Error::kOk);
  REQUIRE(desk.ask(0, on(Op::kCreate, "/p", {kMine})).error == Error::kOk);
  REQUIRE(desk.ask(0, on(Op::kCreate, "/p/c")).error == Error::kOk);
  // The parent's list says who may create and delete; the child's own is open.
  CHECK(desk.ask(1, on(Op::kCreate, "/p/c")).error == Error::kNoAuth);  // beats NodeExists
  CHECK(desk.ask(1, on(Op::kDelete, "/p/no")).error == Error::kNoAuth);  // beats NoNode
  CHECK(desk.ask(1, on(Op::kSetData, "/p/c")).error == Error::kOk);
  CHECK(desk.ask(1, on(Op::kGetData, "/p/c")).error == Error::kOk);  // nothing is inherited
  CHECK(desk.ask(1, on(Op::kDelete, "/p")).error == Error::kNotEmpty);
  Request wrong_version = on(Op::kSetData, "/p");
  wrong_version.version = 7;
  CHECK(desk.ask(1, wrong_version).error == Error::kNoAuth);  // beats BadVersion
  CHECK(desk.ask(0, wrong_version).error == Error::kBadVersion);
  CHECK(desk.ask(1, on(Op::kGetData, "/p")).error == Error::kNoAuth);
  CHECK(desk.ask(1, on(Op::kGetChildren, "/p")).error == Error::kNoAuth);
  CHECK(desk.ask(1, on(Op::kGetAcl, "/p")).error == Error::kNoAuth);
  CHECK(desk.ask(1, on(Op::kExists, "/p")).error == Error::kOk);
  CHECK(desk.ask(1, on(Op::kSetAcl, "/p")).error == Error::kNoAuth);
  CHECK(desk.ask(1, on(Op::kSetAcl, "/no")).error == Error::kNoNode);
  CHECK(desk.ask(1, on(Op::kSetAcl, "/no", {kMine})).error == Error::kInvalidAcl);  // beats NoNode
  CHECK(desk.ask(1, on(Op::kCreate, "/no/x", {kMine})).error == Error::kInvalidAcl);
  Request check = on(Op::kCheck, "/p");
  CHECK(desk.ask(1, {.op = Op::kMulti, .ops = {check}}).error == Error::kNoAuth);
}

TEST_CASE("setACL counts in aversion alone, and tells nobody") {
  Desk desk(2);
  REQUIRE(desk.ask(0, on(Op::kCreate, "/p")).error == Error::kOk);
  desk.ask(1, watched(on(Op::kGetData, "/p")));
  const zk::Stat before = desk.database().tree.stat_of(kTop + "/p");
  Request close = on(Op::kSetAcl, "/p", {everybody(zk::kPermAll & ~zk::kPermWrite)});
  close.version = 0;
  CHECK(desk.ask(0, close).error == Error::kOk);
  CHECK(desk.ask(0, close).error == Error::kBadVersion);
  zk::Stat after = desk.database().tree.stat_of(kTop + "/p");
  CHECK(after.aversion == 1);
  after.aversion = 0;
  CHECK(after == before);
  CHECK(desk.heard(1).empty());
  CHECK(desk.ask(0, on(Op::kSetData, "/p")).error == Error::kNoAuth);
  CHECK(desk.ask(0, on(Op::kGetAcl, "/p")).acl == Acls{everybody(zk::kPermAll & ~zk::kPermWrite)});
}

TEST_CASE("who may not read a node does not hear of it, and its watch is gone all the same") {
  Desk desk(2);
  desk.ask(0, add_auth("ann:one"));
  desk.ask(0, on(Op::kCreate, "/p", {kMine}));
  desk.ask(1, watched(on(Op::kExists, "/p")));
  desk.ask(0, on(Op::kSetData, "/p"));
  CHECK(desk.heard(1).empty());
  CHECK(desk.server().watches.all().empty());
  desk.ask(0, on(Op::kDelete, "/p"));
  CHECK(desk.heard(1).empty());
}

TEST_CASE("credentials belong to a connection, and the library shows them again on the next, before it re-arms") {
  Desk desk(1);
  desk.ask(0, add_auth("ann:one"));
  desk.ask(0, on(Op::kCreate, "/p", {kMine}));
  desk.ask(0, watched(on(Op::kGetData, "/p")));
  CHECK(desk.server().connections[0].ids == Ids{digest("ann:one")});
  desk.lose(0);
  CHECK(desk.server().connections[0].ids.empty());
  desk.settle();
  CHECK(desk.server().connections[0].ids == Ids{digest("ann:one")});
  CHECK(desk.ask(0, on(Op::kSetData, "/p")).error == Error::kOk);
}

TEST_CASE("credentials of a scheme that the server does not know end the handle, not the session") {
  Desk desk(1);
  desk.ask(0, on(Op::kCreate, "/p"));
  desk.send(0, add_auth("ann:one", "nosuch"));
  desk.settle();
  CHECK(desk.heard_words(0) == std::vector<std::string>{"reply AuthFailed", "AuthFailed"});
  CHECK(desk.ask(0, on(Op::kGetData, "/p")).error == Error::kInvalidState);
  CHECK(desk.world.sessions.front().life == trace::SessionLife::kLive);
  CHECK_FALSE(desk.server().connections[0].open);
}
