#include "recipes/names.h"

#include <algorithm>

#include "recipes/fields.h"
#include "recipes/zookeeper.h"

namespace lockstep {
namespace {

/// A change copies one block, and a copy of the set copies one pointer a block: this weighs them.
constexpr size_t kBlockMax = 128;

}  // namespace

Names::Entry::Entry(const std::string& text) : name(text) {
  place.hash = hash_of(text);
  place.numbered = zk::sequence_of(text, place.number);
}

Names::Names(const std::vector<std::string>& names) {
  for (const std::string& name : names) insert(name);
}

size_t Names::block_of(const Entry& entry) const {
  const auto after = std::upper_bound(blocks_.begin(), blocks_.end(), entry, [](const Entry& one, const auto& block) {
    const uint64_t hash = block->places.front().hash;
    return one.place.hash != hash ? one.place.hash < hash : one.name < block->names.front();
  });
  return after == blocks_.begin() ? 0 : static_cast<size_t>(after - blocks_.begin()) - 1;
}

size_t Names::place_in(const Block& block, const Entry& entry) {
  const auto first = std::lower_bound(block.places.begin(), block.places.end(), entry.place.hash,
                                      [](const Place& place, uint64_t hash) { return place.hash < hash; });
  auto at = static_cast<size_t>(first - block.places.begin());
  while (at < block.size() && block.places[at].hash == entry.place.hash && block.names[at] < entry.name) ++at;
  return at;
}

Names::Block Names::split(Block& block) {
  const auto middle = static_cast<std::ptrdiff_t>(block.size() / 2);
  Block rest{{block.places.begin() + middle, block.places.end()}, {block.names.begin() + middle, block.names.end()}};
  block.places.resize(static_cast<size_t>(middle));
  block.names.resize(static_cast<size_t>(middle));
  return rest;
}

bool Names::insert(const std::string& name) {
  const Entry entry(name);
  const size_t number = blocks_.empty() ? 0 : block_of(entry);
  if (blocks_.empty()) blocks_.emplace_back();
  Block block = blocks_[number] == nullptr ? Block{} : *blocks_[number];
  const size_t at = place_in(block, entry);
  if (at < block.size() && block.names[at] == name) return false;
  block.places.insert(block.places.begin() + static_cast<std::ptrdiff_t>(at), entry.place);
  block.names.insert(block.names.begin() + static_cast<std::ptrdiff_t>(at), name);
  ++size_;
  if (block.size() > kBlockMax) {
    blocks_.insert(blocks_.begin() + static_cast<std::ptrdiff_t>(number) + 1, std::make_shared<Block>(split(block)));
  }
  blocks_[number] = std::make_shared<Block>(std::move(block));
  return true;
}

bool Names::erase(const std::string& name) {
  if (blocks_.empty()) return false;
  const Entry entry(name);
  const size_t number = block_of(entry);
  Block block = *blocks_[number];
  const size_t at = place_in(block, entry);
  if (at == block.size() || block.names[at] != name) return false;
  block.places.erase(block.places.begin() + static_cast<std::ptrdiff_t>(at));
  block.names.erase(block.names.begin() + static_cast<std::ptrdiff_t>(at));
  --size_;
  if (block.size() == 0) {
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
