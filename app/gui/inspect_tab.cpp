// ZooKeeper's objects as tables: the tree of znodes with every Stat, sessions, watches, links, servers, messages.
#include <set>

#include "gui/controls.h"
#include "gui/flow.h"
#include "gui/panel.h"
#include "trace/facts.h"

namespace lockstep::gui {
namespace {

using scene::Role;

std::string zxid_text(int64_t zxid) { return trace::token_text(zxid); }

/// A name at the left, a value at the right of it; small.
void field(const Ui& ui, std::string_view name, std::string_view value, float indent) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float wide = ImGui::GetContentRegionAvail().x;
  const float high = ui.em(1.35f);
  const float column = indent + ui.em(7.5f);
  ui.text(name, {at.x + indent, at.y, column - indent, high}, kSmallDim);
  Style style = kCodeText;
  ui.text(value, {at.x + column, at.y, wide - column, high}, style);
  ImGui::Dummy({wide, high});
}

struct Cell {
  std::string text;
  Style style = {.level = Level::kSmall};
};

/// Cells side by side, each with its share of the width.
void cells(const Ui& ui, const std::vector<Cell>& row, const std::vector<float>& shares) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float wide = ImGui::GetContentRegionAvail().x;
  const float high = ui.line_height();
  float x = at.x;
  for (size_t i = 0; i < row.size(); ++i) {
    const float room = wide * shares[i];
    ui.text(row[i].text, {x, at.y, room - ui.em(0.4f), high}, row[i].style);
    x += room;
  }
  ImGui::Dummy({wide, high});
}

void head(const Ui& ui, const std::vector<std::string>& names, const std::vector<float>& shares) {
  std::vector<Cell> row;
  for (const std::string& name : names) row.push_back({name, kSmallDim});
  cells(ui, row, shares);
}

/// What each line of a Stat says, in ZooKeeper's own words.
void draw_stat(const Ui& ui, const trace::ZnodeRow& node, float indent) {
  const zk::Stat& stat = node.stat;
  field(ui, "czxid", zxid_text(stat.czxid), indent);
  field(ui, "mzxid", zxid_text(stat.mzxid), indent);
  field(ui, "pzxid", zxid_text(stat.pzxid), indent);
  field(ui, "ctime", trace::time_text(stat.ctime * kMillisecond), indent);
  field(ui, "mtime", trace::time_text(stat.mtime * kMillisecond), indent);
  field(ui, "version", std::to_string(stat.version), indent);
  field(ui, "cversion", std::to_string(stat.cversion), indent);
  field(ui, "aversion", std::to_string(stat.aversion), indent);
  field(ui, "ephemeralOwner", stat.ephemeral_owner == 0 ? "0x0" : zxid_text(stat.ephemeral_owner),
        indent);
  field(ui, "dataLength", std::to_string(stat.data_length), indent);
  field(ui, "numChildren", std::to_string(stat.num_children), indent);
  if (!node.data.empty()) field(ui, "data", node.data, indent);
}

class InspectTab final : public TabContent {
 public:
  void draw(const Frame& frame) override {
    if (frame.document.snapshot().servers.size() > 1) draw_ensemble(frame);
    draw_znodes(frame);
    draw_sessions(frame);
    draw_watches(frame);
    draw_links(frame);
    draw_rest(frame);
  }

 private:
  void draw_znodes(const Frame& frame) {
    const Ui& ui = frame.ui;
    heading(ui, frame.word(Word::kZnodes));
    for (const auto& [path, node] : frame.document.snapshot().znodes) {
      int depth = -1;
      for (const char c : path) depth += c == '/' ? 1 : 0;
      const size_t slash = path.rfind('/');
      const std::string name = path == "/" ? path : trace::short_name(path.substr(slash + 1));
      const std::string owner = node.owner.empty() ? frame.words(Word::kPersistent)
                                                   : frame.words(Word::kOwner) + " " + node.owner;
      const bool open = open_.count(path) != 0;
      const float indent = ui.em(0.9f) * static_cast<float>(std::max(0, depth)) - ui.em(1);
      if (row(ui, {.id = "inspect" + path,
                   .text = (open ? "- " : "+ ") + name,
                   .note = owner,
                   .tooltip = path,
                   .style = {.font = scene::Font::kMono, .level = Level::kSmall},
                   .indent = indent})) {
        if (open) open_.erase(path);
        if (!open) open_.insert(path);
      }
      if (open) draw_stat(ui, node, indent + ui.em(2));
    }
  }

  static void draw_sessions(const Frame& frame) {
    const Ui& ui = frame.ui;
    heading(ui, frame.word(Word::kSessions));
    const bool several = frame.document.snapshot().servers.size() > 1;
    const std::vector<float> shares = several ? std::vector<float>{0.11f, 0.41f, 0.155f, 0.165f, 0.16f}
                                              : std::vector<float>{0.13f, 0.43f, 0.2f, 0.24f, 0};
    head(ui, {"id", "sessionId", frame.words(Word::kState), frame.words(Word::kExpires),
              several ? frame.words(Word::kServer) : ""}, shares);
    for (const auto& [id, session] : frame.document.snapshot().sessions) {
      const bool live = session.life == trace::SessionLife::kLive;
      const Style style = {.level = Level::kSmall,
                           .ink = {.role = live ? Role::kText : Role::kTextDim}};
      const std::string state(trace::name_of(session.life));
      cells(ui,
            {{id, style},
             {zxid_text(session.session_id),
              {.font = scene::Font::kMono, .level = Level::kSmall, .ink = style.ink}},
             {state, {.level = Level::kSmall, .ink = {.role = live ? Role::kOk : Role::kDanger}}},
             {session.expires_us < 0 ? "-" : trace::time_text(session.expires_us), style},
             {several ? session.server : "", style}},
            shares);
    }
  }

