#include "live/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "live/monotonic.h"

namespace lockstep::live {
namespace {

/// What the child needs between fork and exec, made ready before: only async-signal-safe calls there.
struct Launch {
  std::vector<char*> arguments;
  pid_t parent = 0;
  int input = -1;
  int output = -1;
  int errors = -1;
  int report = -1;  // where errno goes if the program cannot be started
  bool outlives_us = false;
};

[[noreturn]] void run_child(const Launch& launch) {
  if (launch.outlives_us) {
    setsid();
  } else {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != launch.parent) _exit(1);  // It ended before the line above.
    setpgid(0, 0);
  }
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPIPE, SIG_DFL);
  dup2(launch.input, STDIN_FILENO);
  dup2(launch.output, STDOUT_FILENO);
  if (launch.errors >= 0) dup2(launch.errors, STDERR_FILENO);
  close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
  execv(launch.arguments[0], launch.arguments.data());
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(launch.report, &error, sizeof error);
  _exit(127);
}

scenario::Problem cannot_start(const std::string& program, int error) {
  return {program, "", std::string("this program cannot be started: ") + std::strerror(error),
          scenario::ProblemKind::kEnvironment};
}

void close_all(std::initializer_list<int> descriptors) {
  for (const int descriptor : descriptors) {
    if (descriptor >= 0) close(descriptor);
  }
}

}  // namespace

scenario::Result<Process> Process::start(const ProcessOptions& options) {
  const std::string& program = options.arguments.at(0);
  Launch launch;
  for (const std::string& argument : options.arguments) {
    launch.arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  launch.arguments.push_back(nullptr);
  launch.parent = getpid();
  launch.outlives_us = options.outlives_us;

  int channel[2] = {-1, -1};
  int report[2] = {-1, -1};
  int file = -1;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel) != 0 ||
      pipe2(report, O_CLOEXEC) != 0) {
    const int error = errno;
    close_all({channel[0], channel[1]});
    return cannot_start(program, error);
  }
  if (!options.output_file.empty()) {
    file = open(options.output_file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  }
  launch.input = channel[1];
  launch.output = file >= 0 ? file : channel[1];
  launch.errors = file;
  launch.report = report[1];

  const pid_t pid = fork();
  if (pid == 0) run_child(launch);
  int error = errno;
  close_all({channel[1], report[1], file});
  Process process;
  process.channel_ = channel[0];
  if (pid > 0) {
    process.pid_ = pid;
    if (read(report[0], &error, sizeof error) <= 0) error = 0;
  }
  close(report[0]);
  if (pid < 0 || error != 0) return cannot_start(program, error);
  return process;
}

Process::~Process() {
  close_channel();
  if (running()) {
    signal(SIGKILL);
    while (changed(0) != ProcessChange::kEnded) continue;
  }
}

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      channel_(std::exchange(other.channel_, -1)),
      ending_(std::move(other.ending_)) {}

Process& Process::operator=(Process&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(channel_, other.channel_);
  std::swap(ending_, other.ending_);
  return *this;
}

bool Process::write_line(const std::string& line) {
  const std::string bytes = line + "\n";
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t sent = send(channel_, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
    if (sent > 0) {
      done += static_cast<size_t>(sent);
    } else if (errno == EAGAIN) {
      pollfd writable = {channel_, POLLOUT, 0};
      // A stopped process does not read: better to lose the command than to stop with it.
      if (::poll(&writable, 1, 1000) == 0) return false;
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

void Process::close_channel() {
  if (channel_ >= 0) close(std::exchange(channel_, -1));
}

bool Process::signal(int number) { return running() && kill(pid_, number) == 0; }

ProcessChange Process::changed(int flags) {
  if (!running()) return ProcessChange::kEnded;
  int status = 0;
  pid_t changed = -1;
  do {
    changed = waitpid(pid_, &status, flags);
  } while (changed < 0 && errno == EINTR);
  if (changed == 0) return ProcessChange::kNone;
  if (changed > 0 && WIFSTOPPED(status)) return ProcessChange::kStopped;
  if (changed > 0 && WIFCONTINUED(status)) return ProcessChange::kContinued;
  ending_ = WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                                : "exit code " + std::to_string(WEXITSTATUS(status));
  pid_ = -1;
  return ProcessChange::kEnded;
}

ProcessChange Process::poll() { return changed(WNOHANG | WUNTRACED | WCONTINUED); }

ProcessChange Process::wait() { return changed(WUNTRACED | WCONTINUED); }

bool Process::wait_at_most(TimeUs patience_us) {
  const TimeUs until = monotonic_us() + patience_us;
  while (poll() != ProcessChange::kEnded) {
    if (monotonic_us() >= until) return false;
    usleep(2000);
  }
  return true;
}

void Process::stop(TimeUs grace_us) {
  if (running()) {
    signal(SIGTERM);
    signal(SIGCONT);  // A stopped process hears nothing else.
    if (!wait_at_most(grace_us)) {
      signal(SIGKILL);
      while (changed(0) != ProcessChange::kEnded) continue;
    }
  }
  close_channel();
}

std::string program_on_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::string rest = path ? path : "/usr/bin:/bin";
  while (!rest.empty()) {
    const size_t colon = rest.find(':');
    const std::string candidate = rest.substr(0, colon) + "/" + name;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
    rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
  }
  return "";
}

}  // namespace lockstep::live
