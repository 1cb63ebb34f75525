#include "cli/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "catch.h"
#include "scenario/reading.h"

namespace lockstep::cli_tests {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct Pipe {
  int read = -1;
  int write = -1;
};

Pipe make_pipe() {
  int ends[2];
  REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
  return {ends[0], ends[1]};
}

/// In the child: what it finds as stdin, stdout and stderr, and in its environment.
void become(const Start& start, const Pipe& out, const Pipe& err) {
  const int in = open(start.in.c_str(), O_RDONLY);
  dup2(in, STDIN_FILENO);
  dup2(err.write, STDERR_FILENO);
  switch (start.out) {
    case Stdout::kRead:
    case Stdout::kReaderGone: dup2(out.write, STDOUT_FILENO); break;
    case Stdout::kClosed: close(STDOUT_FILENO); break;
    case Stdout::kFull: dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO); break;
  }
  signal(SIGPIPE, start.ignore_sigpipe ? SIG_IGN : SIG_DFL);
  unsetenv("DISPLAY");
  unsetenv("WAYLAND_DISPLAY");
  setenv("LC_ALL", "en_US.UTF-8", 1);
  std::vector<char*> arguments;
  std::string program = LOCKSTEP_BINARY;
  arguments.push_back(program.data());
  std::vector<std::string> copies = start.arguments;
  for (std::string& one : copies) arguments.push_back(one.data());
  arguments.push_back(nullptr);
  execv(program.c_str(), arguments.data());
  _exit(127);
}

/// Appends what is there to `text`; false at its end.
bool drain(int descriptor, std::string& text) {
  char block[1 << 16];
  const ssize_t count = read(descriptor, block, sizeof block);
  if (count > 0) text.append(block, static_cast<size_t>(count));
  return count > 0;
}

/// Sends SIGINT once it is time to.
class Interrupter {
 public:
  Interrupter(pid_t child, std::string file) : child_(child), file_(std::move(file)) {}

  void look() {
    std::error_code error;
    if (file_.empty() || !fs::exists(file_, error)) return;
    if (fs::is_directory(file_, error) && fs::is_empty(file_, error)) return;
    kill(child_, SIGINT);
    file_.clear();
  }
  int patience_ms() const { return file_.empty() ? 1000 : 5; }

 private:
  pid_t child_;
  std::string file_;
};

/// Reads both until their ends; false when the time is up.
bool read_all(const Pipe& out, const Pipe& err, Clock::time_point until, Interrupter interrupter,
              Outcome& outcome) {
  pollfd ends[2] = {{out.read, POLLIN, 0}, {err.read, POLLIN, 0}};
  std::string* texts[2] = {&outcome.out, &outcome.err};
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    if (Clock::now() >= until) return false;
    interrupter.look();
    if (poll(ends, 2, interrupter.patience_ms()) <= 0) continue;
    for (int i = 0; i < 2; ++i) {
      if (ends[i].revents != 0 && !drain(ends[i].fd, *texts[i])) ends[i].fd = -1;
    }
  }
  return true;
}

}  // namespace

Outcome run(const Start& start) {
  const Pipe out = make_pipe();
  const Pipe err = make_pipe();
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) become(start, out, err);
  close(out.write);
  close(err.write);
  Outcome outcome;
  Pipe watched = out;
  if (start.out != Stdout::kRead) {
    close(out.read);
    watched.read = -1;
  }
  outcome.late = !read_all(watched, err, Clock::now() + std::chrono::seconds(start.seconds),
                           Interrupter(child, start.interrupted_at), outcome);
  if (outcome.late) kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  if (watched.read >= 0) close(watched.read);
  close(err.read);
  if (WIFEXITED(status)) outcome.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  return outcome;
}

Outcome run(const std::vector<std::string>& arguments) {
  Start start;
  start.arguments = arguments;
  return run(start);
}

Scratch::Scratch() {
  std::string name = (fs::temp_directory_path() / "lockstep_cli_XXXXXX").string();
  REQUIRE(mkdtemp(name.data()) != nullptr);
  folder_ = name;
}

Scratch::~Scratch() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::string Scratch::file(const std::string& name, const std::string& bytes) const {
  std::ofstream out(path(name), std::ios::binary);
  out << bytes;
  return path(name);
}

std::vector<std::string> Scratch::names() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder_))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string lesson(const std::string& name) {
  return lockstep::scenario::data_folder() + "/lessons/" + name + ".json";
}

std::string complaint(const Outcome& outcome, int code) {
  INFO("stderr: " << outcome.err.substr(0, 2000));
  CHECK_FALSE(outcome.late);
  CHECK(outcome.signal == 0);
  CHECK(outcome.code == code);
  CHECK(outcome.out.empty());
  CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
  CHECK(outcome.err.rfind("lockstep", 0) == 0);
  const std::string start = "lockstep: ";
  const size_t from = outcome.err.rfind(start, 0) == 0 ? start.size() : 0;
  return outcome.err.substr(from, outcome.err.find('\n') - from);
}

}  // namespace lockstep::cli_tests
