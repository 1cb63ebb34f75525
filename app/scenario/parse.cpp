#include <iterator>
#include <limits>
#include <vector>

#include <nlohmann/json.hpp>

#include "scenario/reading.h"

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
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return refuse("binary data is no JSON"); }

  bool start_object(size_t) override { return open(json::object()); }
  bool start_array(size_t) override { return open(json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    if (open_.back()->contains(name)) {
      return refuse("the key \"" + name + "\" stands twice in one object; remove one of them");
    }
    key_ = std::move(name);
    return true;
  }

  bool parse_error(size_t, const std::string&, const json::exception& error) override {
    const std::string text = error.what();
    if (text.find("ill-formed UTF-8") != std::string::npos) {
      return refuse("this byte is not UTF-8; save the file as UTF-8");
    }
    constexpr std::string_view kBefore = "syntax error ";
    const size_t at = text.find(kBefore);
    return refuse("not JSON: " + (at == std::string::npos ? text : text.substr(at + kBefore.size())));
  }

  json& root() { return root_; }
  const std::string& why() const { return why_; }

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
  bool refuse(std::string why) {
    why_ = std::move(why);
    return false;
  }

  json root_;
  // What is open, outermost first. Only the innermost grows, so that these pointers stay good.
  std::vector<json*> open_;
  std::string key_;
  std::string why_;
};

/// "line 3, column 7" of the byte before `taken`, both from 1; columns count characters, not bytes.
std::string line_and_column(const std::string& text, size_t taken) {
  const size_t end = taken == 0 ? 0 : std::min(taken, text.size()) - 1;
  size_t line = 1;
  size_t column = 1;
  for (size_t i = 0; i < end; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte == '\n') {
      ++line;
      column = 1;
    } else if ((byte & 0xc0) != 0x80) {
      ++column;
    }
  }
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

}  // namespace

Result<json> parse_json(const std::string& text, const std::string& file) {
  Builder builder;
  size_t taken = 0;
  const char* begin = text.data();
  const bool whole = json::sax_parse(CountingIterator(begin, &taken),
                                     CountingIterator(begin + text.size(), &taken), &builder);
  if (!whole) return Problem{file, "", line_and_column(text, taken) + ": " + builder.why()};
  return std::move(builder.root());
}

}  // namespace lockstep::scenario
