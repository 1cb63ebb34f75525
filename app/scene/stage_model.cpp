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
    if (member.danger == trace::Danger::kDangerous) dangerous.push_back(static_cast<int64_t>(i));
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
    if (member.danger == trace::Danger::kDangerous) ++view.dangerous;
    if (member.row->belief == recipes::Belief::kWaiting) ++view.waiting;
  }
  return view;
}

struct Columns {
  std::vector<ColumnView> views;
  std::map<std::string_view, size_t> by_client;  ///< of every client: its column, or the count's
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
  const std::vector<int64_t> wanted =
      folds ? wanted_of(census, order, input.chosen) : std::vector<int64_t>();
  for (const FoldItem& item : fold(count, wanted, fold_room)) {
    ColumnView view{.folded = item.folded};
    if (item.folded) {
      view.fold = folded_of(census, order, item);
    } else {
      view.client = client_view(input, census, census.members[order[static_cast<size_t>(item.first)]]);
    }
    for (int64_t i = item.first; i < item.first + item.count; ++i) {
      columns.by_client.emplace(census.members[order[static_cast<size_t>(i)]].id, columns.views.size());
    }
    columns.views.push_back(std::move(view));
  }
  return columns;
}

/// The watches of shown clients; a watching node's note says the same for want of room.
std::vector<WatchView> watches_of(const StageInput& input, const Census& census, Columns& columns) {
  std::vector<WatchView> watches;
  for (const auto& [id, watch] : input.snapshot.watches) {
    const trace::SessionRow* session = trace::find(input.snapshot.sessions, watch.session);
    if (!session) continue;
    const auto from = columns.by_client.find(session->client);
    if (from == columns.by_client.end() || columns.views[from->second].folded) continue;
    WatchView view{.from = from->second};
    if (watch.table == trace::WatchTable::kChildren) {
      if (watch.path != input.scenario.lock_path) continue;
      view.children = true;
    } else {
      const Member* owner = owner_of(census, input.snapshot, watch.path);
      if (!owner || owner->id == session->client) continue;
      view.to = columns.by_client.find(owner->id)->second;
      const auto place = census.node_places.find(zk::name_in(watch.path));
      if (place == census.node_places.end()) continue;
      columns.views[view.from].client.node.watch_note =
          say(Word::kWaitsBehind, input.language, {std::to_string(place->second + 1)});
    }
    watches.push_back(view);
  }
  return watches;
}

/// Adds the messages and blocks of shown clients.
void add_links(const StageInput& input, const Census& census, const Columns& columns,
               StageModel& model) {
  for (const auto& [id, message] : input.snapshot.messages) {
    const trace::LinkRow* link = trace::find(input.snapshot.links, message.link);
    if (!link) continue;
    const bool to_client = census.by_id.count(link->to) != 0;
    const auto column = columns.by_client.find(to_client ? link->to : link->from);
    if (column == columns.by_client.end() || columns.views[column->second].folded) continue;
    MessageView view = message_view(input, id, message, *link);
    view.column = column->second;
    view.number = columns.views[view.column].client.number;
    view.to_client = to_client;
    model.messages.push_back(std::move(view));
  }
  for (const auto& [id, link] : input.snapshot.links) {
    if (!link.cut && !link.held) continue;
    const bool to_client = census.by_id.count(link.to) != 0;
    const auto column = columns.by_client.find(to_client ? link.to : link.from);
    if (column == columns.by_client.end() || columns.views[column->second].folded) continue;
    BlockView view{.link = id,
                   .column = column->second,
                   .client = columns.views[column->second].client.id,
                   .number = columns.views[column->second].client.number,
                   .to_client = to_client,
                   .with_resource = is_resource(input, to_client ? link.from : link.to),
                   .text = std::string(word(link.cut ? Word::kCut : Word::kHeld, input.language))};
    model.blocks.push_back(std::move(view));
  }
  const auto by_column = [](const auto& a, const auto& b) { return a.column < b.column; };
  std::stable_sort(model.messages.begin(), model.messages.end(), by_column);
  std::stable_sort(model.blocks.begin(), model.blocks.end(), by_column);
}

}  // namespace

StageModel model_of(const StageInput& input, const ColumnRoom& room) {
  const Census census = census_of(input.snapshot, input.scenario);
  Columns columns = columns_of(input, census, room);
  StageModel model;
  model.watches = watches_of(input, census, columns);
  add_links(input, census, columns, model);
  model.columns = std::move(columns.views);
  for (const auto& [id, server] : input.snapshot.servers) {
    model.servers.push_back(server_view(input, id, server));
  }
  model.directory = input.scenario.lock_path;
  model.directory_note =
      say(Word::kChildren, input.language, {std::to_string(census.truth.queue.size())});
  model.ledger = ledger_view(input, census);
  return model;
}

}  // namespace lockstep::scene
