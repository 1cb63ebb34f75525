#include "scenario/syntax.h"

#include <algorithm>
#include <string_view>

namespace lockstep::scenario {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// The last byte before `end` that is no white space; 0 if there is none.
char before(const std::string& text, size_t end) {
  while (end > 0 && is_space(text[end - 1])) --end;
  return end == 0 ? '\0' : text[end - 1];
}

/// No JSON at all, wherever one looks.
std::string explain_whole(const std::string& text) {
  const std::string start = text.substr(0, 2);
  if (start == "\xff\xfe" || start == "\xfe\xff") return "is UTF-16; save the file as UTF-8";
  if (std::all_of(text.begin(), text.end(), is_space)) return "is empty; expected JSON";
  return {};
}

/// How many bytes a character takes that starts with this one; 1 if none starts with it.
size_t utf8_length(char first) {
  const auto byte = static_cast<unsigned char>(first);
  return byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
}

/// What the ill-formed character starts with: the parser may have stopped at the byte that should have
/// continued it.
size_t start_of_ill_formed(const std::string& text, size_t taken) {
  for (size_t back = 1; back <= 3 && back < taken; ++back) {
    const size_t first = taken - back;  // counted from 1, as `taken` is
    const bool unfinished = utf8_length(text[first - 1]) > back;
    if (unfinished) return first;
    if ((static_cast<unsigned char>(text[first - 1]) & 0xc0) != 0x80) break;
  }
  return taken;
}

/// The last character lacks bytes that its first one announces.
bool ends_within_a_character(const std::string& text) {
  for (size_t back = 1; back <= 3 && back <= text.size(); ++back) {
    const char byte = text[text.size() - back];
    if ((static_cast<unsigned char>(byte) & 0xc0) != 0x80) return utf8_length(byte) > back;
  }
  return false;
}

/// True if the text ends in the middle of a number or of true, false or null.
bool ends_within_value(const SyntaxError& error) {
  if (error.taken < error.text.size()) return false;
  if (error.said.find("invalid number") != std::string::npos)
    return std::string_view("-+.eE").find(error.text.back()) != std::string_view::npos;
  size_t begin = error.text.size();
  while (begin > 0 && error.text[begin - 1] >= 'a' && error.text[begin - 1] <= 'z') --begin;
  const std::string word = error.text.substr(begin);
  if (word.empty()) return false;
  for (const std::string literal : {"true", "false", "null"}) {
    if (word != literal && literal.rfind(word, 0) == 0) return true;
  }
  return false;
}

/// About the byte where reading stopped.
std::string explain_byte(const SyntaxError& error, char byte) {
  const bool closes = byte == '}' || byte == ']';
  const auto says = [&](const char* part) { return error.said.find(part) != std::string::npos; };
  if (says("expected end of input")) return "something follows after the end; remove it";
  if (closes && before(error.text, error.taken - 1) == ',')
    return std::string("a comma stands before this ") + byte + "; remove the comma";
  if (says("; expected ':'")) return "a colon is missing between a key and its value";
  if (says("; expected '}'")) return "a comma is missing before this, or a } before that";
  if (says("; expected ']'")) return "a comma is missing before this, or a ] before that";
  if (byte == '/' || byte == '#') return "JSON has no comments; remove this one";
  if (byte == '\'') return "texts stand in double quotes, not in single ones";
  if (says("object key")) return "expected a key in double quotes";
  if (says("must be escaped"))
    return "a text ends on its own line; write a line break in it as \\n";
  if (says("after backslash")) return "no such escape; a backslash itself is written \\\\";
  if (says("surrogate") || says("'\\u'")) return "this \\u escape is no character";
  return "expected a text in double quotes, a number, true, false, null, { or [";
}

}  // namespace

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

std::string explain(const SyntaxError& error) {
  const std::string whole = explain_whole(error.text);
  if (!whole.empty()) return whole;
  const std::string where = line_and_column(error.text, error.taken) + ": ";
  if (error.text.find('\0') != std::string::npos) return where + "not JSON: this is no text file";
  const auto says = [&](const char* part) { return error.said.find(part) != std::string::npos; };
  if (says("ill-formed UTF-8")) {
    if (ends_within_a_character(error.text)) return where + "not JSON: it ends within a character; was the file cut off?";
    return line_and_column(error.text, start_of_ill_formed(error.text, error.taken)) +
           ": this byte is not UTF-8; save the file as UTF-8";
  }
  if (says("number overflow")) return where + "this number is too large";
  if (says("missing closing quote"))
    return where + "not JSON: it ends within a text; was the file cut off?";
  if (says("unexpected end of input") || ends_within_value(error))
    return where + "not JSON: it ends too early; was the file cut off?";
  const char byte =
      error.taken == 0 || error.taken > error.text.size() ? '\0' : error.text[error.taken - 1];
  const bool starts = error.text.find_first_not_of(" \t\r\n") + 1 == error.taken;
  if (starts && byte != '/') return where + "not JSON: expected { at the start";
  return where + "not JSON: " + explain_byte(error, byte);
}

}  // namespace lockstep::scenario
