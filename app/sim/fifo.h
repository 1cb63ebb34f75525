// First in, first out: what waits in a link, a socket or an application. There are many in every world, and
// most are empty most of the time; so one that is copied while it is empty takes no memory but its own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace lockstep::sim {

template <class T>
class Fifo {
 public:
  using iterator = typename std::vector<T>::iterator;
  using const_iterator = typename std::vector<T>::const_iterator;

  Fifo() = default;
  Fifo(const Fifo& other) : items_(other.begin(), other.end()) {}
  Fifo(Fifo&& other) noexcept : items_(std::move(other.items_)), head_(std::exchange(other.head_, 0)) {
    other.items_.clear();
  }
  Fifo& operator=(Fifo other) noexcept {
    items_.swap(other.items_);
    std::swap(head_, other.head_);
    return *this;
  }

  bool empty() const { return head_ == items_.size(); }
  size_t size() const { return items_.size() - head_; }
  iterator begin() { return items_.begin() + static_cast<std::ptrdiff_t>(head_); }
  iterator end() { return items_.end(); }
  const_iterator begin() const { return items_.begin() + static_cast<std::ptrdiff_t>(head_); }
  const_iterator end() const { return items_.end(); }
  T& front() { return items_[head_]; }
  const T& front() const { return items_[head_]; }
  T& back() { return items_.back(); }
  const T& back() const { return items_.back(); }

  /// Adds one and returns it where it lies.
  T& push_back(T&& item = {}) { return items_.emplace_back(std::move(item)); }
  /// Takes the front out; references to others are void then. Requires that there is one.
  T pop() {
    T item = std::move(items_[head_++]);
    // What was taken out is dropped once it is as much as what is left, so that each item moves once at most.
    if (2 * head_ >= items_.size()) {
      items_.erase(items_.begin(), begin());
      head_ = 0;
    }
    return item;
  }
  void erase(iterator item) { items_.erase(item); }
  void clear() {
    items_.clear();
    head_ = 0;
  }

  bool operator==(const Fifo& other) const { return std::equal(begin(), end(), other.begin(), other.end()); }

 private:
  std::vector<T> items_;
  size_t head_ = 0;  // how many at the beginning were taken out
};

}  // namespace lockstep::sim
