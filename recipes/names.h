// Names of children, as a set that is cheap to copy and cheap to change a little: ten thousand clients that
// list the same ten thousand children, while these come and go between any two of them, hold them about once.
//
// Names come in an order that tells nothing and is the same on every machine: by their hash. The number behind a
// name is read once, when the name comes in, since whoever lists a queue looks at all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace lockstep {

class Names {
  /// What is looked at to find and to order names, apart from them so that it lies together.
  struct Place {
    uint64_t hash = 0;
    int32_t number = 0;
    bool numbered = false;
  };
  struct Entry {
    explicit Entry(const std::string& text);

    Place place;
    const std::string& name;
  };
  // Neighbours in the order of (hash, name); never empty. Copies of the set share blocks, so none ever changes.
  struct Block {
    size_t size() const { return places.size(); }

    std::vector<Place> places;
    std::vector<std::string> names;
  };
  using Blocks = std::vector<std::shared_ptr<const Block>>;

 public:
  Names() = default;
  Names(const std::vector<std::string>& names);

  /// False: it was there already.
  bool insert(const std::string& name);
  /// False: it was not there.
  bool erase(const std::string& name);

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  bool operator==(const Names& other) const;

  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = std::string;
    using difference_type = std::ptrdiff_t;
    using pointer = const std::string*;
    using reference = const std::string&;

    Iterator() = default;
    Iterator(const Blocks* blocks, size_t block) : blocks_(blocks), block_(block) {}
    reference operator*() const { return (*blocks_)[block_]->names[at_]; }
    pointer operator->() const { return &**this; }
    /// As zk::sequence_of the name.
    [[nodiscard]] bool sequence(int32_t& number) const {
      const Place& place = (*blocks_)[block_]->places[at_];
      if (place.numbered) number = place.number;
      return place.numbered;
    }
    Iterator& operator++() {
      if (++at_ == (*blocks_)[block_]->size()) {
        ++block_;
        at_ = 0;
      }
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    bool operator==(const Iterator& other) const = default;

   private:
    const Blocks* blocks_ = nullptr;
    size_t block_ = 0;
    size_t at_ = 0;
  };
  Iterator begin() const { return {&blocks_, 0}; }
  Iterator end() const { return {&blocks_, blocks_.size()}; }

 private:
  /// The block that holds the entry, or would.
  size_t block_of(const Entry& entry) const;
  /// Where in the block the entry is, or would be.
  static size_t place_in(const Block& block, const Entry& entry);
  /// The second half of the block, which loses it.
  static Block split(Block& block);

  Blocks blocks_;
  size_t size_ = 0;
};

}  // namespace lockstep
