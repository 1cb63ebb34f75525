#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <thread>

#include "live/live.h"
#include "live/monotonic.h"
#include "live/runner.h"

namespace lockstep::live {
namespace {

constexpr useconds_t kPollInterval = 5000;

/// Takes the signals that ask us to end to itself while it lives: of this thread and of those that it
/// starts meanwhile. They come by asking, so that nothing runs in a handler.
class EndingSignals {
 public:
  EndingSignals() {
    sigemptyset(&signals_);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals_, number);
    pthread_sigmask(SIG_BLOCK, &signals_, &before_);
    arrived_ = Descriptor(signalfd(-1, &signals_, SFD_NONBLOCK | SFD_CLOEXEC));
  }
  ~EndingSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  EndingSignals(const EndingSignals&) = delete;
  EndingSignals& operator=(const EndingSignals&) = delete;

  /// The number of one that has come; 0: none has.
  int arrived() {
    signalfd_siginfo info = {};
    if (read(arrived_.get(), &info, sizeof info) != static_cast<ssize_t>(sizeof info)) return 0;
    return static_cast<int>(info.ssi_signo);
  }

 private:
  sigset_t signals_ = {};
  sigset_t before_ = {};
  Descriptor arrived_;
};

}  // namespace

struct LiveRun::State {
  scenario::Scenario scenario;
  LiveOptions options;
  Outbox outbox;
  std::thread thread;
  trace::Trace trace;
};

LiveRun::LiveRun(scenario::Scenario scenario, LiveOptions options)
    : state_(std::make_unique<State>()) {
  if (scenario.servers.empty()) scenario.servers.push_back({"zk1"});
  state_->trace = empty_trace(
      options.connect.empty() ? trace::Source::kLive : trace::Source::kSampled, scenario);
  state_->scenario = std::move(scenario);
  state_->options = std::move(options);
}

LiveRun::~LiveRun() { stop(); }

void LiveRun::start() {
  if (state_->thread.joinable()) return;
  state_->outbox.phase = LivePhase::kStarting;
  state_->thread = std::thread([state = state_.get()] {
    { Runner(state->scenario, state->options, state->outbox).run(); }
    state->outbox.phase = LivePhase::kFinished;
  });
}

int64_t LiveRun::poll() {
  std::vector<Recorded> recorded;
  {
    const std::lock_guard lock(state_->outbox.mutex);
    recorded.swap(state_->outbox.recorded);
  }
  for (Recorded& one : recorded) {
    state_->trace.append(std::move(one.event), one.after);
    if (state_->options.on_event) state_->options.on_event(state_->trace, state_->trace.size() - 1);
  }
  return static_cast<int64_t>(recorded.size());
}

const trace::Trace& LiveRun::trace() const { return state_->trace; }

void LiveRun::intervene(const scenario::Intervention& intervention) {
  const std::lock_guard lock(state_->outbox.mutex);
  state_->outbox.interventions.push_back(intervention);
}

LivePhase LiveRun::phase() const { return state_->outbox.phase; }

TimeUs LiveRun::now_us() const {
  const TimeUs zero = state_->outbox.zero_us;
  return zero == 0 ? 0 : monotonic_us() - zero;
}

std::vector<scenario::Problem> LiveRun::problems() const {
  const std::lock_guard lock(state_->outbox.mutex);
  return state_->outbox.problems;
}

void LiveRun::stop() {
  state_->outbox.stop = true;
  if (state_->thread.joinable()) state_->thread.join();
}

scenario::Result<trace::Trace> play_live(const scenario::Scenario& scenario,
                                         const LiveOptions& options) {
  EndingSignals signals;
  LiveRun run(scenario, options);
  run.start();
  int interrupted_by = 0;
  while (!run.finished()) {
    run.poll();
    if (interrupted_by == 0) interrupted_by = signals.arrived();
    if (interrupted_by != 0) run.stop();
    usleep(kPollInterval);
  }
  run.poll();
  if (interrupted_by != 0)
    return scenario::Problem{std::to_string(interrupted_by), "", kInterrupted,
                             scenario::ProblemKind::kEnvironment};
  std::vector<scenario::Problem> problems = run.problems();
  if (!problems.empty()) return problems;
  return run.trace();
}

std::vector<scenario::Problem> run_servers(
    int count, const std::function<void(const std::string& connect)>& on_ready) {
  EndingSignals signals;
  auto folder = Folder::make();
  if (!folder) return folder.problems();
  auto servers = Servers::start({.count = count, .folder = folder.value().path()});
  if (!servers) return servers.problems();
  on_ready(servers.value().connect_string());
  while (signals.arrived() == 0) {
    for (int i = 0; i < count; ++i) {
      if (!servers.value().has_ended(i)) continue;
      return {{to_text(servers.value().address(i)), "", "this ZooKeeper server has ended by itself",
               scenario::ProblemKind::kEnvironment}};
    }
    usleep(kPollInterval);
  }
  return {};
}

}  // namespace lockstep::live
