#include "live/client_process.h"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "live/monotonic.h"

namespace lockstep::live {
namespace {

constexpr TimeUs kStopPatience = 2 * kSecond;
constexpr TimeUs kStartPatience = 20 * kSecond;

/// Appends what can be read without waiting.
void drain(int channel, LineBuffer& lines) {
  char buffer[16384];
  while (channel >= 0) {
    const ssize_t count = recv(channel, buffer, sizeof buffer, MSG_DONTWAIT);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    lines.add(buffer, static_cast<size_t>(count));
  }
}

}  // namespace

std::vector<scenario::Problem> ClientProcess::start(const std::string& program,
                                                    const scenario::Scenario& scenario,
                                                    ClientOrder begin) {
  auto process = Process::start({.arguments = {program, "client"}});
  if (!process) return process.problems();
  process_ = std::move(process.value());
  lines_ = LineBuffer();
  paused_ = stands_ = ended_ = stops_itself_ = false;
  begin.verb = ClientVerb::kBegin;
  begin.client = id();
  begin.start = ++starts_;
  process_.write_line(to_line(begin, scenario));
  for (const ClientOrder& kept : kept_orders_) order(kept);
  kept_orders_.clear();
  return {};
}

bool ClientProcess::order(const ClientOrder& order) {
  if (starts_ > 0) return process_.write_line(to_line(order));
  kept_orders_.push_back(order);
  return true;
}

std::vector<ClientReport> ClientProcess::hear() {
  drain(process_.channel(), lines_);
  std::vector<ClientReport> reports;
  std::string line;
  while (lines_.take(line)) {
    ClientReport report;
    if (!from_line(line, report)) continue;
    if (report.kind == ReportKind::kEnded) ended_ = true;
    if (report.kind == ReportKind::kAtBreak) stops_itself_ = report.then == AtBreak::kStopItself;
    if (report.kind == ReportKind::kEvent && report.event == trace::EventKind::kConnected) {
      session_ = {report.session_id, from_hex(report.password)};
    }
    reports.push_back(std::move(report));
  }
  return reports;
}

ProcessChange ClientProcess::poll() {
  const ProcessChange change = process_.poll();
  if (change == ProcessChange::kStopped) stands_ = true;
  if (change == ProcessChange::kContinued) stands_ = false;
  return change;
}

bool ClientProcess::pause() {
  if (paused_ || !running()) return false;
  // Two signals would stop it twice: once now, and once after it was told to go on.
  if (!std::exchange(stops_itself_, false)) process_.signal(SIGSTOP);
  const TimeUs until = monotonic_us() + kStopPatience;
  while (monotonic_us() < until) {
    if (stands_) return paused_ = true;
    if (poll() == ProcessChange::kEnded) return false;
    if (stands_) continue;
    usleep(500);
  }
  return false;
}

bool ClientProcess::resume() {
  if (!paused_ || !process_.signal(SIGCONT)) return false;
  paused_ = stands_ = false;
  return true;
}

bool ClientProcess::crash() {
  if (!process_.signal(SIGKILL)) return false;
  while (process_.wait() != ProcessChange::kEnded) continue;
  paused_ = stands_ = false;  // Its last words are still in the channel.
  return ended_ = true;
}

void ClientProcess::ask_to_quit() {
  if (!running()) return;
  order({.verb = ClientVerb::kQuit});
  if (paused_) process_.signal(SIGCONT);
}

void ClientProcess::stop(TimeUs grace_us) { process_.stop(grace_us); }

// ---- Resource ----------------------------------------------------------------------------------------

std::vector<scenario::Problem> ResourceProcess::start(const std::string& program,
                                                      const std::string& database,
                                                      const scenario::ResourceSpec& spec) {
  auto process = Process::start({.arguments = {program, "resource"}});
  if (!process) return process.problems();
  process_ = std::move(process.value());
  process_.write_line(to_line(ResourceBegin{
      .database = database, .id = spec.id, .rule = spec.rule, .initial = spec.initial_value}));
  const TimeUs until = monotonic_us() + kStartPatience;
  std::string line;
  while (!lines_.take(line)) {
    pollfd waiting = {process_.channel(), POLLIN, 0};
    ::poll(&waiting, 1, 20);
    drain(process_.channel(), lines_);
    if (process_.poll() == ProcessChange::kEnded || monotonic_us() > until) {
      return {{database, "",
               "the resource's process did not begin to serve (" + process_.ending() +
                   "); it may have said why above",
               scenario::ProblemKind::kEnvironment}};
    }
  }
  port_ = static_cast<uint16_t>(std::atoi(line.c_str()));
  return {};
}

std::vector<Judgement> ResourceProcess::hear() {
  drain(process_.channel(), lines_);
  std::vector<Judgement> judgements;
  std::string line;
  while (lines_.take(line)) {
    Judgement judgement;
    if (from_line(line, judgement)) judgements.push_back(std::move(judgement));
  }
  return judgements;
}

void ResourceProcess::stop() {
  process_.close_channel();
  process_.stop(kSecond);
}

}  // namespace lockstep::live
