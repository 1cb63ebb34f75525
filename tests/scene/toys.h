// Snapshots made by hand, and a text measure that needs no fonts: what the tests of scene share.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "scenario/scenario.h"
#include "scene/text_measure.h"
#include "trace/snapshot.h"

namespace toys {

using namespace lockstep;
using recipes::Belief;
using trace::Connection;
using trace::Process;

/// A letter is 0.55 em wide, a Chinese character 1 em, a line 1.4 em high.
class PlainMeasure final : public scene::TextMeasure {
 public:
  float width(std::string_view text, scene::FontSize size) const override {
    float em = 0;
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte < 0x80u) em += 0.55f;
      if (byte >= 0xC0u) em += 1.0f;  // the first byte of a longer character
    }
    return em * size.px;
  }
  float height(scene::FontSize size) const override { return 1.4f * size.px; }
};

/// What stage and timeline need.
struct Moment {
  scenario::Scenario scenario;
  trace::Snapshot snapshot;
};

/// "A".."Z", "AA", ...
inline std::string client_name(int number) {
  std::string name;
  for (int n = number; n >= 0; n = n / 26 - 1)
    name.insert(name.begin(), static_cast<char>('A' + n % 26));
  return name;
}

inline std::string node_path(int number) {
  std::string digits = std::to_string(number);
  return "/locks/sku-1/_c_00000000-0000-4000-8000-0000000000aa-lock-" +
         std::string(10 - digits.size(), '0') + digits;
}

inline std::string node_name(int number) { return node_path(number).substr(13); }

inline void add_client(Moment& moment, const std::string& id, TimeUs session_timeout_us) {
  scenario::ClientSpec spec;
  spec.id = id;
  spec.options.job.writes = {60};
  spec.session_timeout_us = session_timeout_us;
  moment.scenario.clients.push_back(spec);
  trace::ClientRow row;
  row.process = Process::kRunning;
  row.connection = Connection::kConnected;
  row.session = id + "#1";
  moment.snapshot.clients[id] = row;
  trace::SessionRow session;
  session.client = id;
  session.timeout_us = session_timeout_us;
  session.server = "zk1";
  moment.snapshot.sessions[id + "#1"] = session;
  const std::string ends[] = {"zk1", "db"};
  for (const std::string& end : ends) {
    moment.snapshot.links[id + ">" + end] = {.from = id, .to = end};
    moment.snapshot.links[end + ">" + id] = {.from = end, .to = id};
  }
}

inline Moment empty_moment() {
  Moment moment;
  moment.scenario.name = "toy";
  moment.scenario.servers = {{"zk1"}};
  moment.scenario.resource = {.id = "db", .label = {"库存", "stock"}};
  moment.snapshot.servers["zk1"] = {.zxid = 0x107};
  moment.snapshot.znodes["/locks"] = {};
  moment.snapshot.znodes["/locks/sku-1"] = {};
  moment.snapshot.resources["db"] = {};
  return moment;
}

inline void add_node(Moment& moment, const std::string& client, int number, int64_t czxid) {
  trace::ZnodeRow node;
  node.owner = client + "#1";
  node.stat.czxid = czxid;
  moment.snapshot.znodes[node_path(number)] = node;
  moment.snapshot.clients[client].node = node_path(number);
}

inline void add_watch(Moment& moment, const std::string& client, int number) {
  const std::string path = node_path(number);
  moment.snapshot.watches[client + "#1 data " + path] = {client + "#1", trace::WatchTable::kData,
                                                         path, "zk1"};
  moment.snapshot.clients[client].waits_for = node_name(number);
}

inline void believe(Moment& moment, const std::string& client, Belief belief, int64_t token,
                    int32_t line) {
  trace::ClientRow& row = moment.snapshot.clients[client];
  row.belief = belief;
  row.token = token;
  row.line = line;
}

