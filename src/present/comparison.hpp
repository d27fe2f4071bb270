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
// All cases, in seconds and ratios.
std::string to_json(const ComparisonReport& report);
// The same cases, one a row, with a heading.
std::string to_csv(const ComparisonReport& report);

}  // namespace sextant
