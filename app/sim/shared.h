// A value that many hold and nobody changes: copied by pointing at it, compared and hashed by what it is.
#pragma once

#include <memory>
#include <utility>

namespace lockstep::sim {

template <class T>
class Shared {
 public:
  Shared() : value_(none()) {}
  explicit Shared(T&& value) : value_(std::make_shared<const T>(std::move(value))) {}

  const T& operator*() const { return *value_; }
  const T* operator->() const { return value_.get(); }

  bool operator==(const Shared& other) const { return value_ == other.value_ || *value_ == *other.value_; }

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("value", *self.value_);
  }

 private:
  /// All that hold nothing in particular hold the same.
  static std::shared_ptr<const T> none() {
    static const std::shared_ptr<const T> kNone = std::make_shared<const T>();
    return kNone;
  }

  std::shared_ptr<const T> value_;
};

}  // namespace lockstep::sim
