#include "base/csv.hpp"

#include <charconv>

#include "base/error.hpp"

namespace sextant {
namespace {

// Reads the cells of the line at *place and moves *place to the next line. Returns false if a quote is never
// closed.
bool next_line(std::string_view text, std::size_t* place, std::vector<std::string>* cells) {
  cells->assign(1, "");
  bool quoted = false;
  for (std::size_t& i = *place; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      const bool doubled = c == '"' && i + 1 < text.size() && text[i + 1] == '"';
      if (doubled) ++i;
      if (c != '"' || doubled)
        cells->back() += c;
      else
        quoted = false;
    } else if (c == '"' && cells->back().empty()) {
      quoted = true;
    } else if (c == ',') {
      cells->emplace_back();
    } else if (c == '\n') {
      ++i;
      return true;
    } else if (c != '\r') {
      cells->back() += c;
    }
  }
  return !quoted;
}

template <typename Number>
std::optional<Number> number_in(const std::string& text, const std::string& where) {
  if (text.empty()) return std::nullopt;
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw UserError(where + ": `" + text + "` is not a number.");
  return value;
}

}  // namespace

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

CsvTable CsvTable::read(std::string_view text, const std::string& name) {
  CsvTable table;
  table.name_ = name;
  std::size_t place = 0;
  for (std::vector<std::string> cells; place < text.size();) {
    if (!next_line(text, &place, &cells)) throw UserError(name + ": a quoted cell has no closing quote.");
    if (table.columns_.empty()) {
      table.columns_ = cells;
      for (std::size_t i = 0; i < cells.size(); ++i) table.places_.emplace(cells[i], i);
      continue;
    }
    if (cells.size() != table.columns_.size())
      throw UserError(name + ": line " + std::to_string(table.size() + 2) + " has " +
                      std::to_string(cells.size()) + " cells, but the header has " +
                      std::to_string(table.columns_.size()) + " columns.");
    table.cells_.push_back(std::move(cells));
  }
  if (table.columns_.empty()) throw UserError(name + " is empty.");
  return table;
}

const std::string& CsvTable::text(std::size_t row, std::string_view column) const {
  const auto place = places_.find(column);
  if (place == places_.end()) throw UserError(name_ + " has no column `" + std::string(column) + "`.");
  return cells_.at(row).at(place->second);
}

std::optional<double> CsvTable::number(std::size_t row, std::string_view column) const {
  return number_in<double>(text(row, column), name_ + ": line " + std::to_string(row + 2));
}

std::optional<std::int64_t> CsvTable::count(std::size_t row, std::string_view column) const {
  return number_in<std::int64_t>(text(row, column), name_ + ": line " + std::to_string(row + 2));
}

}  // namespace sextant
