// A value that lies elsewhere: moved by pointing at it, but copied, compared and hashed like any other. For what
// is large and passed on often.
#pragma once

#include <memory>
#include <utility>

namespace lockstep::sim {

template <class T>
class Box {
 public:
  Box() : value_(std::make_unique<T>()) {}
  explicit Box(T&& value) : value_(std::make_unique<T>(std::move(value))) {}
  Box(const Box& other) : value_(std::make_unique<T>(*other)) {}
  Box(Box&&) noexcept = default;  // leaves nothing behind: only to be assigned to, or destroyed
  Box& operator=(Box other) noexcept {
    value_ = std::move(other.value_);
    return *this;
  }

  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return value_.get(); }
  const T* operator->() const { return value_.get(); }

  bool operator==(const Box& other) const { return *value_ == *other.value_; }

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("value", *self.value_);
  }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace lockstep::sim
