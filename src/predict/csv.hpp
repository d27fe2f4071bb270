// Writes CSV lines and numbers of the data set's tables.
#pragma once

#include <span>
#include <string>

namespace sextant::predict {

// Joins the cells by commas and adds a line break. Cells with commas, quotes or line breaks are quoted (RFC
// 4180).
std::string csv_line(std::span<const std::string> cells);

// Shortest text that gives back the same number; empty for NaN.
std::string csv_number(double value);

}  // namespace sextant::predict
