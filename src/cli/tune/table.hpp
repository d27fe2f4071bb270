// Formats a completed search as a table row with details.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "present/table.hpp"
#include "record/search.hpp"

namespace sextant {

std::vector<Column> search_columns();

// The ratio of the winner's time to the best time in another file, and the number of points in that file.
struct Against {
  Interval ratio;
  std::int64_t points = 0;
};
std::vector<Cell> search_row(const Search& search, const std::optional<Against>& against);

// Returns the lines below the row: the winner, finalists that are not distinguishable from it, and refused or
// failed points.
std::string search_details(const Search& search);

}  // namespace sextant
