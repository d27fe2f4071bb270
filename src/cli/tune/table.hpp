// Formats a completed search as a table row with details.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "present/table.hpp"
#include "record/search.hpp"

namespace sextant {

std::vector<Column> search_columns();

// Comparison with another file: the ratio of the winner's time to the best time in that file, and the file's
// number of points.
struct Against {
  Interval ratio;
  std::int64_t points = 0;
};
std::vector<Cell> search_row(const Search& search, const std::optional<Against>& against);

// Returns the lines that follow the row: the winner, the best tunings that cannot be distinguished from it,
// and the refused or failed points.
std::string search_details(const Search& search);

}  // namespace sextant
