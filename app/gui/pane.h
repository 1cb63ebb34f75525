// A pane: the piece of the window that a panel draws in.
#pragma once

#include "gui/ui.h"

namespace lockstep::gui {

struct PaneSpec {
  const char* id = "";
  scene::Rect rect;
  scene::Role role = scene::Role::kPanel;
  bool scrolls = false;
  bool over = false;  ///< lies over the others
};

/// Open while it lives.
class Pane {
 public:
  Pane(const Ui& ui, const PaneSpec& spec);
  ~Pane();
  Pane(const Pane&) = delete;
  Pane& operator=(const Pane&) = delete;
};

/// A part of a pane that scrolls, with padding at both sides. Open while it lives.
class Scroll {
 public:
  Scroll(const char* id, scene::Rect rect, float padding);
  ~Scroll();
  Scroll(const Scroll&) = delete;
  Scroll& operator=(const Scroll&) = delete;
};

/// A hairline along one edge.
enum class Edge : uint8_t { kTop, kBottom, kLeft, kRight };
void draw_edge(const Ui& ui, const scene::Rect& rect, Edge edge);

}  // namespace lockstep::gui
