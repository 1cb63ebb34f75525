// Measuring on a small and noisy machine: CPU time of this process instead of the wall's, medians of several
// interleaved repeats instead of one long run, ratios instead of absolute figures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::bench {

/// CPU time that this process has used so far, in user and system mode, all threads.
double cpu_seconds();

/// The value below which `share` (0 to 1) of the values lie. Requires that there are values.
double quantile(std::vector<double> values, double share);
inline double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }
double mean(const std::vector<double>& values);

/// "12.5", "1.25", "0.033": some three significant digits, and thousands marked ("1,250,000").
std::string in_figures(double value);
/// "8", "10,000".
std::string in_figures(int64_t count);

/// A table as Markdown writes it, columns aligned; the first column to the left, numbers to the right.
class Table {
 public:
  /// `title` says what is measured; `command` how to do it again.
  struct Caption {
    std::string title;
    std::string command;
  };
  Table(Caption caption, std::vector<std::string> columns);

  void add(std::vector<std::string> row);
  /// A line below the table.
  void note(std::string text);
  /// To stdout.
  void print() const;

 private:
  Caption caption_;
  std::vector<std::vector<std::string>> rows_;  // the first: the columns' names
  std::vector<std::string> notes_;
};

}  // namespace lockstep::bench
