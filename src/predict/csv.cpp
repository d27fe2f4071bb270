#include "predict/csv.hpp"

#include <charconv>
#include <cmath>

#include "base/csv.hpp"

namespace sextant::predict {

std::string csv_line(std::span<const std::string> cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) line += ',';
    line += csv_field(cells[i]);
  }
  return line + '\n';
}

std::string csv_number(double value) {
  if (std::isnan(value)) return "";
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

}  // namespace sextant::predict
