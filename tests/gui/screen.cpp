#include "screen.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace lockstep::gui_test {
namespace {

using Clock = std::chrono::steady_clock;

/// In the child: becomes the program. Dies with the test.
[[noreturn]] void become(const std::vector<std::string>& arguments, const std::vector<std::string>& environment) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const std::string& variable : environment) {
    const size_t equals = variable.find('=');
    setenv(variable.substr(0, equals).c_str(), variable.substr(equals + 1).c_str(), 1);
  }
  std::vector<char*> pointers;
  for (const std::string& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  execvp(pointers[0], pointers.data());
  _exit(127);
}

struct Child {
  pid_t pid = -1;
  int errors = -1;  ///< the end of its stderr that we read
};

Child spawn(const std::vector<std::string>& arguments, const std::vector<std::string>& environment) {
  int pipe_ends[2] = {-1, -1};
  if (pipe2(pipe_ends, O_CLOEXEC) != 0) return {};
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(pipe_ends[1], 2);
    become(arguments, environment);
  }
  close(pipe_ends[1]);
  return {pid, pipe_ends[0]};
}

std::string read_until(int file, Clock::time_point end, bool one_line) {
  std::string text;
  char buffer[4096];
  while (Clock::now() < end) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    pollfd poll_for = {file, POLLIN, 0};
    if (poll(&poll_for, 1, static_cast<int>(left)) <= 0) break;
    const ssize_t got = read(file, buffer, sizeof buffer);
    if (got <= 0) break;
    text.append(buffer, static_cast<size_t>(got));
    if (one_line && text.find('\n') != std::string::npos) break;
  }
  return text;
}

int wait_for(pid_t child, Clock::time_point end) {
  int status = 0;
  while (Clock::now() < end) {
    if (waitpid(child, &status, WNOHANG) == child) return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return -1;
}

}  // namespace

Screen::Screen() {
  int pipe_ends[2] = {-1, -1};
  if (pipe(pipe_ends) != 0) return;
  server_ = fork();
  if (server_ == 0) {
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nowhere, 2);
    close(pipe_ends[0]);
    become({"Xvfb", "-displayfd", std::to_string(pipe_ends[1]), "-screen", "0", "1920x1200x24", "-nolisten", "tcp"}, {});
  }
  close(pipe_ends[1]);
  const std::string line = read_until(pipe_ends[0], Clock::now() + std::chrono::seconds(20), true);
  close(pipe_ends[0]);
  if (!line.empty() && line[0] >= '0' && line[0] <= '9') display_ = std::atoi(line.c_str());
}

Screen::~Screen() { stop(server_); }

Outcome Screen::run(const std::vector<std::string>& arguments, int seconds) const {
  return run_program(arguments, {"DISPLAY=" + display()}, seconds);
}

pid_t Screen::start(const std::vector<std::string>& arguments) const {
  const pid_t child = fork();
  if (child == 0) become(arguments, {"DISPLAY=" + display()});
  return child;
}

void stop(pid_t child) {
  if (child <= 0) return;
  kill(child, SIGTERM);
  if (wait_for(child, Clock::now() + std::chrono::seconds(3)) >= 0) return;
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

Outcome run_program(const std::vector<std::string>& arguments, const std::vector<std::string>& environment,
                    int seconds) {
  const Clock::time_point end = Clock::now() + std::chrono::seconds(seconds);
  const Child child = spawn(arguments, environment);
  Outcome outcome;
  outcome.errors = read_until(child.errors, end, false);
  outcome.exit_code = wait_for(child.pid, end + std::chrono::seconds(1));
  if (outcome.exit_code < 0) stop(child.pid);
  close(child.errors);
  return outcome;
}

}  // namespace lockstep::gui_test
