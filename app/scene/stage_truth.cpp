// Truth: the lock's directory as ZooKeeper has it. Each client's node and session stand in the client's
// column; arrows lead from a watcher to what it watches.
#include <algorithm>
#include <map>

#include "scene/stage_bands.h"
#include "scene/strings.h"

namespace lockstep::scene {
namespace {

/// Of an ensemble: who leads, at the right of the heading; returns where it begins.
float draw_quorum(Canvas& canvas, const Band& band, Rect head) {
  const Sizes& s = band.layout.sizes;
  const float width = std::min(canvas.width(band.model.quorum, s.small), 0.6f * head.w);
  const Rect rect = {head.right() - width, head.y, width, head.h};
  canvas.open("quorum", rect);
  canvas.text({rect.x, rect.center().y - s.small_h / 2, width, s.small_h}, band.model.quorum,
              {.size = s.small, .ink = ink(band.model.has_quorum ? Role::kTextDim : Role::kWarn)});
  canvas.close();
  return rect.x - 1.2f * s.u;
}

/// Servers at the right of the heading; returns where they begin.
float draw_servers(Canvas& canvas, const Band& band, Rect head) {
  const Sizes& s = band.layout.sizes;
  float right = head.right();
  if (band.model.servers.size() > 1) return draw_quorum(canvas, band, head);
  for (size_t i = band.model.servers.size(); i-- > 0;) {
    const ServerView& server = band.model.servers[i];
    const float dot = 1.1f * s.u;
    const float width = std::min(canvas.width(server.text, s.small) + dot, 0.6f * head.w);
    if (right - width < head.x + 0.3f * head.w) break;
    const Rect rect = {right - width, head.y, width, head.h};
    canvas.open("server/" + server.id, rect);
    const Point center = {rect.x + 0.4f * s.u, rect.center().y};
    if (server.up) {
      canvas.circle(center, 0.3f * s.u, ink(Role::kOk));
    } else {
      canvas.cross(center, 0.6f * s.u, {ink(Role::kWarn), 0.14f * s.u});
    }
    canvas.text({rect.x + dot, rect.center().y - s.small_h / 2, width - dot, s.small_h},
                server.text,
                {.size = s.small, .ink = ink(server.up ? Role::kTextDim : Role::kWarn)});
    canvas.close();
    right = rect.x - 1.2f * s.u;
  }
  return right;
}

void draw_heading(Canvas& canvas, const Band& band, float panel_w) {
  const Sizes& s = band.layout.sizes;
  Rect all = band.layout.truth_head;
  all.w = panel_w;
  const Rect head = {all.x + 0.8f * s.u, all.y, all.w - 1.6f * s.u, all.h};
  const float right = draw_servers(canvas, band, head);
  const std::string directory = band.model.directory + "  " + band.model.directory_note;
  const float needed = canvas.width(directory, s.mono) + 1.5f * s.u;
  float x = head.x;
  const bool tight = right - x < needed + 16 * s.u;
  x += draw_title(canvas, s, {x, head.y, right - x, head.h}, word(Word::kTruth, band.language),
                  tight ? std::string_view() : word(Word::kTruthNote, band.language));
  x += 1.2f * s.u;
  const float y = head.center().y - s.small_h / 2;
  if (right - x < 4 * s.u) return;
  x += canvas.text({x, y, right - x, s.small_h}, band.model.directory,
                   {.size = s.mono, .ink = ink(Role::kText)});
  x += 0.7f * s.u;
  if (right - x < canvas.width(band.model.directory_note, s.small)) return;
  canvas.text({x, y, right - x, s.small_h}, band.model.directory_note,
              {.size = s.small, .ink = ink(Role::kTextDim)});
}

struct NodeLook {
  Ink fill = ink(Role::kCard);
  Stroke frame;
  Ink name = ink(Role::kText);
  Ink note = ink(Role::kTextDim);
  bool struck = false;
};

NodeLook look_of(const ClientView& client, const Sizes& s) {
  NodeLook look;
  switch (client.node.kind) {
    case NodeView::Kind::kHolder:
      look.fill = {.role = Role::kIdentityWash, .identity = client.number};
      look.frame = {hue(client.number), 0.18f * s.u};
      look.note = ink(Role::kText);
      break;
    case NodeView::Kind::kQueued: look.frame = {hue(client.number, 0.8f), 0.1f * s.u}; break;
    case NodeView::Kind::kGhost:
      look.fill = ink(Role::kPanel, 0);
      look.frame = {ink(Role::kTextDim, 0.6f), 0.08f * s.u, LineStyle::kDashed};
      look.name = ink(Role::kTextDim);
      look.struck = true;
      break;
    case NodeView::Kind::kNone: look.fill = ink(Role::kPanel, 0); break;
  }
  return look;
}

void draw_node(Canvas& canvas, const Sizes& s, const ClientView& client, Rect rect,
               bool say_watch) {
  const NodeView& node = client.node;
  const NodeLook look = look_of(client, s);
  const std::string id = node.path.empty() ? "client/" + client.id + "/node" : "znode/" + node.path;
  canvas.open(id, rect, node.tooltip);
  canvas.box(rect, 0.4f * s.u, look.fill, look.frame);
  const float inner = rect.w - 0.8f * s.u;
  const bool named = !node.name.empty();
  float y = rect.center().y - (named ? s.small_h : s.small_h / 2);
  canvas.text({rect.x + 0.4f * s.u, y, inner, s.small_h}, node.name,
              {.size = s.mono, .ink = look.name, .align = Align::kCenter, .struck = look.struck});
  if (named) y += s.small_h;
  const std::string& note = say_watch && !node.watch_note.empty() ? node.watch_note : node.note;
  canvas.text({rect.x + 0.4f * s.u, y, inner, s.small_h}, note,
              {.size = node.kind == NodeView::Kind::kHolder ? s.small_bold : s.small,
               .ink = look.note,
               .align = Align::kCenter});
  canvas.close();
}

void draw_bar(Canvas& canvas, const ClientView& client, Rect bar) {
  canvas.box(bar, bar.h / 2, ink(Role::kLine, 0.7f));
  const SessionView& session = client.session;
  if (session.left <= 0) return;
  const Ink fill = session.role == Role::kWarn ? ink(Role::kWarn) : hue(client.number);
  canvas.box({bar.x, bar.y, std::max(bar.h, bar.w * session.left), bar.h}, bar.h / 2, fill);
}

void draw_session(Canvas& canvas, const Band& band, const ClientView& client, Rect rect) {
  const Sizes& s = band.layout.sizes;
  const SessionView& session = client.session;
  const bool tight = band.layout.density == Density::kTight;
  const std::string id =
      session.id.empty() ? "client/" + client.id + "/session" : "session/" + session.id;
  canvas.open(id, rect, session.tooltip);
  float y = rect.y;
  if (!tight) {
    float label = 0;
    if (!session.label.empty()) {
      label = canvas.text({rect.x, y, 0.65f * rect.w, s.small_h}, session.label,
                          {.size = s.small, .ink = ink(Role::kTextDim)}) +
              0.6f * s.u;
      draw_bar(canvas, client,
               {rect.x + label, y + s.small_h / 2 - 0.21f * s.u, rect.w - label, 0.42f * s.u});
    }
    y += s.small_h + 0.2f * s.u;
  } else if (!session.id.empty()) {
    draw_bar(canvas, client, {rect.x, rect.bottom() - 0.35f * s.u, rect.w, 0.3f * s.u});
  }
  float x = rect.x;
  if (session.ended) {
    canvas.cross({x + 0.4f * s.u, y + s.small_h / 2}, 0.55f * s.u,
                 {ink(session.role), 0.12f * s.u});
    x += 1.1f * s.u;
  }
  canvas.text({x, y, rect.right() - x, s.small_h}, session.text,
              {.size = s.small,
               .ink = ink(session.role),
               .align = session.id.empty() ? Align::kCenter : Align::kLeft});
  canvas.close();
}

// ---- Watches -----------------------------------------------------------------------------------

/// An arrow over the heads of the nodes between: all watchers of one node share its level.
struct Lane {
  size_t to = 0;
  size_t low = 0;
  size_t high = 0;
  size_t level = 0;
};

constexpr size_t kLevels = 3;

bool is_beside(const WatchView& watch) {
  return !watch.children && (watch.from == watch.to + 1 || watch.to == watch.from + 1);
}

/// One lane a watched column, on the lowest level that is free there; the highest is shared at need.
std::map<size_t, Lane> lanes_of(const StageModel& model) {
  std::map<size_t, Lane> lanes;
  for (const WatchView& watch : model.watches) {
    if (watch.children || is_beside(watch)) continue;
    const auto [found, added] =
        lanes.try_emplace(watch.to, Lane{watch.to, watch.from, watch.from, 0});
    Lane& lane = found->second;
    lane.low = std::min({lane.low, watch.from, watch.to});
    lane.high = std::max({lane.high, watch.from, watch.to});
  }
  std::vector<const Lane*> placed;
  for (auto& entry : lanes) {
    Lane& lane =
        entry.second;  // by name: a lambda of C++20 may take no structured binding with clang 14
    while (lane.level + 1 < kLevels &&
           std::any_of(placed.begin(), placed.end(), [&](const Lane* other) {
             return other->level == lane.level && other->low < lane.high && lane.low < other->high;
           })) {
      ++lane.level;
    }
    placed.push_back(&lane);
  }
  return lanes;
}

Stroke watch_stroke(const Sizes& s) { return {ink(Role::kTextDim), 0.1f * s.u}; }

/// A straight arrow between neighbours. True if its label had room.
bool draw_watch_beside(Canvas& canvas, const Band& band, const WatchView& watch) {
  const Sizes& s = band.layout.sizes;
  const ColumnPlace& from = band.layout.columns[watch.from];
  const ColumnPlace& to = band.layout.columns[watch.to];
  const bool leftwards = watch.to < watch.from;
  const float gap = 0.25f * s.u;
  const float start = leftwards ? from.node_x - gap : from.node_x + from.node_w + gap;
  const float end = leftwards ? to.node_x + to.node_w + gap : to.node_x - gap;
  const float y = band.layout.node_y + band.layout.node_h / 2;
  canvas.line({start, y}, {end, y}, watch_stroke(s), std::min(0.8f * s.u, std::abs(end - start)));
  const std::string_view label = word(Word::kWatches, band.language);
  const float width = canvas.width(label, s.small);
  if (width + 1.2f * s.u > std::abs(end - start)) return false;
  const float x = std::min(start, end) + (leftwards ? 0.3f : -0.3f) * s.u;
  canvas.text({x, y - s.small_h - 0.1f * s.u, std::abs(end - start), s.small_h}, label,
              {.size = s.small, .ink = ink(Role::kTextDim), .align = Align::kCenter});
  return true;
}

void draw_watch_over(Canvas& canvas, const Band& band, const WatchView& watch, const Lane& lane) {
  const Sizes& s = band.layout.sizes;
  const StageLayout& layout = band.layout;
  const auto middle = [&](size_t column) {
    return layout.columns[column].node_x + layout.columns[column].node_w / 2;
  };
  const float step = layout.lanes_h / static_cast<float>(kLevels + 1);
  const float y = layout.node_y - step * static_cast<float>(lane.level + 1);
  // Off the middle, so that a node that watches and is watched has its lines apart.
  const float from = middle(watch.from) + (watch.to < watch.from ? -1.2f : 1.2f) * s.u;
  const float to = middle(watch.to) + (watch.to < watch.from ? 1.2f : -1.2f) * s.u;
  const float top = layout.node_y - 0.1f * s.u;
  canvas.path({{from, top}, {from, y}, {to, y}, {to, top}}, watch_stroke(s), 0.35f * s.u,
              std::min(0.6f * s.u, 0.8f * step));
}

void draw_watch_children(Canvas& canvas, const Band& band, const WatchView& watch) {
  const Sizes& s = band.layout.sizes;
  const ColumnPlace& place = band.layout.columns[watch.from];
  const float x = place.node_x + place.node_w / 2;
  const float top = band.layout.lanes_y;
  canvas.line({x, band.layout.node_y - 0.1f * s.u}, {x, top}, watch_stroke(s),
              std::min(0.7f * s.u, 0.6f * band.layout.lanes_h));
  if (band.layout.lanes_h < s.small_h) return;
  canvas.text({x + 0.5f * s.u, top + (band.layout.lanes_h - s.small_h) / 2,
               place.card_w / 2 - 0.5f * s.u, s.small_h},
              word(Word::kWatchesChildren, band.language),
              {.size = s.small, .ink = ink(Role::kTextDim)});
}

/// Draws all watches; returns the columns whose arrows say nothing by themselves.
std::vector<bool> draw_watches(Canvas& canvas, const Band& band) {
  std::vector<bool> unsaid(band.model.columns.size());
  const std::map<size_t, Lane> lanes = lanes_of(band.model);
  for (const WatchView& watch : band.model.watches) {
    if (watch.children) {
      draw_watch_children(canvas, band, watch);
    } else if (is_beside(watch)) {
      if (!draw_watch_beside(canvas, band, watch)) unsaid[watch.from] = true;
    } else {
      draw_watch_over(canvas, band, watch, lanes.at(watch.to));
      unsaid[watch.from] = true;
    }
  }
  return unsaid;
}

}  // namespace

void draw_truth(Canvas& canvas, const Band& band) {
  const StageLayout& layout = band.layout;
  const Sizes& s = layout.sizes;
  const float right = layout.gutter.x - layout.pad;
  const Rect panel = {layout.truth.x, layout.truth.y, right - layout.truth.x, layout.truth.h};
  canvas.open("band/truth", panel);
  canvas.box(panel, 0.6f * s.u, ink(Role::kPanel), {ink(Role::kLine), 0.08f * s.u});
  draw_heading(canvas, band, panel.w);
  draw_ensemble(canvas, band);
  const std::vector<bool> unsaid = draw_watches(canvas, band);
  for (size_t i = 0; i < band.model.columns.size(); ++i) {
    const ColumnView& column = band.model.columns[i];
    const ColumnPlace& place = layout.columns[i];
    const Rect node = {place.node_x, layout.node_y, place.node_w, layout.node_h};
    if (column.folded) {
      canvas.open("folded/" + std::to_string(i) + "/nodes", node);
      canvas.text({node.x, node.center().y - s.small_h / 2, node.w, s.small_h},
                  say(Word::kMoreClients, band.language, {std::to_string(column.fold.count)}),
                  {.size = s.small, .ink = ink(Role::kTextDim), .align = Align::kCenter});
      canvas.close();
      continue;
    }
    draw_node(canvas, s, column.client, node, unsaid[i]);
    draw_session(canvas, band, column.client,
                 {place.node_x, layout.session_y, place.node_w, layout.session_h});
  }
  canvas.close();
}

}  // namespace lockstep::scene
