// Formats the output of `sextant compare`.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "analysis/compare/compare.hpp"

namespace sextant {

struct ComparisonReport {
  std::vector<Side> sides;
  // Element i compares sides[i + 1] with sides[0]. It contains only the cases that the user selected.
  std::vector<Comparison> comparisons;
  std::vector<MissingCase> missing;
  std::vector<std::string> notes;
  double threshold = 0.05;
  ComparedTime time = ComparedTime::steadiest;
};

// Formats tables for a terminal or, with `markdown`, for a code review. Without `all`, only changed cases are
// shown, unless there are few cases. Lines for a terminal have at most `room` characters; 0: no limit.
std::string to_text(const ComparisonReport& report, bool all, bool markdown, bool colour, int room = 0);
// JUnit XML for continuous integration servers. Slower and broken cases are failures. Undecided cases,
// missing cases and cases without a result are skipped tests.
std::string to_junit(const ComparisonReport& report);
// Returns one line for each comparison: number of regressions, number of cases per verdict, and the worst
// case.
std::string to_lines(const ComparisonReport& report);

// Names a case: "triad serial.native float 65536 block_size=256 cold".
std::string name_of_case(const Summary& summary);
// Summarizes the verdicts: "3 cases: 1 slower, 2 same."
std::string counts_text(const Comparison& comparison);

// All cases, with times in seconds and ratios.
std::string to_json(const ComparisonReport& report);
// All cases as CSV, one per row, with a header.
std::string to_csv(const ComparisonReport& report);

}  // namespace sextant
