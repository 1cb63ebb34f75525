#include "live/runner.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "live/monotonic.h"
#include "live/one_thread_asio.h"
#include "live/ping_counter.h"

namespace lockstep::live {
namespace {

using scenario::Problem;
using scenario::ProblemKind;

constexpr auto kRound = std::chrono::milliseconds(3);
constexpr TimeUs kQuitPatience = 2 * kSecond;
/// For how long nobody may have anything more to do, though steps of the script are left.
constexpr TimeUs kIdlePatience = 3 * kSecond;

Problem environment(const std::string& place, const std::string& message) {
  return {place, "", message, ProblemKind::kEnvironment};
}

/// Whether a step's target is this server, or a link or a group with it.
bool names_server(const std::string& target, const std::string& id) {
  for (const std::string& member : scenario::members_of(target)) {
    if (member == id) return true;
    for (const char* joint : {">", "-"}) {
      if (member.starts_with(id + joint) || member.ends_with(joint + id)) return true;
    }
  }
  return false;
}

/// Where the scenario names a server that is not started when there are `count`; nullopt: nowhere.
std::optional<Problem> missing_server(const scenario::Scenario& scenario, const scenario::Place& place, size_t count) {
  for (size_t i = count; i < scenario.servers.size(); ++i) {
    const std::string& id = scenario.servers[i].id;
    const auto problem = [&](const std::string& pointer) {
      return place.below(pointer).problem("names " + id + ", which is not started with --servers " +
                                          std::to_string(count) + "; leave --servers out, or start " +
                                          std::to_string(scenario.servers.size()));
    };
    for (size_t c = 0; c < scenario.clients.size(); ++c) {
      if (scenario.clients[c].server == id) return problem("/clients/" + std::to_string(c) + "/server");
    }
    for (size_t s = 0; s < scenario.steps.size(); ++s) {
      for (const scenario::Intervention& action : scenario.steps[s].actions) {
        if (names_server(action.target, id)) return problem("/steps/" + std::to_string(s) + "/do");
      }
      for (const scenario::Condition& condition : scenario.steps[s].when) {
        if (condition.at.starts_with("/servers/" + id + "/")) return problem("/steps/" + std::to_string(s) + "/when");
      }
    }
  }
  return std::nullopt;
}

/// What the scenario asks for that only the simulator can do.
std::optional<Problem> unplayable(const scenario::Scenario& scenario, const LiveOptions& options) {
  const auto problem = [&](const char* pointer, const std::string& message) {
    return options.place.below(pointer).problem(message);
  };
  if (!options.servers && options.connect.empty() && scenario.servers.size() > kServersMax) {
    return problem("/servers", std::to_string(scenario.servers.size()) + " servers: for real each is a Java process, and at most " +
                                   std::to_string(kServersMax) + " are started; start fewer with --servers, or play in the simulator");
  }
  if (scenario.clients.size() > kLiveClientsMax) {
    return problem("/clients", std::to_string(scenario.clients.size()) + " clients: for real each is a process, and at most " +
                                   std::to_string(kLiveClientsMax) + " are started");
  }
  if (scenario.sequence_start != 0)
    return problem("/sequence_start", "a real server begins to count at 0; leave it out, or play in the simulator");
  if (scenario.sequence_overflow != scenario::SequenceOverflow::kSticks)
    return problem("/sequence_overflow", "real servers do \"sticks\"; leave it out, or play in the simulator");
  return std::nullopt;
}

/// ZooKeeper's own words for roles are in capitals.
std::string upper(std::string_view word) {
  std::string text;
  for (const char c : word) text += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return text;
}

std::string own_program() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).string();
}

}  // namespace

struct Runner::Network {
  asio::io_context io;
};

Runner::Runner(scenario::Scenario scenario, LiveOptions options, Outbox& outbox)
    : scenario_(std::move(scenario)), options_(std::move(options)), outbox_(outbox) {
  if (options_.program.empty()) options_.program = own_program();
}

