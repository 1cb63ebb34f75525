#include "sim/world.h"

#include <chrono>
#include <ctime>                // breach: clock
#include <thread>               // breach: thread
#include <ranges>               // breach: portable
#include "../recipes/lock.h"    // breach: include
#include "explore/visited.h"    // breach: layer
#include "gui/window.h"         // breach: layer
#include "live/servers.h"       // breach: layer
#include <cairo.h>              // breach: foreign

void f() {
  auto a = std::chrono::steady_clock::now();  // breach: clock
  auto b = time(nullptr);                     // breach: clock
  std::random_device device;                  // breach: random
  std::uniform_int_distribution<int> dice;    // breach: random
  std::shuffle(begin(x), end(x), device);     // breach: random
  int c = rand();                             // breach: random
  std::thread worker;                         // breach: thread
  std::string d = std::format("{}", 1);       // breach: portable
  std::ranges::sort(x);                       // breach: portable
  unsigned long long e = 0;                   // breach: long long
  std::jthread other;                         // breach: portable
  auto here = std::source_location::current();  // breach: portable
  try {                                       // breach: exceptions
    g();
  } catch (...) {                             // breach: exceptions
  }
  std::chrono::milliseconds duration{1};
  int run_time = runtime(0) + event.time(0) + operand(1);
}
