// Reads comma-separated tables, and quotes fields for writing them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sextant {

// Returns the text as a field, in quotes if it contains commas, quotes or line breaks (RFC 4180).
std::string csv_field(std::string_view text);

// A table whose first line names its columns. Accessors throw UserError with the table's name if a column is
// missing or a cell is not a number.
class CsvTable {
 public:
  // Throws UserError if there is no line, if lines differ in their number of cells, or if a quote is not
  // closed.
  static CsvTable read(std::string_view text, const std::string& name);

  std::size_t size() const { return cells_.size(); }
  const std::vector<std::string>& columns() const { return columns_; }
  bool has(std::string_view column) const { return places_.contains(column); }
  const std::string& text(std::size_t row, std::string_view column) const;
  // Return the cell as a number, or nothing if the cell is empty.
  std::optional<double> number(std::size_t row, std::string_view column) const;
  std::optional<std::int64_t> count(std::size_t row, std::string_view column) const;

 private:
  std::string name_;
  std::vector<std::string> columns_;
  std::map<std::string, std::size_t, std::less<>> places_;
  std::vector<std::vector<std::string>> cells_;
};

}  // namespace sextant
