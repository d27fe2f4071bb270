#include "present/table.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "present/format.hpp"
#include "present/terminal.hpp"

namespace sextant {
namespace {

using Json = nlohmann::ordered_json;

std::string shown_number(double value, Unit unit) {
  switch (unit) {
    case Unit::seconds:
      return format_seconds(value);
    case Unit::bytes:
      return format_bytes(value);
    case Unit::bandwidth:
      return format_bandwidth(value);
    case Unit::flop_rate:
      return format_flop_rate(value);
    case Unit::ratio:
      return format_ratio(value);
    case Unit::percent:
      return format_percent(value);
    case Unit::text:
    case Unit::count:
    case Unit::number:
      return format_significant(value);
  }
  return "?";
}

Json json_value(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell.value)) return *text;
  if (const auto* truth = std::get_if<bool>(&cell.value)) return *truth;
  if (const auto* whole = std::get_if<std::int64_t>(&cell.value)) return *whole;
  if (const auto* number = std::get_if<double>(&cell.value))
    return std::isfinite(*number) ? Json(*number) : Json(nullptr);
  return nullptr;
}

std::string json_row(const std::vector<Column>& columns, const std::vector<Cell>& row) {
  Json object = Json::object();
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (!columns[i].name.empty())
      object[columns[i].name] = i < row.size() ? json_value(row[i]) : Json(nullptr);
  // Text from outside (a device's name) may be no UTF-8: replaced rather than thrown at the user.
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

const char* escape(Tone tone) {
  switch (tone) {
    case Tone::good:
      return "\033[32m";
    case Tone::bad:
      return "\033[31m";
    case Tone::warning:
      return "\033[33m";
    case Tone::quiet:
      return "\033[2m";
    case Tone::strong:
      return "\033[1m";
    case Tone::plain:
      return "";
  }
  return "";
}

bool visible(const Column& column) { return column.title != "-"; }
const std::string& title(const Column& column) { return column.title.empty() ? column.name : column.title; }

// One line; numbers to the right, text to the left, nothing after the last character.
std::string line(const std::vector<Column>& columns, const std::vector<std::size_t>& widths,
                 const std::vector<std::string>& texts, const std::vector<Tone>& tones, bool colour) {
  std::string result, padding;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!visible(columns[i])) continue;
    const std::string spaces(widths[i] - std::min(widths[i], display_width(texts[i])), ' ');
    if (columns[i].unit != Unit::text) padding += spaces;
    if (!texts[i].empty()) {
      result += padding;
      padding.clear();
      const bool coloured = colour && tones[i] != Tone::plain;
      result += coloured ? escape(tones[i]) + texts[i] + "\033[0m" : texts[i];
    }
    if (columns[i].unit == Unit::text) padding += spaces;
    padding += "  ";
  }
  return result + "\n";
}

std::string heading(const std::vector<Column>& columns, const std::vector<std::size_t>& widths, bool colour) {
  std::vector<std::string> titles;
  for (const Column& column : columns) titles.push_back(title(column));
  return line(columns, widths, titles, std::vector<Tone>(columns.size(), Tone::strong), colour);
}

struct Shown {
  std::vector<std::string> texts;
  std::vector<Tone> tones;
};

Shown shown_row(const std::vector<Column>& columns, const std::vector<Cell>& row) {
  Shown result;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    result.texts.push_back(i < row.size() ? to_text(row[i], columns[i].unit) : "-");
    result.tones.push_back(i < row.size() ? row[i].tone : Tone::plain);
  }
  return result;
}

}  // namespace

std::string to_text(const Cell& cell, Unit unit) {
  if (!cell.shown.empty()) return cell.shown;
  if (const auto* text = std::get_if<std::string>(&cell.value)) return *text;
  if (const auto* truth = std::get_if<bool>(&cell.value)) return *truth ? "yes" : "no";
  if (const auto* whole = std::get_if<std::int64_t>(&cell.value))
    return unit == Unit::text || unit == Unit::count ? std::to_string(*whole)
                                                     : shown_number(static_cast<double>(*whole), unit);
  if (const auto* number = std::get_if<double>(&cell.value)) return shown_number(*number, unit);
  return "-";
}

std::size_t repeated_keys(const Table& table, std::size_t row) {
  if (row == 0) return 0;
  const std::vector<Cell>&here = table.rows[row], &above = table.rows[row - 1];
  std::size_t count = 0;
  while (count < std::min({table.keys, here.size(), above.size()}) &&
         to_text(here[count], table.columns[count].unit) == to_text(above[count], table.columns[count].unit))
    ++count;
  return count;
}

std::string to_text(const Table& table, bool colour) {
  std::vector<std::size_t> widths;
  for (const Column& column : table.columns)
    widths.push_back(std::max(display_width(title(column)), static_cast<std::size_t>(column.width)));
  std::vector<Shown> rows;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    rows.push_back(shown_row(table.columns, table.rows[r]));
    std::fill_n(rows.back().texts.begin(), repeated_keys(table, r), "");
    for (std::size_t i = 0; i < widths.size(); ++i)
      widths[i] = std::max(widths[i], display_width(rows.back().texts[i]));
  }
  std::string text;
  if (!table.title.empty()) text += (colour ? "\033[1m" + table.title + "\033[0m" : table.title) + "\n";
  text += heading(table.columns, widths, colour);
  for (const Shown& row : rows) text += line(table.columns, widths, row.texts, row.tones, colour);
  if (!table.note.empty()) text += table.note + "\n";
  return text;
}

std::string to_json_rows(const Table& table) {
  std::string text = "[";
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    text += (i ? ",\n " : "\n ") + json_row(table.columns, table.rows[i]);
  return text + (table.rows.empty() ? "]" : "\n]");
}

void print(const Table& table, bool json) {
  const std::string text =
      json ? to_json_rows(table) + "\n" : to_text(table, inspect_terminal(STDOUT_FILENO).colour);
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

GrowingTable::GrowingTable(std::vector<Column> columns, bool json, bool colour, std::FILE* out)
    : columns_(std::move(columns)), json_(json), colour_(colour), out_(out) {}

GrowingTable::~GrowingTable() {
  if (!json_) return;
  std::fputs(rows_ ? "\n]\n" : "[]\n", out_);
  std::fflush(out_);
}

void GrowingTable::add(const std::vector<Cell>& row) {
  std::string text;
  if (json_) {
    text = (rows_ ? ",\n " : "[\n ") + json_row(columns_, row);
  } else {
    std::vector<std::size_t> widths;
    for (const Column& column : columns_)
      widths.push_back(std::max(display_width(title(column)), static_cast<std::size_t>(column.width)));
    if (rows_ == 0) text = heading(columns_, widths, colour_);
    const Shown cells = shown_row(columns_, row);
    text += line(columns_, widths, cells.texts, cells.tones, colour_);
  }
  std::fwrite(text.data(), 1, text.size(), out_);
  std::fflush(out_);
  ++rows_;
}

}  // namespace sextant
