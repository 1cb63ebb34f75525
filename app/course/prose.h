// A lesson's texts: a small part of Markdown (paragraphs, lists, *emphasis*, **strong**, `code`, code
// blocks), taken apart into what a panel draws. What is not in this part is refused when a lesson is
// read, so that no text ever shows as something else than its author meant.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::course {

/// A run of text in one style.
struct Span {
  std::string text;
  bool strong = false;
  bool emphasis = false;
  bool code = false;

  bool operator==(const Span&) const = default;
};

struct Paragraph {
  std::vector<Span> spans;  ///< a code block has one, with its line breaks
  int32_t depth = 0;        ///< of the list that it stands in; 0: in none
  std::string marker;       ///< "•" or "1." before a list's item; empty: none
  bool code_block = false;

  bool operator==(const Paragraph&) const = default;
};

std::vector<Paragraph> paragraphs_of(const std::string& markdown);

/// What is wrong with the markup, as a sentence; nullopt if it is all understood.
std::optional<std::string> markup_problem(const std::string& markdown);

}  // namespace lockstep::course
