#include "live/worker.h"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "live/live.h"
#include "live/monotonic.h"
#include "live/worker_words.h"

namespace lockstep::live {
namespace {

constexpr TimeUs kConnectPatience = 5 * kSecond;
/// A read that is outstanding for this long is nudged; see ZookeeperSession::nudge.
constexpr TimeUs kStuckRead = 300 * kMillisecond;

const scenario::ClientSpec* spec_named(const scenario::Scenario& scenario, const std::string& id) {
  for (const scenario::ClientSpec& client : scenario.clients) {
    if (client.id == id) return &client;
  }
  return nullptr;
}

TimeUs timeout_of(const WorkerOptions& options) {
  const scenario::ClientSpec* spec = spec_named(options.scenario, options.begin.client);
  return spec ? spec->session_timeout_us : 0;
}

bool is_write(zk::Op op) {
  return op == zk::Op::kCreate || op == zk::Op::kDelete || op == zk::Op::kSetData;
}

}  // namespace

Worker::Worker(WorkerOptions options)
    : options_(std::move(options)),
      spec_(spec_named(options_.scenario, options_.begin.client)),
      session_({.connect = options_.begin.connect, .timeout_us = timeout_of(options_), .in_order = true}) {}

int Worker::run() {
  if (!begin()) return 3;
  while (!quit_) {
    wait_for_work();
    if (!hear_orders()) return 0;  // Nobody is there any more.
    hear_library();
    hear_resource();
    rescue_stuck_read();
    // All that is due, but the library is listened to between any two steps.
    while (!quit_ && step()) hear_library();
  }
  session_.close();
  return 0;
}

bool Worker::begin() {
  if (!spec_) {
    trouble("the scenario has no client \"" + options_.begin.client + "\"");
    return false;
  }
  const auto resource = addresses_of(options_.begin.resource, "resource");
  std::string why = "no address";
  if (resource) resource_ = connect_to(resource.value().front(), kConnectPatience, why);
  if (!resource_.ok()) {
    trouble("the resource cannot be reached: " + why);
    return false;
  }
  recipe_ =
      scenario::recipe_of(options_.scenario, *spec_, static_cast<uint32_t>(options_.begin.start));
  recipes::Outputs outputs;
  recipes::handle(recipe_, recipes::Start{}, now(), outputs);
  report({.event = trace::EventKind::kStarted});  // First: the library connects in a thread of its own.
  const auto problems = session_.open();
  if (!problems.empty()) {
    trouble(scenario::describe(problems.front()));
    return false;
  }
  act(outputs);
  return true;
}

// ---- The loop --------------------------------------------------------------------------------------

void Worker::wait_for_work() {
  TimeUs until = now() + kSecond;
  if (!held_up()) {
    for (const auto& [id, at] : deadlines_) until = std::min(until, at);
  }
  if (asked_us_ > 0) until = std::min(until, asked_us_ + kStuckRead);
  const TimeUs left = std::max<TimeUs>(0, until - now());
  pollfd waiting[] = {
      {STDIN_FILENO, POLLIN, 0}, {session_.wake(), POLLIN, 0}, {resource_.get(), POLLIN, 0}};
  poll(waiting, resource_.ok() ? 3 : 2, static_cast<int>((left + kMillisecond - 1) / kMillisecond));
}

bool Worker::hear_orders() {
  pollfd waiting = {STDIN_FILENO, POLLIN, 0};
  while (poll(&waiting, 1, 0) > 0) {
    char buffer[4096];
    const ssize_t count = read(STDIN_FILENO, buffer, sizeof buffer);
    if (count <= 0) return false;
    orders_.add(buffer, static_cast<size_t>(count));
    std::string line;
    while (orders_.take(line)) {
      ClientOrder order;
      if (from_line(line, order)) obey(order);
    }
  }
  return true;
}

void Worker::obey(const ClientOrder& order) {
  switch (order.verb) {
    case ClientVerb::kBegin: return;  // It has.
    case ClientVerb::kBreak: breaks_.push_back({order.line, order.visit, order.then}); return;
    case ClientVerb::kGo: waiting_ = false; return;
    case ClientVerb::kRelease:
      inputs_.push_back({recipes::Command{recipes::CommandKind::kRelease}, {}});
      return;
    case ClientVerb::kCancel:
      inputs_.push_back({recipes::Command{recipes::CommandKind::kCancel}, {}});
      return;
    case ClientVerb::kHang: hung_ = true; return;
    case ClientVerb::kFree: hung_ = false; return;
    case ClientVerb::kQuit: quit_ = true; return;
  }
}

void Worker::hear_library() {
  SessionNews news;
  while (session_.take(news)) {
    report_library(news);
    inputs_.push_back({std::move(news.input), std::move(news.request)});
  }
}

void Worker::hear_resource() {
  char buffer[4096];
  while (resource_.ok()) {
    const ssize_t count = recv(resource_.get(), buffer, sizeof buffer, MSG_DONTWAIT);
    if (count < 0) break;
    if (count == 0) {
      resource_ = Descriptor();
      trouble("the resource has closed its connection");
      break;
    }
    answers_.add(buffer, static_cast<size_t>(count));
  }
  std::string line;
  while (answers_.take(line)) {
    WriteAnswer answer;
    if (!from_line(line, answer)) continue;
    inputs_.push_back(
        {recipes::ResourceReplied{answer.accepted, answer.value, answer.token_max}, {}});
  }
}

void Worker::rescue_stuck_read() {
  if (asked_us_ == 0 || now() - asked_us_ < kStuckRead || !connected_) return;
  session_.nudge();
  asked_us_ = now();  // And again after as long.
}

/// One step of the application; false if there is none to do now.
bool Worker::step() {
  if (held_up() || ended_) return false;
  if (!inputs_.empty()) {
    take_input();
  } else if (!take_deadline() && !run_line()) {
    return false;
  }
  if (recipes::ended(recipe_) && !ended_) {
    ended_ = true;
    report({.kind = ReportKind::kEnded});
  }
  return true;
}

// ---- One step of the application -------------------------------------------------------------------

void Worker::take_input() {
  const Queued queued = std::move(inputs_.front());
  inputs_.pop_front();
  ClientReport told = {.event = trace::EventKind::kInput};
  describe_input(queued.input, queued.request, told);
  if (!told.watch_path.empty()) shown_[told.watch_path] = told.data.zxid;
  if (!told.needs_change.empty()) told.changed_after = shown_[told.needs_change];
  if (std::holds_alternative<recipes::ReplyArrived>(queued.input)) asked_us_ = 0;
  recipes::Outputs outputs;
  recipes::handle(recipe_, queued.input, now(), outputs);
  report(std::move(told));
  act(outputs);
}

bool Worker::take_deadline() {
  const TimeUs time = now();
  for (const auto& [id, at] : deadlines_) {
    if (at > time) continue;
    const recipes::Input input = recipes::DeadlinePassed{id};
    deadlines_.erase(id);
    ClientReport told = {.event = trace::EventKind::kDeadline};
    describe_input(input, {}, told);
    recipes::Outputs outputs;
    recipes::handle(recipe_, input, time, outputs);
    report(std::move(told));
    act(outputs);
    return true;
  }
  return false;
}

bool Worker::run_line() {
  if (!recipes::ready(recipe_)) {
    line_visited_ = 0;
    return false;
  }
  const int line = recipes::line(recipe_);
  if (line_visited_ != line && pause_at_break(line)) return false;
  line_visited_ = 0;
  ClientReport told = {.event = trace::EventKind::kLine};
  told.data.line = line;
  told.data.what = recipes::line_id(recipe_, line);
  recipes::Outputs outputs;
  recipes::handle(recipe_, recipes::NextLine{}, now(), outputs);
  for (const recipes::Output& output : outputs) announce(output, told);
  report(std::move(told));  // First, so that nothing is seen to arrive before it was sent.
  act(outputs);
  return true;
}

/// What a line is about to send, told with the line.
void Worker::announce(const recipes::Output& output, ClientReport& told) {
  if (const auto* send = std::get_if<recipes::SendToResource>(&output)) {
    told.request = requests_ + 1;
    told.read_only = send->read_only;
    told.data.token = send->token;
    told.data.value = send->value;
    if (!send->read_only) writes_ = send->serial;
  }
  if (const auto* send = std::get_if<recipes::SendRequest>(&output)) {
    told.op = zk::name_of(send->request.op);
    told.data.path = send->request.path;
    if (!is_write(send->request.op)) asked_us_ = now();
  }
}

/// Counts the visit. True if it must not run the line now; after a stop it runs it at once, whatever has
/// happened meanwhile: the process has noticed nothing.
bool Worker::pause_at_break(int line) {
  line_visited_ = line;
  const int32_t visit = ++visits_[line];
  const auto here = std::find_if(breaks_.begin(), breaks_.end(), [&](const Break& one) {
    return one.line == line && one.visit == visit;
  });
  if (here == breaks_.end()) return false;
  const AtBreak then = here->then;
  breaks_.erase(here);
  ClientReport told = {.kind = ReportKind::kAtBreak, .then = then};
  told.data.line = line;
  report(std::move(told));
  switch (then) {
    case AtBreak::kStopItself: raise(SIGSTOP); return false;
    case AtBreak::kHang: hung_ = true; return true;
    case AtBreak::kWait: waiting_ = true; return true;
  }
  return false;
}

void Worker::act(const recipes::Outputs& outputs) {
  for (const recipes::Output& output : outputs) {
    std::visit(
        overloaded{
            [&](const recipes::SendRequest& send) { session_.send(send.request); },
            [&](const recipes::SendToResource& send) { send_to_resource(send); },
            [&](const recipes::SetDeadline& deadline) { deadlines_[deadline.id] = deadline.at; },
            [&](const recipes::OpenSession&) {
              for (const auto& problem : session_.open()) trouble(scenario::describe(problem));
            },
            [&](const recipes::Notice& notice) { report(report_of(notice, recipe_)); },
        },
        output);
  }
}

void Worker::send_to_resource(const recipes::SendToResource& send) {
  const WriteRequest request = {.client = spec_->id,
                                .request = ++requests_,
                                .read_only = send.read_only,
                                .token = send.token,
                                .value = send.value,
                                .serial = send.serial};
  const std::string line = to_line(request) + "\n";
  if (::send(resource_.get(), line.data(), line.size(), MSG_NOSIGNAL) !=
      static_cast<ssize_t>(line.size())) {
    trouble("the resource no longer takes writes");
  }
}

// ---- Telling ---------------------------------------------------------------------------------------

TimeUs Worker::now() const { return monotonic_us() - options_.begin.zero_us; }

AppState Worker::state() const {
  return {.belief = recipes::belief(recipe_),
          .token = recipes::token(recipe_),
          .line = recipes::line(recipe_),
          .at_line = recipes::ready(recipe_),
          .node = recipes::node(recipe_),
          .waits_for = recipes::waits_for(recipe_),
          .rounds_done = recipes::rounds_done(recipe_),
          .writes_sent = writes_,
          .inputs = static_cast<int32_t>(inputs_.size())};
}

void Worker::report(ClientReport told) {
  if (told.time_us == 0) told.time_us = now();
  told.state = state();
  std::puts(to_line(told).c_str());
  std::fflush(stdout);
}

/// What the library told, at the moment when it did: the application may look at it much later.
void Worker::report_library(const SessionNews& news) {
  const auto* change = std::get_if<recipes::SessionChanged>(&news.input);
  if (!change) return;
  ClientReport told = {.time_us = std::max<TimeUs>(1, news.time_us - options_.begin.zero_us)};
  switch (change->state) {
    case zk::SessionState::kConnected:
      told.event = trace::EventKind::kConnected;
      told.session_id = change->session;
      told.timeout_us = news.timeout_us;
      told.password = to_hex(news.password);
      connected_ = true;
      break;
    case zk::SessionState::kDisconnected:
    case zk::SessionState::kAuthFailed:
      told.event = trace::EventKind::kDisconnected;
      connected_ = false;
      break;
    case zk::SessionState::kExpired:
      told.event = trace::EventKind::kExpired;
      connected_ = false;
      break;
  }
  report(std::move(told));
}

void Worker::trouble(const std::string& why) {
  ClientReport told = {.kind = ReportKind::kTrouble};
  told.data.what = why;
  report(std::move(told));
}

int client_main() {
  const std::string first = first_line();
  WorkerOptions options;
  auto scenario = scenario_in(first);
  if (!scenario || !from_line(first, options.begin)) {
    const std::string why =
        scenario ? "the first line is no order" : scenario::describe(scenario.problems().front());
    std::fprintf(stderr,
                 "lockstep client: %s; this command is a part of a live run, started by it\n",
                 why.c_str());
    return 2;
  }
  options.scenario = std::move(scenario.value());
  Worker worker(std::move(options));
  return worker.run();
}

}  // namespace lockstep::live
