// What is on the screen in this frame: every interactive item by id, with its visible rectangle, and every
// text. Items register themselves here (controls.h, and the panels that show scenes), so that a script
// clicks what a person would click, and a test can say what was to be seen.
//
// Kept only while somebody listens: a window without a script does not pay for it.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "scene/scene.h"

namespace lockstep::gui {

struct Item {
  std::string id;  ///< "transport/play", "client/A", "tab/code": stable, the same in every language
  scene::Rect rect;  ///< the part that is in sight, in the window's pixels; empty: scrolled out
  bool enabled = true;
  std::string text = {};  ///< as shown
};

class Items {
 public:
  /// From the next frame on.
  void listen() { listening_ = true; }
  bool listening() const { return listening_; }

  void begin_frame();
  void add(Item item);
  /// A text that is on the screen; `whole` if it was cut to fit.
  void say(std::string_view text);
  /// The item under the mouse, by the same test that decides about clicks. The last caller wins.
  void hover(std::string_view id);

  const Item* find(std::string_view id) const;
  /// As find(); "message/*70" finds the first item in sight whose id begins with "message/" and whose text
  /// holds "70".
  const Item* find_like(std::string_view pattern) const;
  const std::string& hovered() const { return hovered_; }
  const std::map<std::string, Item, std::less<>>& all() const { return items_; }
  /// True if `text` stands in one of the texts, or is the id (or pattern) of an item in sight.
  bool on_screen(std::string_view text) const;

 private:
  bool listening_ = false;
  std::map<std::string, Item, std::less<>> items_;
  std::vector<std::string> texts_;
  std::string hovered_;
};

}  // namespace lockstep::gui
