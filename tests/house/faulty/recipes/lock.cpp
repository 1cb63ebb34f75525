#include "recipes/machine.h"
#include "sim/world.h"            // breach: layer
#include <nlohmann/json.hpp>
#include <zookeeper/zookeeper.h>  // breach: foreign

// A comment may speak of imgui.h, of std::thread, and of how long it takes; so may a text.
const char* text = "long std::thread throw";

int f() {
  throw 1;      // breach: exceptions
  long n = 0;   // breach: long
  return longest(n);
}
