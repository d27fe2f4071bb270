// Lines of the data set's tables.
#pragma once

#include <span>
#include <string>

namespace sextant::predict {

// The cells with commas between, those with commas, quotes or line breaks in quotes (RFC 4180), and a line
// break.
std::string csv_line(std::span<const std::string> cells);

// All digits that give back the same number; empty for NaN.
std::string csv_number(double value);

}  // namespace sextant::predict
