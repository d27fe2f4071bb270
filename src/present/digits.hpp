// Formats the numbers of a column whose heading already names the unit.
#pragma once

#include <string>

namespace sextant {

std::string format_digits(double value);  // three significant digits, no exponent: 0.0464, 12.3, 7460000

}  // namespace sextant
