// `lockstep resource`: the thing that the lock protects, as a process of its own. It listens on loopback,
// one WriteRequest a line, and writes a Judgement of each to its standard output, whose first line is the
// port. On its standard input it takes what it is to be, then new rules, and ends when that ends.
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <map>

#include "live/live.h"
#include "live/monotonic.h"
#include "live/register_database.h"
#include "live/sockets.h"
#include "live/wire.h"

namespace lockstep::live {
namespace {

constexpr int kBadInput = 2;
constexpr int kEnvironment = 3;

struct Caller {
  Descriptor socket;
  LineBuffer lines;
};

class Resource {
 public:
  Resource(RegisterDatabase database, Descriptor listening)
      : database_(std::move(database)), listening_(std::move(listening)) {}

  /// Serves until its standard input ends.
  void serve() {
    while (serve_once()) continue;
  }

 private:
  bool serve_once() {
    std::vector<pollfd> waiting = {{STDIN_FILENO, POLLIN, 0}, {listening_.get(), POLLIN, 0}};
    for (const auto& [number, caller] : callers_) waiting.push_back({number, POLLIN, 0});
    if (poll(waiting.data(), waiting.size(), -1) < 0) return true;
    if (waiting[0].revents != 0 && !hear_orders()) return false;
    if (waiting[1].revents != 0) let_in();
    for (size_t i = 2; i < waiting.size(); ++i) {
      if (waiting[i].revents != 0 && !hear(callers_.at(waiting[i].fd)))
        callers_.erase(waiting[i].fd);
    }
    return true;
  }

  bool hear_orders() {
    char buffer[4096];
    const ssize_t count = read(STDIN_FILENO, buffer, sizeof buffer);
    if (count <= 0) return false;
    orders_.add(buffer, static_cast<size_t>(count));
    std::string line;
    while (orders_.take(line)) {
      RuleOrder order;
      if (from_line(line, order)) database_.set_rule(order.rule);
    }
    return true;
  }

  void let_in() {
    const int number = accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC);
    if (number >= 0) callers_[number].socket = Descriptor(number);
  }

  bool hear(Caller& caller) {
    char buffer[4096];
    const ssize_t count = recv(caller.socket.get(), buffer, sizeof buffer, 0);
    if (count <= 0) return false;
    caller.lines.add(buffer, static_cast<size_t>(count));
    std::string line;
    while (caller.lines.take(line)) {
      WriteRequest request;
      if (!from_line(line, request) || !answer(caller, request)) return false;
    }
    return caller.lines.ok();
  }

  /// Judges first, tells our parent, then answers: so nobody hears of a write that is not on record.
  bool answer(Caller& caller, const WriteRequest& request) {
    Judgement judgement = {.request = request};
    judgement.answer.request = request.request;
    RegisterState before;
    RegisterState after;
    bool accepted = request.read_only;
    const bool ok = request.read_only
                        ? database_.read(after)
                        : database_.write({request.token, request.value}, accepted, before, after);
    judgement.time_us = monotonic_us();
    if (!ok) {
      std::fprintf(stderr, "lockstep resource: %s\n", database_.trouble().c_str());
      return false;
    }
    judgement.token_max_before = before.token_max;
    judgement.answer.accepted = accepted;
    judgement.answer.value = after.value;
    judgement.answer.token_max = after.token_max;
    std::puts(to_line(judgement).c_str());
    std::fflush(stdout);
    const std::string reply = to_line(judgement.answer) + "\n";
    return send(caller.socket.get(), reply.data(), reply.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(reply.size());
  }

  RegisterDatabase database_;
  Descriptor listening_;
  LineBuffer orders_;
  std::map<int, Caller> callers_;
};

int fail(const scenario::Problem& problem, int code) {
  std::fprintf(stderr, "lockstep resource: %s\n", scenario::describe(problem).c_str());
  return code;
}

}  // namespace

int resource_main() {
  ResourceBegin begin;
  if (!from_line(first_line(), begin) || begin.database.empty()) {
    return fail({"standard input", "",
                 "expected a JSON object to begin with; this command is a part of a live run, "
                 "started by it"},
                kBadInput);
  }
  scenario::ResourceSpec spec;
  spec.id = begin.id;
  spec.rule = begin.rule;
  spec.initial_value = begin.initial;
  auto database = RegisterDatabase::open(begin.database, spec);
  if (!database) return fail(database.problems().front(), kEnvironment);
  uint16_t port = 0;
  Descriptor listening = listen_on_free_port(port);
  if (!listening.ok()) return fail({"127.0.0.1", "", "no free port to listen on"}, kEnvironment);
  std::printf("%d\n", port);
  std::fflush(stdout);
  Resource(std::move(database.value()), std::move(listening)).serve();
  return 0;
}

}  // namespace lockstep::live
