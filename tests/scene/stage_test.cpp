// What the stage says: every state in words of its own, and messages where they are.
#include <set>
#include <string>

#include "catch.h"
#include "scene/stage.h"
#include "scene/strings.h"
#include "scene/toys.h"

using namespace lockstep;
using namespace lockstep::scene;

namespace {

Scene stage_of(const toys::Moment& moment, TimeUs now_us = StageInput::kSnapshotTime,
               trace::Language language = trace::Language::kEn) {
  const toys::PlainMeasure measure;
  return compose_stage({.snapshot = moment.snapshot,
                        .scenario = moment.scenario,
                        .measure = measure,
                        .size = {1600, 900},
                        .font_px = 14,
                        .language = language,
                        .now_us = now_us});
}

float middle_of(const Scene& scene, const std::string& id) {
  const Region* region = find_region(scene, id);
  REQUIRE(region);
  return region->rect.center().y;
}

bool says(const Scene& scene, const std::string& id, const std::string& what) {
  INFO(id << " says \"" << text_in(scene, id) << "\", not \"" << what << '"');
  return text_in(scene, id).find(what) != std::string::npos;
}

}  // namespace

TEST_CASE("each state of a process, a connection and a belief has words of its own") {
  toys::Moment moment = toys::gc_pause();
  trace::ClientRow& c = moment.snapshot.clients["C"];
  for (const trace::Language language : {trace::Language::kZh, trace::Language::kEn}) {
    std::set<std::string> texts;
    for (int i = 0; i < 5; ++i) {
      c = {.process = static_cast<trace::Process>(i), .session = "C#1"};
      texts.insert(text_in(stage_of(moment, -1, language), "client/C"));
    }
    CHECK(texts.size() == 5);
    texts.clear();
    for (int i = 0; i < 5; ++i) {
      c = {.process = trace::Process::kRunning,
           .connection = static_cast<trace::Connection>(i),
           .session = "C#1"};
      texts.insert(text_in(stage_of(moment, -1, language), "client/C"));
    }
    CHECK(texts.size() == 5);
    texts.clear();
    for (int i = 0; i < 11; ++i) {
      c = {.process = trace::Process::kRunning,
           .belief = static_cast<recipes::Belief>(i),
           .session = "C#1"};
      texts.insert(text_in(stage_of(moment, -1, language), "client/C"));
    }
    CHECK(texts.size() == 11);
  }
}

TEST_CASE("a pause tells how long it lasts and what lies unread") {
  toys::Moment moment = toys::gc_pause();
  moment.snapshot.clients["A"].process = trace::Process::kPaused;
  moment.snapshot.clients["A"].process_since_us = 3200 * kMillisecond;
  const Scene scene = stage_of(moment);  // at 10.4 s
  CHECK(says(scene, "client/A", "7.2 s"));
  CHECK(says(scene, "client/A", "4 unread"));
}

TEST_CASE("who waits says behind whom, even once that node is gone") {
  toys::Moment moment = toys::gc_pause();
  CHECK(says(stage_of(moment), "client/C", "behind B"));
  moment.snapshot.znodes.erase(moment.snapshot.clients["B"].node);
  CHECK(says(stage_of(moment), "client/C", "behind B"));
}

TEST_CASE("a node says its place, its czxid, and why it is gone") {
  toys::Moment moment = toys::gc_pause();
  const Scene scene = stage_of(moment);
  const auto& clients = moment.snapshot.clients;
  CHECK(says(scene, "znode/" + clients.at("B").node, "holder"));
  CHECK(says(scene, "znode/" + clients.at("B").node, "0x104"));
  CHECK(says(scene, "znode/" + clients.at("C").node, "place 2"));
  CHECK(says(scene, "znode/" + clients.at("A").node, "session expired, deleted"));
  moment.snapshot.sessions["A#1"].life = trace::SessionLife::kClosed;
  CHECK(says(stage_of(moment), "znode/" + clients.at("A").node, "session closed, deleted"));
  moment.snapshot.sessions["A#1"].life = trace::SessionLife::kLive;
  const Scene released = stage_of(moment);
  CHECK(says(released, "znode/" + clients.at("A").node, "deleted"));
  CHECK_FALSE(says(released, "znode/" + clients.at("A").node, "session"));
}

TEST_CASE("the ledger gives each verdict its reason") {
  toys::Moment moment = toys::gc_pause();
  auto& ledger = moment.snapshot.ledger;
  ledger["3"] = {"db", "A", 0x101, 60, false, true, 0x104};
  ledger["4"] = {"db", "B", 0x104, 50, false, false, 0x104};
  ledger["5"] = {"db", "A", 0x101, 60, true, true, 0x104};
  const Scene scene = stage_of(moment);
  CHECK(says(scene, "ledger/2", "accepted"));
  CHECK_FALSE(says(scene, "ledger/2", "stale"));
  CHECK(says(scene, "ledger/3", "refused: 0x101 < 0x104"));
  CHECK(says(scene, "ledger/4", "0x104 was used"));
  CHECK(says(scene, "ledger/5", "stale"));
}

TEST_CASE("a message moves from its sender to its receiver between sending and due time") {
  const toys::Moment moment = toys::gc_pause();  // C's ping is sent at 10.38 s, due at 10.42 s
  const TimeUs sent = 10380 * kMillisecond;
  const float start = middle_of(stage_of(moment, sent), "message/18");
  const float half = middle_of(stage_of(moment, sent + 20 * kMillisecond), "message/18");
  const float end = middle_of(stage_of(moment, sent + 40 * kMillisecond), "message/18");
  const float late = middle_of(stage_of(moment, sent + 400 * kMillisecond), "message/18");
  CHECK(half == Approx((start + end) / 2).margin(1));
  CHECK(end > start + 20);
  CHECK(late == end);
  // Replies come up.
  const float reply = middle_of(stage_of(moment, 10350 * kMillisecond), "message/19");
  CHECK(middle_of(stage_of(moment, 10430 * kMillisecond), "message/19") < reply - 20);
}

