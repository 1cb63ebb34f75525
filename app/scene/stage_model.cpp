#include "scene/stage_model.h"

#include <algorithm>

#include "scene/fold.h"
#include "scene/stage_census.h"
#include "scene/stage_views.h"
#include "scene/strings.h"

namespace lockstep::scene {
namespace {

/// Members to show, the most important first, as places in `order`.
std::vector<int64_t> wanted_of(const Census& census, const std::vector<size_t>& order,
                               const std::string& chosen) {
  std::vector<int64_t> wanted;
  std::vector<int64_t> dangerous;
  int64_t chosen_at = -1;
  for (size_t i = 0; i < order.size(); ++i) {
    const Member& member = census.members[order[i]];
    if (member.id == chosen) chosen_at = static_cast<int64_t>(i);
    if (member.dangerous) dangerous.push_back(static_cast<int64_t>(i));
  }
  if (chosen_at >= 0) wanted.push_back(chosen_at);
  if (!dangerous.empty()) wanted.push_back(dangerous.front());
  wanted.push_back(0);
  if (chosen_at >= 0) wanted.insert(wanted.end(), {chosen_at - 1, chosen_at + 1});
  wanted.push_back(static_cast<int64_t>(order.size()) - 1);
  wanted.insert(wanted.end(), dangerous.begin(), dangerous.end());
  return wanted;
}

FoldView folded_of(const Census& census, const std::vector<size_t>& order, const FoldItem& item) {
  FoldView view{.count = item.count};
  for (int64_t i = item.first; i < item.first + item.count; ++i) {
    const Member& member = census.members[order[static_cast<size_t>(i)]];
    if (member.dangerous) ++view.dangerous;
    if (member.row->belief == recipes::Belief::kWaiting) ++view.waiting;
  }
  return view;
}

struct Columns {
  std::vector<ColumnView> views;
  std::vector<size_t> of_member;  ///< by index in the census: its column, or the count's
};

Columns columns_of(const StageInput& input, const Census& census, const ColumnRoom& room) {
  std::vector<size_t> order(census.members.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto count = static_cast<int64_t>(order.size());
  const bool folds = !input.unfolded && static_cast<float>(count) * room.client > room.all;
  if (folds) order = census.in_queue_order;
  const float all = input.unfolded ? static_cast<float>(count + 1) * room.client : room.all;
  const FoldRoom fold_room{.all = all, .shown = room.client, .folded = room.folded};
  Columns columns;
  columns.of_member.resize(order.size());
  const std::vector<int64_t> wanted =
      folds ? wanted_of(census, order, input.chosen) : std::vector<int64_t>();
  for (const FoldItem& item : fold(count, wanted, fold_room)) {
    ColumnView view{.folded = item.folded};
    if (item.folded) {
      view.fold = folded_of(census, order, item);
    } else {
      view.client =
          client_view(input, census, census.members[order[static_cast<size_t>(item.first)]]);
    }
    for (int64_t i = item.first; i < item.first + item.count; ++i) {
      columns.of_member[order[static_cast<size_t>(i)]] = columns.views.size();
    }
    columns.views.push_back(std::move(view));
  }
  return columns;
}

/// Finds the columns of shown clients, and of none else: most rows of a large snapshot are about others.
class ShownClients {
 public:
  explicit ShownClients(const std::vector<ColumnView>& columns) {
    for (size_t i = 0; i < columns.size(); ++i) {
      if (!columns[i].folded) by_id_.emplace_back(columns[i].client.id, i);
    }
    std::sort(by_id_.begin(), by_id_.end(),
              [](const auto& a, const auto& b) { return kLess(a.first, b.first); });
  }

  /// The client's column; -1 if it is not shown.
  int64_t column(std::string_view id) const {
    const auto found = std::lower_bound(
        by_id_.begin(), by_id_.end(), id,
        [](const auto& entry, std::string_view wanted) { return kLess(entry.first, wanted); });
    return found == by_id_.end() || found->first != id ? -1 : static_cast<int64_t>(found->second);
  }

 private:
  static constexpr trace::ShorterFirst kLess = {};
  std::vector<std::pair<std::string_view, size_t>> by_id_;
};

/// The client in a session's id ("A#1").
std::string_view client_in(std::string_view session) {
  return session.substr(0, session.rfind('#'));
}

/// The watches of shown clients; a watching node's note says the same for want of room.
std::vector<WatchView> watches_of(const StageInput& input, const Census& census,
                                  const ShownClients& shown, Columns& columns) {
  std::vector<WatchView> watches;
  for (const auto& [id, watch] : input.snapshot.watches) {
    const int64_t from = shown.column(client_in(watch.session));
    if (from < 0) continue;
    WatchView view{.from = static_cast<size_t>(from)};
    NodeView& node = columns.views[view.from].client.node;
    if (watch.table == trace::WatchTable::kChildren) {
      if (watch.path != input.scenario.lock_path) continue;
      view.children = true;
    } else {
      const Member* owner = owner_of(census, input.snapshot, watch.path);
      const int64_t place = node_place(census, zk::name_in(watch.path));
      if (!owner || place < 0) continue;
      view.to = columns.of_member[static_cast<size_t>(owner - census.members.data())];
      if (view.to == view.from) continue;
      node.watch_note = say(Word::kWaitsBehind, input.language, {std::to_string(place + 1)});
    }
    watches.push_back(view);
  }
  return watches;
}

/// A link's client, and whether the link leads to it.
struct LinkEnd {
  int64_t column = -1;  ///< -1: not shown
  bool to_client = false;
};

/// By the link's key, "FROM>TO".
LinkEnd end_of(const ShownClients& shown, std::string_view link) {
  const size_t sign = link.find('>');
  if (sign == std::string_view::npos) return {};
  const int64_t from = shown.column(link.substr(0, sign));
  if (from >= 0) return {from, false};
  return {shown.column(link.substr(sign + 1)), true};
}

/// A client has wires to the resource, and to the one server that it uses or tries.
bool is_drawn(const StageInput& input, const StageModel& model, const LinkEnd& end, const trace::LinkRow& link) {
  const std::string& other = end.to_client ? link.from : link.to;
  return is_resource(input, other) || other == model.columns[static_cast<size_t>(end.column)].client.server;
}

void add_messages(const StageInput& input, const ShownClients& shown, StageModel& model) {
  for (const auto& [id, message] : input.snapshot.messages) {
    const LinkEnd end = end_of(shown, message.link);
    const trace::LinkRow* link =
        end.column < 0 ? nullptr : trace::find(input.snapshot.links, message.link);
    if (!link) continue;
    if (!is_drawn(input, model, end, *link)) continue;
    MessageView view = message_view(input, id, message, *link);
    view.column = static_cast<size_t>(end.column);
    view.number = model.columns[view.column].client.number;
    view.to_client = end.to_client;
    model.messages.push_back(std::move(view));
  }
}

void add_blocks(const StageInput& input, const ShownClients& shown, StageModel& model) {
  for (const auto& [id, link] : input.snapshot.links) {
    if (!link.cut && !link.held) continue;
    const LinkEnd end = end_of(shown, id);
    if (end.column < 0) continue;
    if (!is_drawn(input, model, end, link)) continue;
    const ClientView& client = model.columns[static_cast<size_t>(end.column)].client;
    model.blocks.push_back(
        {.link = id,
         .column = static_cast<size_t>(end.column),
         .client = client.id,
         .number = client.number,
         .to_client = end.to_client,
         .with_resource = is_resource(input, end.to_client ? link.from : link.to),
         .text = std::string(word(link.cut ? Word::kCut : Word::kHeld, input.language))});
  }
}

}  // namespace

StageModel model_of(const StageInput& input, const ColumnRoom& room) {
  const Census census = census_of(input.snapshot, input.scenario);
  Columns columns = columns_of(input, census, room);
  const ShownClients shown(columns.views);
  StageModel model;
  model.watches = watches_of(input, census, shown, columns);
  model.columns = std::move(columns.views);
  add_messages(input, shown, model);
  add_blocks(input, shown, model);
  const auto by_column = [](const auto& a, const auto& b) { return a.column < b.column; };
  std::stable_sort(model.messages.begin(), model.messages.end(), by_column);
  std::stable_sort(model.blocks.begin(), model.blocks.end(), by_column);
  for (const auto& [id, server] : input.snapshot.servers) {
    model.servers.push_back(server_view(input, id, server));
  }
  add_ensemble(input, census, model);
  model.directory = input.scenario.lock_path;
  model.directory_note =
      say(Word::kChildren, input.language, {std::to_string(census.truth.queue.size())});
  model.ledger = ledger_view(input, census);
  return model;
}

}  // namespace lockstep::scene
