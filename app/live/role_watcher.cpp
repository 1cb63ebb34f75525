#include "live/role_watcher.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "live/servers.h"

namespace lockstep::live {
namespace {

constexpr auto kInterval = std::chrono::milliseconds(50);
constexpr TimeUs kPatience = 500 * kMillisecond;

}  // namespace

struct RoleWatcher::State {
  struct Server {
    Address address;
    std::string mode;
    bool asked = true;
    int changes = 0;  // of `asked`: an answer to a question from before one does not count
  };

  std::mutex mutex;  // of all but the thread
  std::condition_variable end;
  bool ended = false;
  std::vector<Server> servers;
  std::thread thread;

  void ask(size_t index) {
    Address address;
    int changes = 0;
    {
      const std::lock_guard lock(mutex);
      if (!servers[index].asked || ended) return;
      address = servers[index].address;
      changes = servers[index].changes;
    }
    std::string mode = mode_of(address, kPatience);
    const std::lock_guard lock(mutex);
    if (servers[index].changes == changes) servers[index].mode = std::move(mode);
  }

  void run() {
    std::unique_lock lock(mutex);
    while (!ended) {
      lock.unlock();
      for (size_t i = 0; i < servers.size(); ++i) ask(i);
      lock.lock();
      end.wait_for(lock, kInterval, [&] { return ended; });
    }
  }
};

RoleWatcher::RoleWatcher(std::vector<Address> servers) : state_(std::make_unique<State>()) {
  for (Address& address : servers) {
    std::string mode = mode_of(address, 2 * kSecond);
    state_->servers.push_back({.address = std::move(address), .mode = std::move(mode)});
  }
  state_->thread = std::thread([state = state_.get()] { state->run(); });
}

RoleWatcher::~RoleWatcher() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->ended = true;
  }
  state_->end.notify_all();
  state_->thread.join();
}

std::string RoleWatcher::mode(size_t index) const {
  const std::lock_guard lock(state_->mutex);
  return state_->servers[index].mode;
}

void RoleWatcher::set_asked(size_t index, bool asked, bool gone) {
  const std::lock_guard lock(state_->mutex);
  State::Server& server = state_->servers[index];
  server.asked = asked;
  ++server.changes;
  if (gone) server.mode.clear();
}

}  // namespace lockstep::live
