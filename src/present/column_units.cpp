// Chooses one unit per column and writes it in the heading, so that readers can compare the numbers directly.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "present/digits.hpp"
#include "present/table.hpp"

namespace sextant {
namespace {

struct ColumnUnit {
  const char* name;
  double scale;
};

constexpr std::array seconds = {ColumnUnit{"ns", 1e-9}, ColumnUnit{"µs", 1e-6}, ColumnUnit{"ms", 1e-3},
                                ColumnUnit{"s", 1}};
constexpr std::array bytes = {ColumnUnit{"B", 1}, ColumnUnit{"KiB", 0x1p10}, ColumnUnit{"MiB", 0x1p20},
                              ColumnUnit{"GiB", 0x1p30}, ColumnUnit{"TiB", 0x1p40}};
constexpr std::array bandwidths = {ColumnUnit{"MB/s", 1e6}, ColumnUnit{"GB/s", 1e9},
                                   ColumnUnit{"TB/s", 1e12}};
constexpr std::array flop_rates = {ColumnUnit{"MFLOP/s", 1e6}, ColumnUnit{"GFLOP/s", 1e9},
                                   ColumnUnit{"TFLOP/s", 1e12}};

constexpr std::array joules = {ColumnUnit{"nJ", 1e-9}, ColumnUnit{"µJ", 1e-6}, ColumnUnit{"mJ", 1e-3},
                               ColumnUnit{"J", 1}, ColumnUnit{"kJ", 1e3}};

// Returns the largest unit in which the value is at least 1, or else the smallest unit.
template <std::size_t Count>
ColumnUnit fitting(const std::array<ColumnUnit, Count>& units, double value) {
  ColumnUnit best = units.front();
  for (const ColumnUnit& unit : units)
    if (value >= unit.scale) best = unit;
  return best;
}

const double* number_of(const Cell& cell) { return std::get_if<double>(&cell.value); }

// Returns the geometric mean of the column's smallest and largest value. It is 0 if the column has no values,
// or if one unit cannot show all of them.
double middle_of(const Table& table, std::size_t column) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const std::vector<Cell>& row : table.rows) {
    if (column >= row.size() || std::holds_alternative<std::monostate>(row[column].value)) continue;
    const auto* whole = std::get_if<std::int64_t>(&row[column].value);
    const double* number = number_of(row[column]);
    if (!row[column].shown.empty() || (!whole && !number)) return 0;
    const double value = whole ? static_cast<double>(*whole) : *number;
    if (!std::isfinite(value) || value <= 0) continue;
    least = std::min(least, value);
    most = std::max(most, value);
  }
  return most > 0 ? std::sqrt(least * most) : 0;
}

}  // namespace

std::string format_digits(double value) {
  if (!(value > 0)) return value == 0 ? "0" : "-";
  const int decimals = 2 - static_cast<int>(std::floor(std::log10(value * (1 + 5e-4))));
  return fmt::format("{:.{}f}", value, std::clamp(decimals, 0, 9));
}

void use_one_unit(Table* table) {
  for (std::size_t i = 0; i < table->columns.size(); ++i) {
    Column& column = table->columns[i];
    const bool known = column.unit == Unit::seconds || column.unit == Unit::bytes ||
                       column.unit == Unit::bandwidth || column.unit == Unit::flop_rate ||
                       column.unit == Unit::joules;
    const double middle = known && column.title != "-" ? middle_of(*table, i) : 0;
    if (!(middle > 0)) continue;
    const ColumnUnit unit = column.unit == Unit::seconds     ? fitting(seconds, middle)
                            : column.unit == Unit::bytes     ? fitting(bytes, middle)
                            : column.unit == Unit::joules    ? fitting(joules, middle)
                            : column.unit == Unit::bandwidth ? fitting(bandwidths, middle)
                                                             : fitting(flop_rates, middle);
    column.title = (column.title.empty() ? column.name : column.title) + ", " + unit.name;
    for (std::vector<Cell>& row : table->rows) {
      if (i >= row.size() || std::holds_alternative<std::monostate>(row[i].value)) continue;
      const auto* whole = std::get_if<std::int64_t>(&row[i].value);
      const double value = (whole ? static_cast<double>(*whole) : *number_of(row[i])) / unit.scale;
      const bool is_whole = column.unit == Unit::bytes && value == std::floor(value);
      row[i].shown = is_whole ? fmt::format("{:.0f}", value) : format_digits(value);
    }
  }
}

}  // namespace sextant
