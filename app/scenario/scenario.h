// A scenario: everything that a run starts from. The same scenario is played by the simulator, explored,
// and played by real processes on real servers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "recipes/shelf.h"
#include "scenario/condition.h"

namespace lockstep::scenario {

/// A text in both languages.
struct Text {
  std::string zh;
  std::string en;

  const std::string& in(bool chinese) const { return chinese ? zh : en; }
  bool operator==(const Text&) const = default;
};

/// How a client library tells what it knows.
enum class Profile : uint8_t { kC, kJava };

struct ClientSpec {
  std::string id;  ///< short and unique: "A"
  recipes::FairLockOptions options;  ///< of recipe "fair_lock", the only one on the shelf so far
  Profile profile = Profile::kC;
  TimeUs session_timeout_us = 6 * kSecond;  ///< asked for; the server clamps it to 2..20 ticks
  TimeUs start_us = 0;                      ///< when its process starts, from the start of the run
  std::string server;         ///< the first that its library tries; empty: whichever the seed says
  bool local_expiry = false;  ///< its library gives a session up by its own clock, as Java's does since 3.9.3

  bool operator==(const ClientSpec&) const = default;
};

struct ServerSpec {
  std::string id;         ///< "zk1"
  bool observer = false;  ///< has no vote: serves reads and passes writes on

  bool operator==(const ServerSpec&) const = default;
};

/// What the resource makes of a token.
enum class RegisterRule : uint8_t {
  kNone,            ///< every write is accepted
  kGreater,         ///< token > highest accepted
  kGreaterOrEqual,  ///< token >= highest accepted
};

struct ResourceSpec {
  std::string id = "db";
  Text label;  ///< what its value is called ("stock")
  RegisterRule rule = RegisterRule::kNone;
  int64_t initial_value = 0;

  bool operator==(const ResourceSpec&) const = default;
};

/// How long a message takes on a link, and how long a step of a process: drawn between the two, from
/// hash(seed, link, ordinal).
struct Latency {
  TimeUs min_us = 2 * kMillisecond;
  TimeUs max_us = 8 * kMillisecond;

  bool operator==(const Latency&) const = default;
};

/// What a step of the script does, or a learner by hand. The names are those of choices:
/// "pause A", "resume A", "hang A", "free A", "crash A", "restart A", "cut A>zk1", "heal A>zk1",
/// "release A", "cancel A", "hold A>db", "let go A>db", "rule db greater", "expire A", "deliver A>db", "add D";
/// of servers "pause zk1", "resume zk1", "crash zk1", "restart zk1", "cut zk1>zk3", "heal zk1-zk3",
/// "partition zk3,A", "heal all".
enum class Action : uint8_t {
  kPause,
  kResume,
  kHang,
  kFree,
  kCrash,
  kRestart,
  kCut,    ///< of a link in one direction ("A>zk1"), or of both ("A-zk1")
  kHeal,   ///< of a link, or of all there are ("all")
  kPartition,  ///< cut every link between these servers and clients ("zk3,A") and all other servers and clients
  kHold,   ///< hold back the messages of a link: they wait in the network
  kLetGo,
  kRelease,
  kCancel,
  kSetRule,    ///< of the resource
  kExpire,     ///< end a client's session at once, as a second handle with its id and password that closes it does
  kDeliver,    ///< the head of a link ("A>db") arrives now, whatever its latency
  kAddClient,  ///< the target is the new client's id; it is like the last one of the scenario
};

/// What an action is done to.
enum class TargetKind : uint8_t { kClient, kProcess, kLink, kGroup, kResource, kNewClient };
TargetKind target_of(Action action);

struct Intervention {
  Action action = Action::kPause;
  /// A client ("A"), a process ("A", "zk1"), a link ("A>db", "A-zk1"), a group ("zk3,A") or a resource ("db").
  std::string target;
  std::string argument;  ///< kSetRule: "none", "greater", "greater_or_equal"

  bool operator==(const Intervention&) const = default;
};

/// "pause A", "cut A-zk1", "rule db greater". Never names a position, so that it stays the same choice.
std::string name_of(const Intervention& intervention);
/// The reverse; nullopt if the text is not an intervention's name.
std::optional<Intervention> intervention_named(const std::string& text);

/// The ids of a group: "zk3,A" names two.
std::vector<std::string> members_of(const std::string& group);
/// What "heal all" is done to.
inline constexpr std::string_view kAllLinks = "all";

/// True for what may name a client, server or resource: 1 to 32 of A-Z, a-z, 0-9, "_" and "-".
bool is_valid_id(std::string_view id);

/// One step of the script. Steps happen in order: a step is waited for only once the ones before it
/// have happened. Its trigger is all of: the conditions hold; if `at_line` is set, client `client` is
/// about to run that line for the `visit`-th time; and then `after_us` has passed.
struct Step {
  std::vector<Condition> when;
  std::string client;   ///< with at_line
  std::string at_line;  ///< id of a line in the client's listing ("write"); empty: no such trigger
  int32_t visit = 1;
  TimeUs after_us = 0;
  std::vector<Intervention> actions;

  bool operator==(const Step&) const = default;
};

/// What becomes of sequence numbers beyond 2147483647.
enum class SequenceOverflow : uint8_t {
  kSticks,        ///< as servers since 3.6 do: every later node gets 2147483647 (ZOOKEEPER-3249)
  kAsDocumented,  ///< as the documentation says, and servers up to 3.5 do: they go on at -2147483648
};

struct Scenario {
  std::string name;
  uint64_t seed = 1;
  TimeUs tick_us = 2 * kSecond;  ///< of the servers
  int32_t init_limit = 10;       ///< ticks that a learner may take to connect to a leader and to catch up
  int32_t sync_limit = 5;        ///< ticks of silence after which a learner and its leader give each other up
  std::vector<ServerSpec> servers;  ///< one stands alone; several are an ensemble
  std::vector<ClientSpec> clients;
  std::string lock_path = "/locks/sku-1";  ///< created before the start, with its parents
  SequenceOverflow sequence_overflow = SequenceOverflow::kSticks;
  int32_t sequence_start = 0;  ///< the lock's first number: how many nodes there have been before the start
  ResourceSpec resource;
  Latency link;           ///< between clients and servers
  Latency server_link = {.min_us = 1 * kMillisecond, .max_us = 3 * kMillisecond};  ///< between servers
  Latency resource_link;  ///< between clients and the resource
  Latency step;           ///< of a process, between two of its steps
  std::vector<Step> steps;
  TimeUs time_max_us = 120 * kSecond;  ///< the run ends here at the latest

  bool operator==(const Scenario&) const = default;
};

/// The same story at another tick: all its times shrink or grow alike, latencies to whole microseconds and the others,
/// which real libraries and servers count so, to whole milliseconds.
Scenario at_tick(Scenario scenario, TimeUs tick_us);

/// In which order a client's library tries the servers: as they are listed, beginning with the one that the client
/// names, or else with whichever the seed says; after the last comes the first. `client` is its place in the
/// scenario.
size_t first_server(const Scenario& scenario, const std::vector<std::string>& servers, size_t client);

/// The client's recipe, ready to start. Its GUIDs follow from the scenario's seed and the client's id.
/// `incarnation` counts the starts of its process.
recipes::Recipe recipe_of(const Scenario& scenario, const ClientSpec& client, uint32_t incarnation = 1);

}  // namespace lockstep::scenario