TEST_CASE("a message on a held or cut link stays near its sender, and the link says why") {
  toys::Moment moment = toys::gc_pause();
  const float free = middle_of(stage_of(moment, 11 * kSecond), "message/18");
  moment.snapshot.links["C>zk1"].held = true;
  const Scene held = stage_of(moment, 11 * kSecond);
  CHECK(middle_of(held, "message/18") < free - 20);
  CHECK(says(held, "link/C>zk1", "held back"));
  moment.snapshot.links["C>zk1"] = {.from = "C", .to = "zk1", .cut = true};
  CHECK(says(stage_of(moment, 11 * kSecond), "link/C>zk1", "cut"));
}

TEST_CASE("a message to the resource keeps to the gutter beside the truth") {
  const Scene scene = stage_of(toys::gc_pause());
  const Region* truth = find_region(scene, "band/truth");
  const Region* message = find_region(scene, "message/17");
  REQUIRE(truth);
  REQUIRE(message);
  CHECK(message->rect.x > truth->rect.right());
}

TEST_CASE("an ensemble: each server's role, how far it is, what cuts it off, and whom it serves") {
  toys::Moment moment = toys::gc_pause();
  trace::Snapshot& s = moment.snapshot;
  moment.scenario.servers = {{"zk1"}, {"zk2"}, {"zk3"}};
  const int64_t epoch = 2LL << 32;
  s.servers["zk1"] = {.role = trace::ServerRole::kFollowing, .zxid = epoch + 4, .logged = epoch + 4, .epoch = 2, .leader = "zk3"};
  s.servers["zk2"] = {.role = trace::ServerRole::kFollowing, .zxid = epoch + 7, .logged = epoch + 8, .epoch = 2, .leader = "zk3"};
  s.servers["zk3"] = {.role = trace::ServerRole::kLeading, .zxid = epoch + 7, .logged = epoch + 7, .epoch = 2, .leader = "zk3"};
  for (const char* from : {"zk1", "zk2", "zk3"}) {
    for (const char* to : {"zk1", "zk2", "zk3"}) {
      if (from != to) s.links[std::string(from) + ">" + to] = {.from = from, .to = to};
    }
  }
  for (const char* link : {"zk1>zk2", "zk2>zk1", "zk1>zk3", "zk3>zk1", "zk2>zk3"}) s.links[link].cut = true;
  s.clients["A"].server = s.sessions["B#1"].server = s.clients["B"].server = "zk1";
  s.sessions["C#1"].server = "zk2";
  const Scene scene = stage_of(moment);
  for (const char* what : {"FOLLOWING", "3 behind", "cut off", "B"}) CHECK(says(scene, "server/zk1", what));
  for (const char* what : {"FOLLOWING", "1 not committed", "zk1 →zk3", "C"}) CHECK(says(scene, "server/zk2", what));
  for (const char* what : {"LEADING", "zk1 ←zk2"}) CHECK(says(scene, "server/zk3", what));
  CHECK(says(scene, "quorum", "zk3 leads, quorum 3 of 3"));
  CHECK(says(scene, "client/B", "zk1 (3 behind)"));
  s.servers["zk3"].serving = false;
  CHECK(says(stage_of(moment), "quorum", "no quorum"));
}

TEST_CASE("while nobody leads, no session's time runs out") {
  toys::Moment moment = toys::empty_moment();
  toys::add_client(moment, "A", 6 * kSecond);
  moment.snapshot.time_us = 10 * kSecond;
  trace::SessionRow& session = moment.snapshot.sessions.at("A#1");
  session.heard_us = kSecond;
  session.expires_us = 8 * kSecond;
  CHECK(says(stage_of(moment, -1, trace::Language::kEn), "session/A#1", "time is up"));
  for (const char* id : {"zk1", "zk2", "zk3"}) moment.snapshot.servers[id].role = trace::ServerRole::kLooking;
  CHECK(says(stage_of(moment, -1, trace::Language::kEn), "session/A#1", "no leader"));
  moment.snapshot.servers["zk2"].role = trace::ServerRole::kLeading;
  CHECK(says(stage_of(moment, -1, trace::Language::kEn), "session/A#1", "time is up"));
  session.expires_us = -1;  // The leader has not begun to count.
  CHECK(says(stage_of(moment, -1, trace::Language::kEn), "session/A#1", "no leader"));
}

TEST_CASE("every watch is an arrow or is said in words") {
  toys::Moment moment = toys::gc_pause();
  moment.snapshot.watches.clear();
  const size_t without = stage_of(moment).shapes.size();
  moment.snapshot.watches["C#1 children"] = {"C#1", trace::WatchTable::kChildren, "/locks/sku-1",
                                             "zk1"};
  CHECK(stage_of(moment).shapes.size() > without);
  CHECK(says(stage_of(moment), "band/truth", "watches the list"));
}

TEST_CASE("texts of all regions at once are those of each") {
  const Scene scene = stage_of(toys::gc_pause());
  const std::vector<std::string> all = region_texts(scene);
  REQUIRE(all.size() == scene.regions.size());
  for (size_t i = 0; i < all.size(); ++i) {
    if (find_region(scene, scene.regions[i].id) == &scene.regions[i])
      CHECK(all[i] == text_in(scene, scene.regions[i].id));
  }
}