Runner::~Runner() = default;

void Runner::run() {
  outbox_.phase = LivePhase::kStarting;
  if (start_parts() && !outbox_.stop) {
    outbox_.phase = LivePhase::kPlaying;
    play();
  }
  outbox_.phase = LivePhase::kStopping;
  for (const auto& client : clients_) client->ask_to_quit();
  for (const auto& client : clients_) client->stop(kQuitPatience);
  clients_.clear();
  network_.reset();
  resource_.stop();
  if (ensemble_) ensemble_->leave();
  ensemble_.reset();
  if (options_.keep) folder_.keep();
  folder_ = Folder();
}

TimeUs Runner::now() const { return monotonic_us() - zero_us_; }

void Runner::fail(std::vector<Problem> problems) {
  failed_ = true;
  const std::lock_guard lock(outbox_.mutex);
  for (Problem& problem : problems) outbox_.problems.push_back(std::move(problem));
}

ClientProcess* Runner::client_named(const std::string& id) {
  for (const auto& client : clients_) {
    if (client->id() == id) return client.get();
  }
  return nullptr;
}

std::optional<size_t> Runner::server_named(const std::string& id) const {
  const auto found = std::find(servers_.begin(), servers_.end(), id);
  if (found == servers_.end()) return {};
  return static_cast<size_t>(found - servers_.begin());
}

// ---- Beginning ---------------------------------------------------------------------------------------

bool Runner::start_parts() {
  if (access(options_.program.c_str(), X_OK) != 0) {
    fail({environment(options_.program,
                      "the lockstep program, which plays the parts, is not there")});
    return false;
  }
  std::optional<Problem> problem = unplayable(scenario_, options_);
  if (!problem && options_.servers) problem = missing_server(scenario_, options_.place, static_cast<size_t>(std::max(0, *options_.servers)));
  if (problem) {
    fail({*problem});
    return false;
  }
  if (!start_ensemble() || !start_resource()) return false;
  Truth truth;
  std::vector<Problem> problems = ensemble_->prepare(scenario_.lock_path, truth);
  if (!problems.empty()) {
    fail(std::move(problems));
    return false;
  }
  zero_us_ = monotonic_us();
  begin_recording(std::move(truth));
  return make_ways();
}

bool Runner::start_ensemble() {
  auto folder = Folder::make();
  if (!folder) {
    fail(folder.problems());
    return false;
  }
  folder_ = std::move(folder.value());
  std::vector<bool> observers;
  for (const scenario::ServerSpec& server : scenario_.servers) observers.push_back(server.observer);
  auto ensemble = options_.connect.empty()
                      ? own_ensemble({.count = options_.servers.value_or(
                                          static_cast<int>(scenario_.servers.size())),
                                      .tick_us = scenario_.tick_us,
                                      .init_limit = scenario_.init_limit,
                                      .sync_limit = scenario_.sync_limit,
                                      .observers = observers,
                                      .folder = folder_.path(),
                                      .jars = options_.jars,
                                      .java = options_.java,
                                      .give_up = &outbox_.stop})
                      : foreign_ensemble({options_.connect, options_.answer_patience_us});
  if (!ensemble) {
    fail(ensemble.problems());
    return false;
  }
  ensemble_ = std::move(ensemble.value());
  for (size_t i = 0; i < ensemble_->addresses().size(); ++i) {
    const bool named = i < scenario_.servers.size() && options_.connect.empty();
    servers_.push_back(named ? scenario_.servers[i].id : "zk" + std::to_string(i + 1));
  }
  server_rows_.resize(servers_.size());
  return true;
}

bool Runner::start_resource() {
  const std::string database =
      options_.database.empty() ? folder_.path() + "/resource.sqlite" : options_.database;
  std::vector<Problem> problems = resource_.start(options_.program, database, scenario_.resource);
  if (problems.empty()) return true;
  fail(std::move(problems));
  return false;
}

