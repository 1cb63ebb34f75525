// The servers of an ensemble: a card each, with its role, how far it has applied the log, and the clients that
// it serves. A line below joins them; what they send each other travels along it, and a cut shows at the server
// that it cuts.
#include <algorithm>

#include "scene/stage_bands.h"
#include "scene/strings.h"

namespace lockstep::scene {
namespace {

using trace::ServerRole;

/// Where the cards lie: as many equal cells as there are servers.
struct Row {
  float x = 0;
  float cell = 0;
  float card_w = 0;

  float middle(size_t place) const { return x + (static_cast<float>(place) + 0.5f) * cell; }
};

Row row_of(const Band& band) {
  const Sizes& s = band.layout.sizes;
  const float left = band.layout.servers.x + 0.8f * s.u;
  const float right = band.layout.gutter.x - band.layout.pad - 0.8f * s.u;
  const float cell = (right - left) / static_cast<float>(band.model.servers.size());
  return {left, cell, std::min(cell - 0.8f * s.u, 24 * s.u)};
}

struct CardLook {
  Ink fill = ink(Role::kCard);
  Stroke frame;
  Ink title = ink(Role::kText);
};

CardLook look_of(const ServerView& server, const Sizes& s) {
  CardLook look;
  look.frame = {ink(Role::kTextDim, 0.5f), 0.08f * s.u};
  if (!server.up) {
    look.fill = ink(Role::kPanel, 0);
    look.frame.style = LineStyle::kDashed;
    look.title = ink(Role::kWarn);
  } else if (server.role == ServerRole::kLeading) {
    look.frame = {ink(Role::kOk), 0.14f * s.u};
    look.title = ink(Role::kOk);
  } else if (server.role == ServerRole::kLooking) {
    look.frame = {ink(Role::kWarn), 0.1f * s.u, LineStyle::kDashed};
    look.title = ink(Role::kWarn);
  } else if (server.role == ServerRole::kObserving) {
    look.frame.style = LineStyle::kDotted;
  }
  return look;
}

/// Badges of the clients that it serves, from the right; returns where they begin.
float draw_clients(Canvas& canvas, const Sizes& s, const ServerView& server, Rect line) {
  const float height = s.small_h;
  // The server's id and state come first.
  const float words = canvas.width(server.id, s.small_bold) + canvas.width(server.briefest_title, s.small_bold);
  const std::string count = "+" + std::to_string(server.clients.size());
  const float least = std::min(canvas.width(count, s.small) + 0.1f * s.u,
                               line.w - canvas.width(server.id, s.small_bold) - 0.8f * s.u);
  const float room = std::max(least, std::min(0.45f * line.w, line.w - words - 1.4f * s.u));
  float x = line.right();
  for (size_t i = 0; i < server.clients.size(); ++i) {
    const auto& [id, number] = server.clients[i];
    const float width = std::clamp(canvas.width(id, s.small_bold) + 0.7f * s.u, height, 5 * s.u);
    const std::string more = "+" + std::to_string(server.clients.size() - i);
    const float more_width = i + 1 < server.clients.size() ? canvas.width(more, s.small) + 0.3f * s.u : 0;
    if (line.right() - (x - width) + more_width > room) {
      if (room < canvas.width(more, s.small)) return line.right();
      const float left = x - canvas.width(more, s.small) - 0.1f * s.u;
      canvas.text({left, line.y, x - left, s.small_h}, more, {.size = s.small, .ink = ink(Role::kTextDim)});
      return left - 0.4f * s.u;
    }
    x -= width;
    draw_badge(canvas, s, id, {{x, line.center().y}, height, width, number});
    x -= 0.2f * s.u;
  }
  return x - 0.4f * s.u;
}

/// Which of its links to other servers are cut, beside its way down to the line.
void draw_cut(Canvas& canvas, const Sizes& s, const ServerView& server, Point at, float width_max) {
  const float width = std::min(canvas.width(server.cuts, s.small_bold) + 2 * s.u, width_max);
  const Rect rect = {at.x, at.y, width, s.small_h + 0.2f * s.u};
  canvas.box(rect, 0.3f * s.u, ink(Role::kWarnWash), {ink(Role::kWarn), 0.08f * s.u});
  canvas.cross({rect.x + 0.7f * s.u, rect.center().y}, 0.6f * s.u, {ink(Role::kWarn), 0.14f * s.u});
  canvas.text({rect.x + 1.2f * s.u, rect.y + 0.1f * s.u, rect.w - 1.5f * s.u, s.small_h}, server.cuts,
              {.size = s.small_bold, .ink = ink(Role::kWarn)});
}

void draw_words(Canvas& canvas, const Band& band, const ServerView& server, Rect inner, const CardLook& look) {
  const Sizes& s = band.layout.sizes;
  const Rect first = {inner.x, inner.y, inner.w, s.small_h};
  const float right = draw_clients(canvas, s, server, first);
  float x = first.x + canvas.text({first.x, first.y, right - first.x, s.small_h}, server.id,
                                  {.size = s.small_bold, .ink = ink(Role::kText)});
  x += 0.6f * s.u;
  const bool two_lines = band.layout.server_lines > 1;
  const bool whole = two_lines && canvas.width(server.title, s.small_bold) <= right - x;
  const float beside = two_lines || server.lag.empty() ? 0 : canvas.width(server.lag, s.small) + 0.6f * s.u;
  const bool brief = canvas.width(server.brief_title, s.small_bold) + beside <= right - x;
  x += canvas.text({x, first.y, right - x, s.small_h},
                   whole ? server.title : brief ? server.brief_title : server.briefest_title,
                   {.size = s.small_bold, .ink = look.title});
  x += 0.6f * s.u;
  if (!two_lines) {
    canvas.text({x, first.y, right - x, s.small_h}, server.lag,
                {.size = s.small, .ink = ink(server.behind ? Role::kWarn : Role::kTextDim)});
    return;
  }
  const Rect second = {inner.x, inner.y + s.small_h, inner.w, s.small_h};
  const float lag = std::min(canvas.width(server.lag, s.small_bold), 0.6f * second.w);
  const float gap = server.lag.empty() ? 0 : 0.6f * s.u;
  canvas.text({second.x, second.y, second.w - lag - gap, s.small_h}, server.zxid,
              {.size = s.small, .ink = ink(Role::kTextDim)});
  canvas.text({second.right() - lag, second.y, lag, s.small_h}, server.lag,
              {.size = s.small_bold, .ink = ink(server.behind ? Role::kWarn : Role::kTextDim)});
}

void draw_server(Canvas& canvas, const Band& band, const Row& row, size_t place) {
  const StageLayout& layout = band.layout;
  const Sizes& s = layout.sizes;
  const ServerView& server = band.model.servers[place];
  const float middle = row.middle(place);
  const Rect card = {middle - row.card_w / 2, layout.servers.y, row.card_w, layout.server_card_h};
  const Rect region = {card.x, card.y, card.w, layout.servers.h};
  const CardLook look = look_of(server, s);
  canvas.open("server/" + server.id, region, server.tooltip);
  canvas.line({middle, card.bottom()}, {middle, region.bottom()},
              {ink(Role::kLine), 0.08f * s.u, server.cut_off || !server.up ? LineStyle::kDotted : LineStyle::kSolid});
  canvas.box(card, 0.4f * s.u, look.fill, look.frame);
  const float pad_y = (card.h - static_cast<float>(layout.server_lines) * s.small_h) / 2;
  Rect inner = {card.x + 0.6f * s.u, card.y + pad_y, card.w - 1.2f * s.u, card.h - 2 * pad_y};
  if (!server.up) {
    canvas.cross({inner.x + 0.4f * s.u, inner.y + s.small_h / 2}, 0.6f * s.u, {ink(Role::kWarn), 0.14f * s.u});
    inner.x += 1.2f * s.u;
    inner.w -= 1.2f * s.u;
  }
  draw_words(canvas, band, server, inner, look);
  if (!server.cuts.empty()) draw_cut(canvas, s, server, {card.x, card.bottom() + 0.3f * s.u}, card.w);
  canvas.close();
}

// ---- Messages between servers ----------------------------------------------------------------------

struct Capsule {
  const QuorumMessageView* message = nullptr;
  size_t more = 0;  // 0: the message; else how many have no room
  float x = 0;      // of the middle
  float width = 0;
};

/// Puts capsules side by side, as near to where their messages are as they can be.
void spread(std::vector<Capsule>& capsules, float left, float right, float gap) {
  float behind = left;
  for (Capsule& capsule : capsules) {
    capsule.x = std::max(capsule.x, behind + capsule.width / 2);
    behind = capsule.x + capsule.width / 2 + gap;
  }
  float before = right;
  for (size_t i = capsules.size(); i-- > 0;) {
    capsules[i].x = std::min(capsules[i].x, before - capsules[i].width / 2);
    before = capsules[i].x - capsules[i].width / 2 - gap;
  }
}

std::string label_of(const Capsule& capsule) {
  return capsule.more == 0 ? capsule.message->label : "+" + std::to_string(capsule.more);
}

void draw_track(Canvas& canvas, const Band& band, const Row& row, float y, std::vector<Capsule> capsules) {
  const Sizes& s = band.layout.sizes;
  const float gap = 0.3f * s.u;
  const float left = row.x;
  const float right = row.x + static_cast<float>(band.model.servers.size()) * row.cell;
  std::stable_sort(capsules.begin(), capsules.end(), [](const Capsule& a, const Capsule& b) { return a.x < b.x; });
  float used = 0;
  for (size_t i = 0; i < capsules.size(); ++i) {
    capsules[i].width = canvas.width(capsules[i].message->label, s.small) + 1.0f * s.u;
    used += capsules[i].width + gap;
    if (used <= right - left) continue;
    const size_t all = capsules.size();
    capsules.resize(std::max<size_t>(i, 1));
    capsules.back().more = all - capsules.size() + 1;
    break;
  }
  spread(capsules, left, right, gap);
  const float height = std::min(band.layout.server_track_h, s.small_h + 0.2f * s.u);
  for (const Capsule& capsule : capsules) {
    const QuorumMessageView& message = *capsule.message;
    const Rect rect = {capsule.x - capsule.width / 2, y - height / 2, capsule.width, height};
    const bool quiet = message.ping;
    canvas.open_floating("message/" + message.id, rect, message.tooltip);
    canvas.box(rect, height / 2, ink(Role::kCard), {ink(quiet ? Role::kLine : Role::kAccent), 0.08f * s.u});
    canvas.text({rect.x + 0.4f * s.u, rect.center().y - s.small_h / 2, rect.w - 0.8f * s.u, s.small_h},
                label_of(capsule),
                {.size = s.small, .ink = ink(quiet ? Role::kTextDim : Role::kText), .align = Align::kCenter});
    canvas.close();
  }
}

void draw_messages(Canvas& canvas, const Band& band, const Row& row) {
  const StageLayout& layout = band.layout;
  std::vector<Capsule> rightwards;
  std::vector<Capsule> leftwards;
  for (const QuorumMessageView& message : band.model.quorum_messages) {
    const float from = row.middle(message.from);
    const float x = from + (row.middle(message.to) - from) * message.progress;
    const bool right = message.to > message.from || layout.server_tracks < 2;
    (right ? rightwards : leftwards).push_back({.message = &message, .x = x});
  }
  const float first = layout.servers.y + layout.server_card_h + 0.3f * layout.sizes.u + layout.server_track_h / 2;
  draw_track(canvas, band, row, first, std::move(rightwards));
  if (layout.server_tracks > 1) {
    draw_track(canvas, band, row, first + layout.server_track_h, std::move(leftwards));
  }
}

}  // namespace

void draw_ensemble(Canvas& canvas, const Band& band) {
  if (band.model.servers.size() < 2) return;
  const StageLayout& layout = band.layout;
  const Row row = row_of(band);
  const float bottom = layout.servers.bottom();
  canvas.line({row.middle(0), bottom}, {row.middle(band.model.servers.size() - 1), bottom},
              {ink(Role::kLine), 0.08f * layout.sizes.u});
  for (size_t i = 0; i < band.model.servers.size(); ++i) draw_server(canvas, band, row, i);
  draw_messages(canvas, band, row);
}

}  // namespace lockstep::scene
