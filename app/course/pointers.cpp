#include <algorithm>

#include "course/reading.h"
#include "scenario/schema.h"
#include "trace/conditions.h"

namespace lockstep::course {
namespace {

using scenario::Place;
using scenario::Problem;
using scenario::Scenario;

/// The unescaped second step of "/table/ID/...", if the first is `table`; empty otherwise.
std::string row_in(const std::string& pointer, const std::string& table) {
  const std::string before = "/" + table + "/";
  if (pointer.rfind(before, 0) != 0) return {};
  return pointer.substr(before.size(), pointer.find('/', before.size()) - before.size());
}

struct Rows {
  std::string table;
  std::vector<std::string> ids;
};

/// Rows that a run has from its start. Clients that a step adds are among them.
std::vector<Rows> rows_of(const Scenario& scenario) {
  Rows clients{"clients", {}};
  for (const scenario::ClientSpec& client : scenario.clients) clients.ids.push_back(client.id);
  for (const scenario::Step& step : scenario.steps) {
    for (const scenario::Intervention& action : step.actions) {
      if (action.action == scenario::Action::kAddClient) clients.ids.push_back(action.target);
    }
  }
  Rows servers{"servers", {}};
  for (const scenario::ServerSpec& server : scenario.servers) servers.ids.push_back(server.id);
  return {clients, servers, {"resources", {scenario.resource.id}}};
}

}  // namespace

std::vector<Problem> check_pointer(const Scenario& scenario, const std::string& pointer,
                                   const Place& place) {
  std::string why;
  if (!trace::known_pointer(pointer, why)) return {place.problem(why)};
  for (const Rows& rows : rows_of(scenario)) {
    const std::string id = row_in(pointer, rows.table);
    if (id.empty() || std::find(rows.ids.begin(), rows.ids.end(), id) != rows.ids.end()) continue;
    const std::string meant = scenario::nearest(id, rows.ids);
    return {place.problem("\"" + pointer + "\": the scenario has no \"" + id + "\" among its " +
                          rows.table + (meant.empty() ? "" : "; did you mean \"" + meant + "\"?"))};
  }
  return {};
}

std::vector<Problem> check_pointers(const Scenario& scenario, const Place& place) {
  std::vector<Problem> problems;
  const auto check = [&](const std::string& pointer, const Place& at) {
    for (Problem& problem : check_pointer(scenario, pointer, at))
      problems.push_back(std::move(problem));
  };
  for (size_t i = 0; i < scenario.steps.size(); ++i) {
    const std::vector<scenario::Condition>& when = scenario.steps[i].when;
    for (size_t k = 0; k < when.size(); ++k) {
      const Place at = place.at("steps").at(i).at("when").at(k);
      check(when[k].at, at.at("at"));
      if (when[k].test == scenario::Test::kSameAs)
        check(std::get<std::string>(when[k].operand), at.at("same_as"));
    }
  }
  return problems;
}

}  // namespace lockstep::course
