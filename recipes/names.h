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
  struct Entry {
    Entry() = default;
    explicit Entry(const std::string& text);

    uint64_t hash = 0;
    int32_t number = 0;
    bool numbered = false;
    std::string name;
  };
  // Neighbours in the order of (hash, name); never empty. Copies of the set share blocks, so none ever changes.
  using Block = std::vector<Entry>;
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
    reference operator*() const { return (*(*blocks_)[block_])[at_].name; }
    pointer operator->() const { return &**this; }
    /// As zk::sequence_of the name.
    [[nodiscard]] bool sequence(int32_t& number) const {
      const Entry& entry = (*(*blocks_)[block_])[at_];
      if (entry.numbered) number = entry.number;
      return entry.numbered;
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
  static bool before(const Entry& a, const Entry& b) {
    return a.hash != b.hash ? a.hash < b.hash : a.name < b.name;
  }
  /// The block that holds the entry, or would.
  size_t block_of(const Entry& entry) const;

  Blocks blocks_;
  size_t size_ = 0;
};

}  // namespace lockstep
