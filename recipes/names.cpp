#include "recipes/names.h"

#include <algorithm>

#include "recipes/fields.h"
#include "recipes/zookeeper.h"

namespace lockstep {
namespace {

/// A change copies one block, and a copy of the set copies one pointer a block: this weighs them.
constexpr size_t kBlockMax = 128;

}  // namespace

Names::Entry::Entry(const std::string& text)
    : hash(hash_of(text)), numbered(zk::sequence_of(text, number)), name(text) {}

Names::Names(const std::vector<std::string>& names) {
  for (const std::string& name : names) insert(name);
}

size_t Names::block_of(const Entry& entry) const {
  const auto after = std::upper_bound(
      blocks_.begin(), blocks_.end(), entry,
      [](const Entry& one, const auto& block) { return before(one, block->front()); });
  return after == blocks_.begin() ? 0 : static_cast<size_t>(after - blocks_.begin()) - 1;
}

bool Names::insert(const std::string& name) {
  const Entry entry(name);
  if (blocks_.empty()) {
    blocks_.push_back(std::make_shared<Block>(1, entry));
    ++size_;
    return true;
  }
  const size_t number = block_of(entry);
  Block block = *blocks_[number];
  const auto at = std::lower_bound(block.begin(), block.end(), entry, before);
  if (at != block.end() && at->name == name) return false;
  block.insert(at, entry);
  ++size_;
  if (block.size() > kBlockMax) {
    const auto middle = block.begin() + kBlockMax / 2;
    blocks_.insert(blocks_.begin() + static_cast<std::ptrdiff_t>(number) + 1,
                   std::make_shared<Block>(middle, block.end()));
    block.erase(middle, block.end());
  }
  blocks_[number] = std::make_shared<Block>(std::move(block));
  return true;
}

bool Names::erase(const std::string& name) {
  if (blocks_.empty()) return false;
  const Entry entry(name);
  const size_t number = block_of(entry);
  Block block = *blocks_[number];
  const auto at = std::lower_bound(block.begin(), block.end(), entry, before);
  if (at == block.end() || at->name != name) return false;
  block.erase(at);
  --size_;
  if (block.empty()) {
    blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(number));
  } else {
    blocks_[number] = std::make_shared<Block>(std::move(block));
  }
  return true;
}

bool Names::operator==(const Names& other) const {
  if (size_ != other.size_) return false;
  return blocks_ == other.blocks_ || std::equal(begin(), end(), other.begin());
}

}  // namespace lockstep