  static void draw_watches(const Frame& frame) {
    const Ui& ui = frame.ui;
    heading(ui, frame.word(Word::kWatches));
    const bool several = frame.document.snapshot().servers.size() > 1;
    const std::vector<float> shares = several ? std::vector<float>{0.18f, 0.2f, 0.47f, 0.15f}
                                              : std::vector<float>{0.2f, 0.22f, 0.58f, 0};
    const auto& watches = frame.document.snapshot().watches;
    if (watches.empty()) return paragraph(ui, frame.word(Word::kNone), kSmallDim);
    head(ui, {frame.words(Word::kWatcher), frame.words(Word::kKind), frame.words(Word::kPath),
              several ? frame.words(Word::kServer) : ""}, shares);
    for (const auto& [id, watch] : watches) {
      cells(ui,
            {{watch.session},
             {std::string(trace::name_of(watch.table))},
             {trace::short_name(watch.path), {.font = scene::Font::kMono, .level = Level::kSmall}},
             {several ? watch.server : ""}},
            shares);
    }
  }

  static void draw_links(const Frame& frame) {
    const Ui& ui = frame.ui;
    heading(ui, frame.word(Word::kLinks));
    const std::vector<float> shares = {0.35f, 0.3f, 0.35f};
    head(ui, {frame.words(Word::kPath), frame.words(Word::kState), frame.words(Word::kMessages)},
         shares);
    std::map<std::string, int> flying;
    for (const auto& [id, message] : frame.document.snapshot().messages) ++flying[message.link];
    int quiet = 0;
    for (const auto& [id, link] : frame.document.snapshot().links) {
      if (!link.cut && !link.held && flying[id] == 0) {
        ++quiet;
        continue;
      }
      const Word state = link.cut ? Word::kCut_ : link.held ? Word::kHeld : Word::kOpenLink;
      const Role role = link.cut ? Role::kDanger : link.held ? Role::kWarn : Role::kTextDim;
      cells(ui,
            {{id},
             {frame.words(state), {.level = Level::kSmall, .ink = {.role = role}}},
             {std::to_string(flying[id])}},
            shares);
    }
    if (quiet > 0) paragraph(ui, frame.say(Word::kQuietLinks, {std::to_string(quiet)}), kSmallDim);
  }

  /// What each server of an ensemble is, what it has applied, and what its log holds beyond that.
  static void draw_ensemble(const Frame& frame) {
    const Ui& ui = frame.ui;
    heading(ui, frame.word(Word::kServers));
    const std::vector<float> shares = {0.11f, 0.21f, 0.16f, 0.26f, 0.26f};
    head(ui, {"id", frame.words(Word::kState), "epoch", frame.words(Word::kApplied), frame.words(Word::kLogged)},
         shares);
    zk::Zxid committed = 0;
    const auto& servers = frame.document.snapshot().servers;
    for (const auto& [id, server] : servers) committed = std::max(committed, server.zxid);
    for (const auto& [id, server] : servers) {
      const bool up = server.process == trace::Process::kRunning;
      const std::string state(up ? trace::name_of(server.role) : trace::name_of(server.process));
      const Role role = !up || !server.serving ? Role::kWarn : Role::kText;
      const Role applied = server.zxid < committed ? Role::kWarn : Role::kText;
      const Style mono = {.font = scene::Font::kMono, .level = Level::kSmall};
      Style behind = mono;
      behind.ink = {.role = applied};
      cells(ui,
            {{id},
             {state, {.level = Level::kSmall, .ink = {.role = role}}},
             {std::to_string(server.epoch)},
             {zxid_text(server.zxid), behind},
             {zxid_text(server.logged), mono}},
            shares);
    }
  }

  static void draw_rest(const Frame& frame) {
    const Ui& ui = frame.ui;
    const trace::Snapshot& now = frame.document.snapshot();
    if (now.servers.size() == 1) {
      heading(ui, frame.word(Word::kServers));
      for (const auto& [id, server] : now.servers) {
        field(ui, id, std::string(trace::name_of(server.role)) + "  zxid " + zxid_text(server.zxid), 0);
      }
    }
    heading(ui, frame.word(Word::kResource));
    for (const auto& [id, resource] : now.resources) {
      field(ui, id + " value", std::to_string(resource.value), 0);
      field(ui, id + " rule", trace::name_of(resource.rule), 0);
      field(ui, id + " token_max",
            resource.token_max < 0 ? frame.words(Word::kNone) : zxid_text(resource.token_max), 0);
    }
  }

  std::set<std::string> open_;
};

}  // namespace

std::unique_ptr<TabContent> inspect_tab() { return std::make_unique<InspectTab>(); }

}  // namespace lockstep::gui