/// The GC pause, just when A is back: its session has expired, B holds, C waits, and A's write is on its
/// way. One client is in danger: A.
inline Moment gc_pause() {
  Moment moment = empty_moment();
  moment.scenario.name = "gc-pause";
  trace::Snapshot& s = moment.snapshot;
  s.time_us = 10400 * kMillisecond;
  for (const char* id : {"A", "B", "C"}) add_client(moment, id, 6 * kSecond);
  add_node(moment, "B", 42, 0x104);
  add_node(moment, "C", 43, 0x107);
  add_watch(moment, "C", 42);
  believe(moment, "A", Belief::kHolding, 0x101, 9);
  believe(moment, "B", Belief::kHolding, 0x104, 7);
  believe(moment, "C", Belief::kWaiting, -1, 6);
  trace::ClientRow& a = s.clients["A"];
  a.node = node_path(41);
  a.unread = 4;
  a.process_since_us = 10200 * kMillisecond;
  a.stops = 1;
  s.sessions["A#1"].life = trace::SessionLife::kExpired;
  s.sessions["A#1"].server = "";
  s.sessions["A#1"].expires_us = 8 * kSecond;
  s.sessions["B#1"].heard_us = 8500 * kMillisecond;
  s.sessions["B#1"].expires_us = 14500 * kMillisecond;
  s.sessions["C#1"].heard_us = 9600 * kMillisecond;
  s.sessions["C#1"].expires_us = 15600 * kMillisecond;
  s.messages["17"] = {.link = "A>db",
                      .what = "write",
                      .token = 0x101,
                      .value = 60,
                      .sent_us = 10300 * kMillisecond,
                      .due_us = 10500 * kMillisecond};
  s.messages["18"] = {.link = "C>zk1",
                      .what = "ping",
                      .sent_us = 10380 * kMillisecond,
                      .due_us = 10420 * kMillisecond};
  s.messages["19"] = {.link = "zk1>B",
                      .what = "getChildren ok",
                      .sent_us = 10350 * kMillisecond,
                      .due_us = 10430 * kMillisecond};
  s.resources["db"] = {
      .rule = trace::RegisterRule::kGreater, .value = 40, .token_max = 0x104, .last_writer = "B"};
  s.ledger["1"] = {"db", "A", 0x101, 70, true, false, -1, 3 * kSecond};
  s.ledger["2"] = {"db", "B", 0x104, 40, true, false, 0x101, 9800 * kMillisecond};
  return moment;
}

/// Numbers from 0 to `below` - 1; the library's own distributions differ between libraries.
inline int pick(std::mt19937_64& bits, int below) {
  return static_cast<int>(bits() % static_cast<uint64_t>(below));
}

inline void disturb(Moment& moment, const std::string& id, std::mt19937_64& bits) {
  trace::Snapshot& s = moment.snapshot;
  trace::ClientRow& row = s.clients[id];
  row.process = static_cast<Process>(pick(bits, 5));
  row.connection = static_cast<Connection>(pick(bits, 5));
  row.unread = pick(bits, 12);
  row.inputs = pick(bits, 3);
  row.process_since_us = pick(bits, 20) * kSecond;
  row.at_line = pick(bits, 2) == 0;
  for (const char* end : {">zk1", ">db"}) {
    trace::LinkRow& link = s.links[id + end];
    link.cut = pick(bits, 4) == 0;
    link.held = pick(bits, 4) == 0;
  }
}

inline void add_messages(Moment& moment, const std::string& id, std::mt19937_64& bits) {
  constexpr const char* kWhats[] = {"create",      "create ok", "getChildren ok",
                                    "NodeDeleted", "ping",      "setWatches"};
  const int count = pick(bits, 6);
  for (int i = 0; i < count; ++i) {
    const bool to_db = pick(bits, 5) == 0;
    const std::string end = to_db ? "db" : "zk1";
    trace::MessageRow message;
    message.link = pick(bits, 2) == 0 ? id + ">" + end : end + ">" + id;
    message.what = to_db ? "write" : kWhats[pick(bits, 6)];
    message.token = to_db ? pick(bits, 5000) : -1;
    message.value = pick(bits, 1000);
    message.sent_us = moment.snapshot.time_us - pick(bits, 40) * kMillisecond;
    message.due_us = message.sent_us + pick(bits, 60) * kMillisecond;
    moment.snapshot.messages[std::to_string(moment.snapshot.messages.size() + 1)] = message;
  }
}

