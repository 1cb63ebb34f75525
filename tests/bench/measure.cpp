#include "bench/measure.h"

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace lockstep::bench {
namespace {

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

/// How many characters of UTF-8.
size_t width_of(const std::string& text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string with_thousands(std::string digits) {
  const size_t point = std::min(digits.find('.'), digits.size());
  for (size_t at = point; at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

void print_row(const std::vector<std::string>& row, const std::vector<size_t>& widths) {
  for (size_t i = 0; i < row.size(); ++i) {
    const std::string padding(widths[i] - width_of(row[i]), ' ');
    std::printf("| %s ", (i == 0 ? row[i] + padding : padding + row[i]).c_str());
  }
  std::puts("|");
}

}  // namespace

double cpu_seconds() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const auto last = static_cast<double>(values.size() - 1);
  return values[static_cast<size_t>(std::lround(share * last))];
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::string in_figures(double value) {
  const int digits = value >= 100 || value == 0 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return with_thousands(text);
}

std::string in_figures(int64_t count) { return with_thousands(std::to_string(count)); }

Table::Table(Caption caption, std::vector<std::string> columns)
    : caption_(std::move(caption)), rows_{std::move(columns)} {}

void Table::add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
void Table::note(std::string text) { notes_.push_back(std::move(text)); }

void Table::print() const {
  std::vector<size_t> widths(rows_.front().size());
  for (const auto& row : rows_) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  std::printf("### %s\n\n`%s`\n\n", caption_.title.c_str(), caption_.command.c_str());
  print_row(rows_.front(), widths);
  std::vector<std::string> rules;
  for (size_t i = 0; i < widths.size(); ++i) {
    rules.push_back(i == 0 ? std::string(widths[i], '-') : std::string(widths[i] - 1, '-') + ":");
  }
  print_row(rules, widths);
  for (size_t i = 1; i < rows_.size(); ++i) print_row(rows_[i], widths);
  for (const std::string& note : notes_) std::printf("\n%s\n", note.c_str());
  std::puts("");
  std::fflush(stdout);
}

}  // namespace lockstep::bench
