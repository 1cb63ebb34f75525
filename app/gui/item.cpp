#include "gui/item.h"

#include <algorithm>

namespace lockstep::gui {

void Items::begin_frame() {
  items_.clear();
  texts_.clear();
  hovered_.clear();
}

void Items::add(Item item) {
  if (!listening_) return;
  if (!item.text.empty() && item.rect.w > 0) texts_.push_back(item.text);
  std::string id = item.id;
  items_.insert_or_assign(std::move(id), std::move(item));
}

void Items::say(std::string_view text) {
  if (listening_ && !text.empty()) texts_.emplace_back(text);
}

void Items::hover(std::string_view id) {
  if (listening_) hovered_ = id;
}

const Item* Items::find(std::string_view id) const {
  const auto found = items_.find(id);
  return found == items_.end() ? nullptr : &found->second;
}

bool Items::on_screen(std::string_view text) const {
  const Item* item = find(text);
  if (item != nullptr && item->rect.w > 0 && item->rect.h > 0) return true;
  return std::any_of(texts_.begin(), texts_.end(), [&](const std::string& shown) {
    return shown.find(text) != std::string::npos;
  });
}

}  // namespace lockstep::gui
