// Names of children, as a set that is cheap to copy and cheap to change a little: ten thousand clients that
// list the same ten thousand children, while these come and go between any two of them, hold them about once.
//
// Names come in an order that tells nothing and is the same on every machine: by their hash. Beside it the set keeps
// the order of the numbers behind the names (zk::sequence_of), since whoever lists a queue asks for neighbours in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace lockstep {

class Names {
  /// A name, and what is looked at to find and to order it. Blocks share the text.
  struct Entry {
    Entry() = default;
    explicit Entry(const std::string& text);
    /// By number; equal numbers (a counter that is stuck) by name. Requires that both have one.
    bool comes_before(const Entry& other) const {
      return number != other.number ? number < other.number : *name < *other.name;
    }

    uint64_t hash = 0;
    std::shared_ptr<const std::string> name;
    int32_t number = 0;
    bool numbered = false;
  };
  // Neighbours in the order of (hash, name); never empty. Copies of the set share blocks, so none ever changes.
  struct Block {
    /// Where the entry is, or would be.
    size_t place_of(const Entry& entry) const;
    bool has(const Entry& entry, size_t place) const;
    void insert(const Entry& entry, size_t place);
    void erase(size_t place);
    /// The second half, which is taken away.
    Block split();
    void sort();

    std::vector<Entry> entries;
    std::vector<uint8_t> by_number;  // places of those that have one
  };
  using Blocks = std::vector<std::shared_ptr<const Block>>;

 public:
  Names() = default;
  Names(const std::vector<std::string>& names);

  /// False: it was there already.
  bool insert(const std::string& name);
  /// False: it was not there.
  bool erase(const std::string& name);

  bool contains(const std::string& name) const;
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  /// The name with the lowest number; nullptr: none has a number. Valid as long as the set is.
  const std::string* first() const;
  /// The last that comes before `name` by number, whether or not `name` is in the set; nullptr: none, or it has no
  /// number. Equal numbers go by name.
  const std::string* before(const std::string& name) const;

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
    reference operator*() const { return *(*blocks_)[block_]->entries[at_].name; }
    pointer operator->() const { return &**this; }
    Iterator& operator++() {
      if (++at_ == (*blocks_)[block_]->entries.size()) {
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

  Blocks blocks_;
  size_t size_ = 0;
};

}  // namespace lockstep