bool Runner::make_ways() {
  network_ = std::make_unique<Network>();
  bool ok = true;
  for (const scenario::ClientSpec& spec : scenario_.clients) ok = ok && add_client(spec);
  return ok;
}

/// Gives a client its relays; its process starts when its time has come.
bool Runner::add_client(const scenario::ClientSpec& spec) {
  clients_.push_back(std::make_unique<ClientProcess>(spec));
  ClientProcess& client = *clients_.back();
  const std::vector<Address> servers = ensemble_->addresses();
  for (size_t i = 0; i < servers.size(); ++i) {
    client.ways().push_back({servers_[i], relay_to(servers[i], client, servers_[i])});
  }
  client.ways().push_back(
      {scenario_.resource.id, relay_to({.port = resource_.port()}, client, "")});
  for (const Way& way : client.ways()) {
    if (way.relay->port() != 0) continue;
    fail({environment("127.0.0.1",
                      "no free port for a relay: too many files open, or too many clients")});
    return false;
  }
  return true;
}

/// `server` is empty for the way to the resource.
std::unique_ptr<Relay> Runner::relay_to(const Address& upstream, ClientProcess& client,
                                        const std::string& server) {
  RelayOptions relay = {.upstream = upstream};
  if (!server.empty()) {
    const std::string id = client.id();
    const auto pings = std::make_shared<PingCounter>();
    relay.on_passed = [this, id, server, pings](Direction direction, std::string_view bytes) {
      if (direction != Direction::kForth) return;
      recorder_->heard(id, now());
      if (pings->feed(bytes) == 0) return;
      recorder_->see(now(), Noted{.kind = trace::EventKind::kArrived,
                                  .lane = server,
                                  .data = {.what = "ping", .peer = id}});
    };
    relay.on_connections = [this, id, server, pings](int connections) {
      pings->restart();
      recorder_->connected(id, server, connections > 0);
    };
  }
  return std::make_unique<Relay>(network_->io, std::move(relay));
}

void Runner::begin_recording(Truth truth) {
  const bool sampled = !options_.connect.empty();
  recorder_ = std::make_unique<Recorder>(
      RecorderOptions{.source = sampled ? trace::Source::kSampled : trace::Source::kLive,
                      .scenario = scenario_,
                      .servers = servers_,
                      .zero_us = zero_us_},
      std::move(truth));
  script_ = std::make_unique<Script>(scenario_);
  outbox_.zero_us = zero_us_;
}

// ---- Playing -----------------------------------------------------------------------------------------

void Runner::play() {
  trace::EndKind why = trace::EndKind::kStopped;
  while (!outbox_.stop && !failed()) {
    start_clients_due();
    network_->io.restart();
    network_->io.run_for(kRound);
    listen();
    follow_script();
    while (recorder_->settle(now())) follow_script();
    publish();
    if (!everybody_ended() || script_->waits()) idle_since_us_ = now();
    if (everybody_ended() && script_->done()) {
      why = trace::EndKind::kDone;
      break;
    }
    if (now() - idle_since_us_ > kIdlePatience) {
      why = trace::EndKind::kStepsLeft;
      break;
    }
    if (now() >= scenario_.time_max_us) {
      why = trace::EndKind::kTimeUp;
      break;
    }
  }
  wind_up(failed() ? trace::EndKind::kFailed : why);
}

void Runner::start_clients_due() {
  for (const auto& client : clients_) {
    if (client->starts() == 0 && client->spec().start_us <= now()) start_client(*client);
  }
}

void Runner::listen() {
  for (const auto& client : clients_) listen_to(*client);
  for (const Judgement& judgement : resource_.hear()) recorder_->see(judgement);
  if (resource_.poll() == ProcessChange::kEnded) {
    fail({environment(scenario_.resource.id,
                      "the resource's process has ended by itself (" + resource_.ending() + ")")});
  }
  std::vector<SeenTxn> txns;
  std::vector<Problem> problems = ensemble_->poll(txns);
  for (SeenTxn& seen : txns) recorder_->see(seen.time_us - zero_us_, std::move(seen.txn));
  for (size_t i = 0; i < servers_.size(); ++i) listen_to_server(i);
  if (!problems.empty()) fail(std::move(problems));
}

