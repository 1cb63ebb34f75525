#include <iterator>
#include <limits>
#include <vector>

#include <nlohmann/json.hpp>

#include "scenario/reading.h"
#include "scenario/syntax.h"

namespace lockstep::scenario {
namespace {

using nlohmann::json;

/// Iterates over text and counts what has been taken, so that a complaint can say where.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, size_t* taken) : at_(at), taken_(taken) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    ++*taken_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  size_t* taken_;
};

/// Builds the value while it is being read, and refuses what a plain parser would let pass: depth
/// without bound, a key twice in one object, integers that no int64 holds.
class Builder : public nlohmann::json_sax<json> {
 public:
  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override {
    if (value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
      return refuse("the number " + std::to_string(value) + " is too large; the largest is " +
                    std::to_string(std::numeric_limits<int64_t>::max()));
    }
    return add(static_cast<int64_t>(value));
  }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return is_plain(value) && add(std::move(value)); }
  bool binary(binary_t&) override { return refuse("binary data is no JSON"); }

  bool start_object(size_t) override { return open(json::object()); }
  bool start_array(size_t) override { return open(json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    if (!is_plain(name)) return false;
    if (open_.back()->contains(name)) {
      return refuse("the key \"" + name + "\" stands twice in one object; remove one of them");
    }
    key_ = std::move(name);
    return true;
  }

  bool parse_error(size_t, const std::string&, const json::exception& error) override {
    said_ = error.what();
    return false;
  }

  json& root() { return root_; }
  const std::string& why() const { return why_; }    ///< refused by us
  const std::string& said() const { return said_; }  ///< refused by the parser

 private:
  json* place(json value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    json& parent = *open_.back();
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return &parent.back();
    }
    return &(parent[key_] = std::move(value));
  }
  bool add(json value) {
    place(std::move(value));
    return true;
  }
  bool open(json value) {
    if (open_.size() >= static_cast<size_t>(kJsonDepthMax)) {
      return refuse("nested deeper than " + std::to_string(kJsonDepthMax) +
                    " levels, the most that is read");
    }
    open_.push_back(place(std::move(value)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }
  /// Control characters, escaped or not, would end up in pictures, terminals and names of nodes.
  bool is_plain(const std::string& text) {
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      if ((byte >= 0x20 && byte != 0x7f) || c == '\n' || c == '\t') continue;
      return refuse("this text holds a control character (byte " + std::to_string(byte) +
                    "); remove it");
    }
    return true;
  }
  bool refuse(std::string why) {
    why_ = std::move(why);
    return false;
  }

  json root_;
  // What is open, outermost first. Only the innermost grows, so that these pointers stay good.
  std::vector<json*> open_;
  std::string key_;
  std::string why_;
  std::string said_;
};

}  // namespace

Result<json> parse_json(const std::string& text, const std::string& file) {
  if (text.size() > kJsonBytesMax) {
    return Problem{file, "",
                   "is larger than " + std::to_string(kJsonBytesMax >> 20) +
                       " MiB, the most that is read as one JSON value"};
  }
  Builder builder;
  size_t taken = 0;
  const char* begin = text.data();
  const bool whole = json::sax_parse(CountingIterator(begin, &taken),
                                     CountingIterator(begin + text.size(), &taken), &builder);
  if (whole) return std::move(builder.root());
  if (!builder.why().empty())
    return Problem{file, "", line_and_column(text, taken) + ": " + builder.why()};
  return Problem{file, "", explain({.text = text, .taken = taken, .said = builder.said()})};
}

}  // namespace lockstep::scenario
