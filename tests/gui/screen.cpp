#include "screen.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <thread>

namespace lockstep::gui_test {
namespace {

using Clock = std::chrono::steady_clock;

/// In the child: becomes the program. Dies with the test.
[[noreturn]] void become(const std::vector<std::string>& arguments,
                         const std::vector<std::string>& environment) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const std::string& variable : environment) {
    const size_t equals = variable.find('=');
    setenv(variable.substr(0, equals).c_str(), variable.substr(equals + 1).c_str(), 1);
  }
  std::vector<char*> pointers;
  for (const std::string& argument : arguments)
    pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  execvp(pointers[0], pointers.data());
  _exit(127);
}

struct Child {
  pid_t pid = -1;
  int output = -1;  ///< the ends of its stdout and stderr that we read
  int errors = -1;
};

Child spawn(const std::vector<std::string>& arguments,
            const std::vector<std::string>& environment) {
  int output[2] = {-1, -1};
  int errors[2] = {-1, -1};
  if (pipe2(output, O_CLOEXEC) != 0 || pipe2(errors, O_CLOEXEC) != 0) return {};
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(output[1], 1);
    dup2(errors[1], 2);
    become(arguments, environment);
  }
  close(output[1]);
  close(errors[1]);
  return {pid, output[0], errors[0]};
}

std::string read_until(int file, Clock::time_point end, bool one_line) {
  std::string text;
  char buffer[4096];
  while (Clock::now() < end) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
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
    if (waitpid(child, &status, WNOHANG) == child)
      return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return -1;
}

/// Ends a child and waits for it.
void stop(pid_t child) {
  if (child <= 0) return;
  kill(child, SIGTERM);
  if (wait_for(child, Clock::now() + std::chrono::seconds(3)) >= 0) return;
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

/// The n-th number of an XWD file's header; they are all big-endian.
uint32_t header_number(const std::string& file, size_t n) {
  uint32_t number = 0;
  for (size_t i = 0; i < 4; ++i) number = number << 8 | static_cast<uint8_t>(file[4 * n + i]);
  return number;
}

}  // namespace

Screen::Screen() {
  char name[] = "/tmp/lockstep-screen-XXXXXX";
  if (mkdtemp(name) == nullptr) return;
  folder_ = name;
  int pipe_ends[2] = {-1, -1};
  if (pipe(pipe_ends) != 0) return;
  server_ = fork();
  if (server_ == 0) {
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nowhere, 2);
    close(pipe_ends[0]);
    become({"Xvfb", "-displayfd", std::to_string(pipe_ends[1]), "-screen", "0", "1920x1200x24",
            "-nolisten", "tcp", "-fbdir", folder_},
           {});
  }
  close(pipe_ends[1]);
  const std::string line = read_until(pipe_ends[0], Clock::now() + std::chrono::seconds(20), true);
  close(pipe_ends[0]);
  if (!line.empty() && line[0] >= '0' && line[0] <= '9') display_ = std::atoi(line.c_str());
}

Screen::~Screen() {
  stop(server_);
  if (folder_.empty()) return;
  unlink((folder_ + "/Xvfb_screen0").c_str());
  rmdir(folder_.c_str());
}

Outcome Screen::run(const std::vector<std::string>& arguments, int seconds) const {
  return run_program(arguments, {"DISPLAY=" + display()}, seconds);
}

std::array<int, 3> Screen::pixel(int x, int y) const {
  std::ifstream in(folder_ + "/Xvfb_screen0", std::ios::binary);
  const std::string file((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  constexpr size_t kHeaderSize = 0, kBitsPerPixel = 11, kBytesPerLine = 12, kColors = 19;
  if (file.size() < 100 || header_number(file, kBitsPerPixel) != 32) return {-1, -1, -1};
  const size_t at = header_number(file, kHeaderSize) + 12 * header_number(file, kColors) +
                    static_cast<size_t>(y) * header_number(file, kBytesPerLine) +
                    4 * static_cast<size_t>(x);
  if (at + 3 > file.size()) return {-1, -1, -1};
  const auto byte = [&](size_t i) { return static_cast<int>(static_cast<uint8_t>(file[at + i])); };
  return {byte(2), byte(1), byte(0)};
}

Program::Program(const Screen& screen, const std::vector<std::string>& arguments) {
  const Child child = spawn(arguments, {"DISPLAY=" + screen.display()});
  child_ = child.pid;
  output_ = child.output;
  errors_ = child.errors;
}

Program::~Program() {
  stop(child_);
  close(output_);
  close(errors_);
}

std::string Program::line(int seconds) {
  if (unread_.find('\n') == std::string::npos) {
    unread_ += read_until(output_, Clock::now() + std::chrono::seconds(seconds), true);
  }
  const size_t end = unread_.find('\n');
  if (end == std::string::npos) return {};
  const std::string line = unread_.substr(0, end);
  unread_.erase(0, end + 1);
  return line;
}

Outcome Program::end(int seconds) {
  const Clock::time_point end = Clock::now() + std::chrono::seconds(seconds);
  Outcome outcome;
  outcome.errors = read_until(errors_, end, false);
  outcome.exit_code = wait_for(child_, end);
  if (outcome.exit_code >= 0) child_ = -1;
  return outcome;
}

Outcome run_program(const std::vector<std::string>& arguments,
                    const std::vector<std::string>& environment, int seconds) {
  const Clock::time_point end = Clock::now() + std::chrono::seconds(seconds);
  const Child child = spawn(arguments, environment);
  Outcome outcome;
  outcome.errors = read_until(child.errors, end, false);
  outcome.exit_code = wait_for(child.pid, end + std::chrono::seconds(1));
  if (outcome.exit_code < 0) stop(child.pid);
  close(child.output);
  close(child.errors);
  return outcome;
}

}  // namespace lockstep::gui_test
