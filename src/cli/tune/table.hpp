// How a search that ended is shown.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "present/table.hpp"
#include "record/search.hpp"

namespace sextant {

std::vector<Column> search_columns();

// `against`: the winner's time over the best time known from elsewhere, and how many points that took.
struct Against {
  Interval ratio;
  std::int64_t points = 0;
};
std::vector<Cell> search_row(const Search& search, const std::optional<Against>& against);

// The winner with its ties, and what was refused or went wrong: lines below the row.
std::string search_details(const Search& search);

}  // namespace sextant
