#include "course/report_table.h"

#include <algorithm>
#include <ostream>
#include <set>

#include "trace/conditions.h"

namespace lockstep::course {
namespace {

using trace::Language;
using Row = std::vector<std::string>;

/// The table's own words.
struct Words {
  bool zh = false;

  std::string say(const char* chinese, const char* english) const { return zh ? chinese : english; }
  std::string of(const Text& text) const { return text.in(zh); }
  std::string verdict(bool passed) const {
    return passed ? say("通过", "ok") : say("失败", "FAILED");
  }
  std::string verdict(Verdict verdict) const {
    switch (verdict) {
      case Verdict::kHolds: return say("成立", "holds");
      case Verdict::kBroken: return say("被打破", "breaks");
      case Verdict::kOpen: return say("未定", "open");
    }
    return {};
  }
};

std::string value_text(const std::optional<Answer>& answer) {
  return answer ? trace::to_text(answer->value) : "-";
}

std::vector<Row> rows_of(const LessonReport& report, const Words& words) {
  std::vector<Row> rows;
  Row head{report.id + " " + words.of(report.title), words.say("本课", "base")};
  head.insert(head.end(), report.variants.begin(), report.variants.end());
  head.push_back(words.say("结论", "verdict"));
  rows.push_back(std::move(head));
  for (const ClaimRow& claim : report.claims) {
    Row row{words.say("断言 ", "claim ") + claim.id, words.verdict(claim.base.verdict)};
    for (const Finding& finding : claim.variants) row.push_back(words.verdict(finding.verdict));
    row.push_back(words.verdict(claim.passed));
    rows.push_back(std::move(row));
  }
  for (const AnswerRow& answer : report.answers) {
    Row row{words.say("预测 ", "answer ") + std::to_string(answer.beat + 1),
            value_text(answer.base)};
    for (const std::optional<Answer>& variant : answer.variants) row.push_back(value_text(variant));
    row.push_back(words.verdict(answer.passed));
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<Row> rows_of(const SweepRow& sweep, const Words& words) {
  Row head{words.say("扫描 ", "sweep ") + sweep.id};
  Row body{words.of(sweep.text)};
  for (size_t i = 0; i < sweep.titles.size(); ++i) {
    head.push_back(words.of(sweep.titles[i]));
    body.push_back(trace::to_text(sweep.found[i]));
  }
  head.push_back("");
  body.push_back(words.verdict(sweep.passed));
  return {head, body};
}

void write_rows(const std::vector<Row>& rows, std::ostream& out) {
  std::vector<size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns_of(row[i]));
  }
  for (const Row& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      if (i + 1 < row.size()) line += std::string(widths[i] - columns_of(row[i]) + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << "\n";
  }
}

void write_lesson(const LessonReport& report, const Words& words, std::ostream& out) {
  write_rows(rows_of(report, words), out);
  for (const SweepRow& sweep : report.sweeps) write_rows(rows_of(sweep, words), out);
  for (const scenario::Problem& problem : report.problems) out << "  " << describe(problem) << "\n";
  out << "\n";
}

}  // namespace

size_t columns_of(const std::string& text) {
  size_t columns = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xc0) == 0x80) continue;  // Not the first byte of a character.
    // Three bytes from U+2E80 on: CJK and its punctuation; below that they are dashes, arrows and the like.
    columns += byte >= 0xe3 ? 2 : 1;
  }
  return columns;
}

void write_report(const CourseReport& report, Language language, std::ostream& out) {
  const Words words{language == Language::kZh};
  size_t failed = 0;
  for (const LessonReport& lesson : report.lessons) {
    write_lesson(lesson, words, out);
    if (!lesson.passed()) ++failed;
  }
  const size_t count = report.lessons.size();
  out << words.say("共 ", "") << count
      << words.say(" 课，", count == 1 ? " lesson, " : " lessons, ") << failed
      << words.say(" 课未通过", " failed");
  std::set<std::string> unreadable;
  for (const scenario::Problem& problem : report.unreadable) unreadable.insert(problem.file);
  if (!unreadable.empty()) {
    out << words.say("；无法读取：", "; files that cannot be read: ") << unreadable.size();
  }
  out << "\n";
}

}  // namespace lockstep::course
