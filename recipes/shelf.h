// The shelf: every recipe that a scenario can name. A new recipe adds its alternative to `Recipe` and
// one row to `kShelf`; whatever plays recipes speaks to them through the functions below.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "recipes/fair_lock.h"

namespace lockstep::recipes {

using Recipe = std::variant<FairLock>;

/// The names that scenarios use, in the order of the alternatives of `Recipe`.
constexpr std::string_view kShelf[] = {"fair_lock"};

inline std::string_view recipe_name(const Recipe& recipe) { return kShelf[recipe.index()]; }

inline void handle(Recipe& recipe, const Input& input, TimeUs now, Outputs& out) {
  std::visit([&](auto& machine) { machine.handle(input, now, out); }, recipe);
}
inline bool ready(const Recipe& recipe) {
  return std::visit([](const auto& machine) { return machine.ready(); }, recipe);
}
inline bool ended(const Recipe& recipe) {
  return std::visit([](const auto& machine) { return machine.ended(); }, recipe);
}
/// The number of the current line in its listing; 0: not in the listing (not begun, or ended).
inline int line(const Recipe& recipe) {
  return std::visit([](const auto& machine) { return static_cast<int>(machine.line()); }, recipe);
}
inline Belief belief(const Recipe& recipe) {
  return std::visit([](const auto& machine) { return machine.belief(); }, recipe);
}
inline int64_t token(const Recipe& recipe) {
  return std::visit([](const auto& machine) { return machine.token(); }, recipe);
}
inline const std::string& node(const Recipe& recipe) {
  return std::visit([](const auto& machine) -> const std::string& { return machine.node(); }, recipe);
}
inline const std::string& waits_for(const Recipe& recipe) {
  return std::visit([](const auto& machine) -> const std::string& { return machine.waits_for(); },
                    recipe);
}
inline int32_t rounds_done(const Recipe& recipe) {
  return std::visit([](const auto& machine) { return machine.rounds_done(); }, recipe);
}
/// The node under which the recipe's contenders queue.
inline const std::string& lock_path(const Recipe& recipe) {
  return std::visit([](const auto& machine) -> const std::string& { return machine.options().path; },
                    recipe);
}
inline Listing listing(const Recipe& recipe) {
  return std::visit(overloaded{[](const FairLock& lock) { return fair_lock_listing(lock.options()); }},
                    recipe);
}
/// The line with this id ("write"); 0 if the listing has none.
int line_named(const Recipe& recipe, std::string_view id);
/// The id of a line; empty if there is no such line. Stable for all options of a recipe.
inline std::string_view line_id(const Recipe& recipe, int number) {
  return std::visit(overloaded{[&](const FairLock&) { return fair_lock_line_id(number); }}, recipe);
}

}  // namespace lockstep::recipes