inline void add_writes(Moment& moment, std::mt19937_64& bits) {
  const int count = pick(bits, 30);
  for (int i = 1; i <= count; ++i) {
    const int clients = static_cast<int>(moment.scenario.clients.size());
    const std::string who = moment.scenario.clients[static_cast<size_t>(pick(bits, clients))].id;
    moment.snapshot.ledger[std::to_string(i)] = {"db",
                                                 who,
                                                 pick(bits, 4000),
                                                 pick(bits, 2000),
                                                 pick(bits, 2) == 0,
                                                 pick(bits, 3) == 0,
                                                 pick(bits, 4000),
                                                 i * kSecond};
  }
}

/// `clients` clients with links, some holding, waiting, paused, expired, cut, with messages in flight and
/// a ledger; all drawn from `seed`.
inline Moment random_moment(int clients, uint64_t seed) {
  std::mt19937_64 bits(seed);
  Moment moment = empty_moment();
  moment.snapshot.time_us = 20 * kSecond;
  int node = 0;
  for (int i = 0; i < clients; ++i) {
    const std::string id = client_name(i);
    add_client(moment, id, (2 + pick(bits, 10)) * kSecond);
    trace::SessionRow& session = moment.snapshot.sessions[id + "#1"];
    session.life = static_cast<trace::SessionLife>(pick(bits, 3));
    session.heard_us = 18 * kSecond;
    session.expires_us = (17 + pick(bits, 9)) * kSecond;
    if (pick(bits, 3) != 0) {
      ++node;
      add_node(moment, id, node, 0x100 + node);
      if (node > 1) add_watch(moment, id, pick(bits, 3) == 0 ? 1 + pick(bits, node - 1) : node - 1);
    }
    believe(moment, id, static_cast<Belief>(pick(bits, 11)), pick(bits, 5000), pick(bits, 11));
    if (pick(bits, 3) == 0) disturb(moment, id, bits);
    add_messages(moment, id, bits);
  }
  if (clients > 0) add_writes(moment, bits);
  return moment;
}

/// Makes the moment's server one of `count`: with roles, logs, cuts and messages between them drawn from `seed`,
/// and its clients spread over them.
inline void make_ensemble(Moment& moment, int count, uint64_t seed) {
  std::mt19937_64 bits(seed);
  trace::Snapshot& s = moment.snapshot;
  const auto name = [](int i) { return "zk" + std::to_string(i + 1); };
  constexpr const char* kWhats[] = {"PROPOSAL", "ACK", "COMMIT", "PING", "notification", "REQUEST create"};
  moment.scenario.servers.clear();
  for (int i = 0; i < count; ++i) {
    moment.scenario.servers.push_back({name(i)});
    trace::ServerRow& row = s.servers[name(i)];
    row.process = pick(bits, 5) == 0 ? Process::kCrashed : pick(bits, 5) == 0 ? Process::kPaused : Process::kRunning;
    row.role = static_cast<trace::ServerRole>(1 + pick(bits, 4));
    row.serving = pick(bits, 2) == 0;
    row.epoch = 1 + pick(bits, 3);
    row.zxid = (static_cast<int64_t>(row.epoch) << 32) + pick(bits, 900);
    row.logged = row.zxid + pick(bits, 3);
    if (row.role == trace::ServerRole::kLooking) row.vote = name(pick(bits, count));
    for (int to = 0; to < count; ++to) {
      if (to == i) continue;
      const std::string link = name(i) + ">" + name(to);
      s.links[link] = {.from = name(i), .to = name(to), .cut = pick(bits, 3) == 0};
      for (int m = pick(bits, 3); m > 0; --m) {
        trace::MessageRow message;
        message.link = link;
        message.what = kWhats[pick(bits, 6)];
        message.sent_us = s.time_us - pick(bits, 4) * kMillisecond;
        message.due_us = message.sent_us + pick(bits, 4) * kMillisecond;
        s.messages[std::to_string(s.messages.size() + 1)] = message;
      }
    }
  }
  for (auto& [id, client] : s.clients) {
    client.server = name(pick(bits, count));
    if (trace::SessionRow* session = const_cast<trace::SessionRow*>(trace::find(s.sessions, id + "#1"))) {
      session->server = client.server;
    }
  }
}

}  // namespace toys
