#include "course/prose.h"

#include <md4c.h>

#include <algorithm>
#include <string_view>

namespace lockstep::course {
namespace {

/// What md4c's callbacks build. They are given it as a void*.
struct Building {
  struct List {
    bool numbered = false;
    unsigned number = 1;
  };

  std::vector<Paragraph> paragraphs;
  std::vector<List> lists;
  std::string marker;  // of the item that begins, until its first paragraph takes it
  bool open = false;   // a paragraph that takes text
  int strong = 0;
  int emphasis = 0;
  int code = 0;
  std::string unknown;  // the first markup that is not in our part

  void begin(bool code_block) {
    paragraphs.push_back({{}, static_cast<int32_t>(lists.size()), marker, code_block});
    marker.clear();
    open = true;
  }
  void add(std::string_view text) {
    if (!open) begin(false);  // An item of a tight list has no paragraph of its own.
    std::vector<Span>& spans = paragraphs.back().spans;
    const bool in_code = code > 0 || paragraphs.back().code_block;
    const Span style{std::string(text), strong > 0, emphasis > 0, in_code};
    if (!spans.empty() && spans.back().strong == style.strong &&
        spans.back().emphasis == style.emphasis && spans.back().code == style.code) {
      spans.back().text += style.text;
    } else {
      spans.push_back(style);
    }
  }
  void refuse(const char* what) {
    if (unknown.empty()) unknown = what;
  }
};

void enter_list_item(Building& building) {
  Building::List& list = building.lists.back();
  building.marker = list.numbered ? std::to_string(list.number++) + "." : "\u2022";
  building.open = false;
}

int enter_block(MD_BLOCKTYPE type, void* detail, void* user) {
  auto& building = *static_cast<Building*>(user);
  switch (type) {
    case MD_BLOCK_DOC: break;
    case MD_BLOCK_P: building.begin(false); break;
    case MD_BLOCK_CODE: building.begin(true); break;
    case MD_BLOCK_UL:
      building.lists.push_back({});
      building.open = false;
      break;
    case MD_BLOCK_OL:
      building.lists.push_back({true, static_cast<MD_BLOCK_OL_DETAIL*>(detail)->start});
      building.open = false;
      break;
    case MD_BLOCK_LI: enter_list_item(building); break;
    case MD_BLOCK_H: building.refuse("a heading"); break;
    case MD_BLOCK_QUOTE: building.refuse("a quotation"); break;
    case MD_BLOCK_HR: building.refuse("a ruler"); break;
    default: building.refuse("a table or HTML"); break;
  }
  return 0;
}

int leave_block(MD_BLOCKTYPE type, void*, void* user) {
  auto& building = *static_cast<Building*>(user);
  if (type == MD_BLOCK_UL || type == MD_BLOCK_OL) building.lists.pop_back();
  if (type == MD_BLOCK_CODE && building.open && !building.paragraphs.back().spans.empty()) {
    std::string& text = building.paragraphs.back().spans.back().text;
    if (!text.empty() && text.back() == '\n') text.pop_back();
  }
  building.open = false;
  return 0;
}

int change_span(Building& building, MD_SPANTYPE type, int by) {
  switch (type) {
    case MD_SPAN_EM: building.emphasis += by; break;
    case MD_SPAN_STRONG: building.strong += by; break;
    case MD_SPAN_CODE: building.code += by; break;
    default: building.refuse("a link, a picture or other markup"); break;
  }
  return 0;
}
int enter_span(MD_SPANTYPE type, void*, void* user) {
  return change_span(*static_cast<Building*>(user), type, 1);
}
int leave_span(MD_SPANTYPE type, void*, void* user) {
  return change_span(*static_cast<Building*>(user), type, -1);
}

/// Between two Chinese characters a line break of the source is nothing; elsewhere it is a space.
bool ends_in_cjk(const Building& building) {
  if (!building.open || building.paragraphs.back().spans.empty()) return false;
  const std::string& text = building.paragraphs.back().spans.back().text;
  return text.size() >= 3 && (static_cast<unsigned char>(text[text.size() - 3]) & 0xf0) == 0xe0;
}

int take_text(MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* user) {
  auto& building = *static_cast<Building*>(user);
  switch (type) {
    case MD_TEXT_BR: building.add("\n"); break;
    case MD_TEXT_SOFTBR: building.add(ends_in_cjk(building) ? "" : " "); break;
    case MD_TEXT_NULLCHAR: building.refuse("a zero character"); break;
    case MD_TEXT_ENTITY: building.refuse("an HTML entity"); break;
    default: building.add(std::string_view(text, size)); break;
  }
  return 0;
}

/// The first characters, none of them cut.
std::string beginning_of(const std::string& text) {
  size_t end = std::min<size_t>(text.size(), 30);
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) ++end;
  return text.substr(0, end);
}

Building build(const std::string& markdown) {
  Building building;
  MD_PARSER parser = {};
  parser.flags = MD_FLAG_NOHTML | MD_FLAG_NOINDENTEDCODEBLOCKS;
  parser.enter_block = enter_block;
  parser.leave_block = leave_block;
  parser.enter_span = enter_span;
  parser.leave_span = leave_span;
  parser.text = take_text;
  if (md_parse(markdown.data(), static_cast<MD_SIZE>(markdown.size()), &parser, &building) != 0) {
    building.refuse("markup that cannot be parsed");
  }
  return building;
}

}  // namespace

std::vector<Paragraph> paragraphs_of(const std::string& markdown) {
  return build(markdown).paragraphs;
}

std::optional<std::string> markup_problem(const std::string& markdown) {
  constexpr const char* kExpected =
      "; expected paragraphs, lists, *emphasis*, **strong** and `code` only";
  const Building building = build(markdown);
  if (!building.unknown.empty()) return "holds " + building.unknown + kExpected;
  for (const Paragraph& paragraph : building.paragraphs) {
    for (const Span& span : paragraph.spans) {
      if (span.code) continue;
      // Marks that show as themselves were meant as markup: CommonMark takes no "**" between a
      // punctuation mark and a letter, which happens easily in Chinese.
      for (const char* mark : {"**", "`"}) {
        if (span.text.find(mark) == std::string::npos) continue;
        return std::string("the mark ") + mark + " near \"" + beginning_of(span.text) +
               "\" does not close; put a space outside of it, or the punctuation";
      }
    }
  }
  return {};
}

}  // namespace lockstep::course
