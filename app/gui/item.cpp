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

const Item* Items::find_like(std::string_view pattern) const {
  const size_t star = pattern.find('*');
  if (star == std::string_view::npos) return find(pattern);
  const std::string_view begin = pattern.substr(0, star);
  const std::string_view text = pattern.substr(star + 1);
  for (const auto& [id, item] : items_) {
    const bool in_sight = item.rect.w > 0 && item.rect.h > 0;
    if (in_sight && id.compare(0, begin.size(), begin) == 0 &&
        item.text.find(text) != std::string::npos)
      return &item;
  }
  return nullptr;
}

bool Items::on_screen(std::string_view text) const {
  const Item* item = find_like(text);
  if (item != nullptr && item->rect.w > 0 && item->rect.h > 0) return true;
  return std::any_of(texts_.begin(), texts_.end(), [&](const std::string& shown) {
    return shown.find(text) != std::string::npos;
  });
}

}  // namespace lockstep::gui
