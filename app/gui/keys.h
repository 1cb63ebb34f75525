// Which key asks for what: one table, which also fills the list of keys (`?`).
#pragma once

#include <vector>

#include "gui/command.h"
#include "gui/input.h"
#include "gui/strings.h"

namespace lockstep::gui {

struct Binding {
  KeyPress press;
  Command command;
  Word what = Word::kPlay;  ///< for the list of keys
};

/// Bindings under one heading of the list of keys.
struct BindingGroup {
  Word title = Word::kKeysTime;
  std::vector<Binding> bindings;
};

std::vector<BindingGroup> binding_groups();

/// What the presses ask for, in their order.
Commands commands_of(const std::vector<BindingGroup>& groups, const std::vector<KeyPress>& presses);

}  // namespace lockstep::gui
