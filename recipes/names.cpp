#include "recipes/names.h"

#include <algorithm>

#include "recipes/fields.h"
#include "recipes/zookeeper.h"

namespace lockstep {
namespace {

/// A change copies one block, and a copy of the set copies one pointer a block: this weighs them.
constexpr size_t kBlockMax = 128;
static_assert(kBlockMax < 256, "places are bytes");

template <class T>
auto at(T& list, size_t place) {
  return list.begin() + static_cast<std::ptrdiff_t>(place);
}

}  // namespace

Names::Entry::Entry(const std::string& text) : hash(hash_of(text)), name(std::make_shared<const std::string>(text)) {
  numbered = zk::sequence_of(text, number);
}

// ---- A block -------------------------------------------------------------------------------------

size_t Names::Block::place_of(const Entry& entry) const {
  const auto first = std::lower_bound(entries.begin(), entries.end(), entry.hash,
                                      [](const Entry& one, uint64_t hash) { return one.hash < hash; });
  auto place = static_cast<size_t>(first - entries.begin());
  while (place < entries.size() && entries[place].hash == entry.hash && *entries[place].name < *entry.name) ++place;
  return place;
}

bool Names::Block::has(const Entry& entry, size_t place) const {
  return place < entries.size() && entries[place].hash == entry.hash && *entries[place].name == *entry.name;
}

void Names::Block::insert(const Entry& entry, size_t place) {
  entries.insert(at(entries, place), entry);
  for (uint8_t& one : by_number) one = static_cast<uint8_t>(one + (one >= place ? 1 : 0));
  if (!entry.numbered) return;
  const auto behind = std::lower_bound(by_number.begin(), by_number.end(), entry, [&](uint8_t one, const Entry& wanted) {
    return entries[one].comes_before(wanted);
  });
  by_number.insert(behind, static_cast<uint8_t>(place));
}

void Names::Block::erase(size_t place) {
  entries.erase(at(entries, place));
  by_number.erase(std::remove(by_number.begin(), by_number.end(), static_cast<uint8_t>(place)), by_number.end());
  for (uint8_t& one : by_number) one = static_cast<uint8_t>(one - (one > place ? 1 : 0));
}

Names::Block Names::Block::split() {
  Block rest;
  rest.entries.assign(at(entries, entries.size() / 2), entries.end());
  entries.resize(entries.size() / 2);
  rest.sort();
  sort();
  return rest;
}

void Names::Block::sort() {
  by_number.clear();
  for (size_t place = 0; place < entries.size(); ++place) {
    if (entries[place].numbered) by_number.push_back(static_cast<uint8_t>(place));
  }
  std::sort(by_number.begin(), by_number.end(),
            [&](uint8_t one, uint8_t other) { return entries[one].comes_before(entries[other]); });
}

// ---- The set -------------------------------------------------------------------------------------

Names::Names(const std::vector<std::string>& names) {
  for (const std::string& name : names) insert(name);
}

size_t Names::block_of(const Entry& entry) const {
  const auto after = std::upper_bound(blocks_.begin(), blocks_.end(), entry, [](const Entry& one, const auto& block) {
    const Entry& first = block->entries.front();
    return one.hash != first.hash ? one.hash < first.hash : *one.name < *first.name;
  });
  return after == blocks_.begin() ? 0 : static_cast<size_t>(after - blocks_.begin()) - 1;
}

bool Names::insert(const std::string& name) {
  const Entry entry(name);
  const size_t number = block_of(entry);
  if (blocks_.empty()) blocks_.push_back(std::make_shared<Block>());
  const size_t place = blocks_[number]->place_of(entry);
  if (blocks_[number]->has(entry, place)) return false;
  auto block = std::make_shared<Block>(*blocks_[number]);
  block->insert(entry, place);
  ++size_;
  if (block->entries.size() > kBlockMax) blocks_.insert(at(blocks_, number + 1), std::make_shared<Block>(block->split()));
  blocks_[number] = std::move(block);
  return true;
}

bool Names::erase(const std::string& name) {
  if (blocks_.empty()) return false;
  const Entry entry(name);
  const size_t number = block_of(entry);
  const size_t place = blocks_[number]->place_of(entry);
  if (!blocks_[number]->has(entry, place)) return false;
  --size_;
  if (blocks_[number]->entries.size() == 1) {
    blocks_.erase(at(blocks_, number));
    return true;
  }
  auto block = std::make_shared<Block>(*blocks_[number]);
  block->erase(place);
  blocks_[number] = std::move(block);
  return true;
}

bool Names::contains(const std::string& name) const {
  if (blocks_.empty()) return false;
  const Entry entry(name);
  const Block& block = *blocks_[block_of(entry)];
  return block.has(entry, block.place_of(entry));
}

const std::string* Names::first() const {
  const Entry* first = nullptr;
  for (const auto& block : blocks_) {
    if (block->by_number.empty()) continue;
    const Entry& one = block->entries[block->by_number.front()];
    if (first == nullptr || one.comes_before(*first)) first = &one;
  }
  return first == nullptr ? nullptr : first->name.get();
}

const std::string* Names::before(const std::string& name) const {
  const Entry entry(name);
  if (!entry.numbered) return nullptr;
  const Entry* last = nullptr;
  for (const auto& block : blocks_) {
    const auto& order = block->by_number;
    const auto behind = std::partition_point(order.begin(), order.end(),
                                             [&](uint8_t one) { return block->entries[one].comes_before(entry); });
    if (behind == order.begin()) continue;
    const Entry& one = block->entries[*(behind - 1)];
    if (last == nullptr || last->comes_before(one)) last = &one;
  }
  return last == nullptr ? nullptr : last->name.get();
}

bool Names::operator==(const Names& other) const {
  if (size_ != other.size_) return false;
  return blocks_ == other.blocks_ || std::equal(begin(), end(), other.begin());
}

}  // namespace lockstep
