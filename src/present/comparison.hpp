// What `sextant compare` prints.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "analysis/compare/compare.hpp"

namespace sextant {

struct ComparisonReport {
  std::vector<Side> sides;
  std::vector<Comparison> comparisons;  // of sides[1], sides[2], …; selected cases only
  std::vector<MissingCase> missing;
  std::vector<std::string> notes;
  double threshold = 0.05;
  ComparedTime time = ComparedTime::steadiest;
};

// Tables for a terminal, or with `markdown` for a comment in a review. Without `all` only what changed,
// unless there are few cases. Tables for a terminal have lines of `room` characters; 0: of any length.
std::string to_text(const ComparisonReport& report, bool all, bool markdown, bool colour, int room = 0);
// JUnit's XML, which continuous integration servers read: slower and broken cases are failures; ambiguous and
// missing cases and those without a result are skipped.
std::string to_junit(const ComparisonReport& report);
// A line for each comparison: how many regressions, how many cases of each verdict, and the worst case.
std::string to_lines(const ComparisonReport& report);

// "triad serial.native float 65536 block_size=256 cold".
std::string name_of_case(const Summary& summary);
// "3 cases: 1 slower, 2 same."
std::string counts_text(const Comparison& comparison);

// All cases, in seconds and ratios.
std::string to_json(const ComparisonReport& report);
// The same cases, one a row, with a heading.
std::string to_csv(const ComparisonReport& report);

}  // namespace sextant