void Runner::listen_to_server(size_t index) {
  trace::ServerRow row = ensemble_->row(index);
  for (std::string* other : {&row.leader, &row.vote}) {
    for (size_t i = 0; i < servers_.size(); ++i) {
      if (*other == "zk" + std::to_string(i + 1)) {
        *other = servers_[i];
        break;
      }
    }
  }
  const trace::ServerRow before = std::exchange(server_rows_[index], row);
  recorder_->set_server(servers_[index], row);
  if (row == before || servers_.size() == 1) return;
  const auto leads = [](const trace::ServerRow& one) {
    return one.role == trace::ServerRole::kLeading;
  };
  const bool newest = std::none_of(
      server_rows_.begin(), server_rows_.end(),
      [&](const trace::ServerRow& one) { return leads(one) && one.epoch > row.epoch; });
  if (leads(row) && newest) recorder_->set_leader(servers_[index]);
  if (row.role == before.role || row.process == trace::Process::kCrashed) return;
  recorder_->see(now(), Noted{.kind = trace::EventKind::kRoleChanged,
                              .lane = servers_[index],
                              .data = {.what = upper(trace::name_of(row.role)),
                                       .peer = leads(row) ? "" : row.leader}});
}

void Runner::listen_to(ClientProcess& client) {
  for (ClientReport& report : client.hear()) {
    if (report.kind == ReportKind::kAtBreak) script_->at_break(client.id(), report.data.line);
    if (report.kind == ReportKind::kTrouble) {
      fail({environment("client " + client.id(), report.data.what)});
    }
    recorder_->see(ClientSaid{client.id(), std::move(report)});
  }
  if (client.running() && client.poll() == ProcessChange::kEnded) {
    fail({environment("client " + client.id(),
                      "its process has ended by itself (" + client.ending() + ")")});
  }
}

void Runner::follow_script() {
  std::vector<scenario::Intervention> by_hand;
  {
    const std::lock_guard lock(outbox_.mutex);
    by_hand.swap(outbox_.interventions);
  }
  for (const scenario::Intervention& intervention : by_hand) interfere(intervention);
  const std::vector<Wish> wishes = script_->next(recorder_->snapshot(), now());
  for (const Wish& wish : wishes) fulfil(wish);
}

bool Runner::everybody_ended() const {
  return std::all_of(clients_.begin(), clients_.end(), [&](const auto& client) {
    return client->starts() > 0 && client->ended() && !leaves_a_session(*client);
  });
}

/// A crashed client's session still lives, and with it perhaps its place in the queue.
bool Runner::leaves_a_session(const ClientProcess& client) const {
  if (client.running()) return false;
  for (const auto& [id, session] : recorder_->snapshot().sessions) {
    if (session.client == client.id() && session.life == trace::SessionLife::kLive) return true;
  }
  return false;
}

void Runner::publish() {
  std::vector<Recorded> recorded = recorder_->take();
  if (recorded.empty()) return;
  const std::lock_guard lock(outbox_.mutex);
  for (Recorded& one : recorded) outbox_.recorded.push_back(std::move(one));
}

/// What has happened but has not reached us yet still belongs to the trace.
void Runner::wind_up(trace::EndKind why) {
  const TimeUs until = now() + Recorder::kHoldback;
  while (now() < until && !failed()) {
    network_->io.restart();
    network_->io.run_for(kRound);
    listen();
    while (recorder_->settle(now())) continue;
  }
  const std::string name(trace::name_of(why));
  recorder_->finish(options_.keep ? name + "; kept in " + folder_.path() : name, now());
  publish();
}

}  // namespace lockstep::live
