// Names of enumerators as files and conditions spell them: lower case, with underscores.
#pragma once

#include <string>
#include <string_view>

#include "recipes/machine.h"
#include "trace/event.h"
#include "trace/facts.h"
#include "trace/snapshot.h"

namespace lockstep::trace {

/// Calls `visit(value)` for each enumerator, from zero up to the first number that has no name.
template <class E, class Visit>
void each_enumerator(Visit&& visit) {
  for (int number = 0; number < 256; ++number) {
    const E value = static_cast<E>(number);
    if (name_of(value) == "unknown") return;
    visit(value);
  }
}

/// "running, paused, crashed": every name of an enum, for messages.
template <class E>
std::string names_of() {
  std::string names;
  each_enumerator<E>([&](E value) {
    if (!names.empty()) names += ", ";
    names += name_of(value);
  });
  return names;
}

}  // namespace lockstep::trace
