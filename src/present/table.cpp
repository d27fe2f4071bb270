#include "present/table.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/join.hpp"
#include "present/format.hpp"
#include "present/terminal.hpp"
#include "present/wrap.hpp"

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
    case Unit::joules:
      return format_joules(value);
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
  // External text, such as a device's name, may be invalid UTF-8. Invalid bytes are replaced, because an
  // exception would lose the row.
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

// Formats one line: numbers are right-aligned, text is left-aligned, and there are no trailing blanks.
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

constexpr std::size_t least_width = 16;  // minimum width of a column whose text is wrapped

std::size_t line_width(const std::vector<Column>& columns, const std::vector<std::size_t>& widths) {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (visible(columns[i])) sum += widths[i] + (sum > 0 ? 2 : 0);
  return sum;
}

// Hides columns in the order of Column::spare until the line fits into `room` characters or no column with
// `spare` is left. Returns the titles of the hidden columns that a note must mention.
std::vector<std::string> spare_columns(std::vector<Column>* columns, const std::vector<std::size_t>& widths,
                                       std::size_t room) {
  std::vector<std::string> missed;
  while (line_width(*columns, widths) > room) {
    Column* least = nullptr;
    for (Column& column : *columns)
      if (visible(column) && column.spare > (least ? least->spare : 0)) least = &column;
    if (!least) break;
    if (least->missed) missed.push_back(title(*least));
    least->title = "-";
  }
  return missed;
}

// Hides columns from the right until the line fits, regardless of Column::spare. Keeps the first `keys`
// columns. Returns the titles of the hidden columns.
std::vector<std::string> drop_columns(std::vector<Column>* columns, const std::vector<std::size_t>& widths,
                                      std::size_t room, std::size_t keys) {
  std::vector<std::string> missed;
  for (std::size_t i = columns->size(); i-- > keys && line_width(*columns, widths) > room;)
    if (visible((*columns)[i])) {
      missed.insert(missed.begin(), title((*columns)[i]));
      (*columns)[i].title = "-";
    }
  return missed;
}

// Returns the note on hidden columns: "columns left out: serial, openmp (…)".
std::string missed_note(const std::vector<std::string>& missed) {
  return missed.empty() ? "" : "  columns left out: " + join(missed) + " (use a wider terminal or --json)";
}

// Narrows the columns that may be wrapped, the widest first. Stops when the line fits or each of these
// columns has its `least` width.
void narrow(const std::vector<Column>& columns, const std::vector<std::size_t>& least,
            std::vector<std::size_t>* widths, std::size_t room) {
  while (line_width(columns, *widths) > room) {
    std::size_t widest = columns.size();
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (columns[i].breaks && visible(columns[i]) && (*widths)[i] > least[i] &&
          (widest == columns.size() || (*widths)[i] > (*widths)[widest]))
        widest = i;
    if (widest == columns.size()) return;
    --(*widths)[widest];
  }
}

// Formats one row, in as many lines as its wrapped cells need.
std::string lines_of(const std::vector<Column>& columns, const std::vector<std::size_t>& widths, Shown row,
                     bool colour) {
  std::string text;
  for (bool more = true; more;) {
    more = false;
    std::vector<std::string> now(row.texts.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (!visible(columns[i])) continue;
      now[i] = columns[i].breaks ? take_line(&row.texts[i], widths[i]) : std::exchange(row.texts[i], "");
      more = more || !row.texts[i].empty();
    }
    text += line(columns, widths, now, row.tones, colour);
  }
  return text;
}

// Returns the first `room` characters of a line that ends in a line feed. Escape sequences (colours) have no
// width.
std::string cut_line(const std::string& text, std::size_t room) {
  if (room == 0 || display_width(text) <= room + 1) return text;
  std::string result;
  std::size_t width = 0;
  bool escaped = false;
  for (const char c : text) {
    if (c == '\033') escaped = true;
    const bool continues = (static_cast<unsigned char>(c) & 0xC0) == 0x80;
    if (escaped || c == '\n' || (continues ? width <= room : ++width <= room)) result += c;
    if (escaped && c == 'm') escaped = false;
  }
  return result;
}

}  // namespace

namespace {

bool is_empty_column(const Table& table, std::size_t i) {
  return std::all_of(table.rows.begin(), table.rows.end(), [&](const std::vector<Cell>& row) {
    return i >= row.size() || (std::holds_alternative<std::monostate>(row[i].value) && row[i].shown.empty());
  });
}

}  // namespace

void hide_empty_columns(Table* table) {
  for (std::size_t i = 0; i < table->columns.size(); ++i)
    if (is_empty_column(*table, i)) table->columns[i].title = "-";
}

void drop_column(Table* table, const std::string& name) {
  for (std::size_t i = 0; i < table->columns.size(); ++i) {
    if (table->columns[i].name != name) continue;
    const auto place = static_cast<std::ptrdiff_t>(i);
    table->columns.erase(table->columns.begin() + place);
    for (std::vector<Cell>& row : table->rows)
      if (i < row.size()) row.erase(row.begin() + place);
    if (i < table->keys) --table->keys;
    return;
  }
}

void drop_if_empty(Table* table, const std::string& name) {
  for (std::size_t i = 0; i < table->columns.size(); ++i)
    if (table->columns[i].name == name && is_empty_column(*table, i)) return drop_column(table, name);
}

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

std::string to_text(const Table& original, bool colour, int room) {
  Table table = original;
  use_one_unit(&table);
  std::vector<Column> columns = table.columns;
  std::vector<std::size_t> widths, least;
  for (const Column& column : columns) {
    widths.push_back(std::max(display_width(title(column)), static_cast<std::size_t>(column.width)));
    least.push_back(std::max(least_width, static_cast<std::size_t>(column.width)));
  }
  std::vector<Shown> rows;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    rows.push_back(shown_row(columns, table.rows[r]));
    std::fill_n(rows.back().texts.begin(), repeated_keys(table, r), "");
    for (std::size_t i = 0; i < widths.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(rows.back().texts[i]));
      least[i] = std::max(least[i], longest_word(rows.back().texts[i]));
    }
  }
  std::vector<std::string> missed;
  if (room > 0) {
    const std::vector<std::size_t> whole = widths;
    narrow(columns, least, &widths, static_cast<std::size_t>(room));
    missed = spare_columns(&columns, widths, static_cast<std::size_t>(room));
    for (std::string& name :
         drop_columns(&columns, widths, static_cast<std::size_t>(room), std::max<std::size_t>(table.keys, 1)))
      missed.push_back(std::move(name));
    widths = whole;  // starts from the full widths again, because hidden columns have freed space
    narrow(columns, least, &widths, static_cast<std::size_t>(room));
  }
  std::string text;
  const std::string above = wrap(table.title, room);
  if (!above.empty()) text += (colour ? "\033[1m" + above + "\033[0m" : above) + "\n";
  text += heading(columns, widths, colour);
  for (Shown& row : rows) text += lines_of(columns, widths, std::move(row), colour);
  for (const std::string& note : {missed_note(missed), table.note})
    if (!note.empty()) text += wrap(note, room) + "\n";
  return text;
}

std::string to_json_rows(const Table& table) {
  std::string text = "[";
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    text += (i ? ",\n " : "\n ") + json_row(table.columns, table.rows[i]);
  return text + (table.rows.empty() ? "]" : "\n]");
}

void print(const Table& table, bool json, int columns) {
  const Terminal terminal = inspect_terminal(STDOUT_FILENO);
  const std::string text =
      json ? to_json_rows(table) + "\n"
           : to_text(table, terminal.colour, terminal.interactive ? terminal.columns : columns);
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

GrowingTable::GrowingTable(std::vector<Column> columns, bool json, bool colour, std::FILE* out, int room,
                           bool cut)
    : columns_(std::move(columns)), json_(json), colour_(colour), out_(out) {
  if (room <= 0) return;
  std::vector<std::size_t> widths;
  for (const Column& column : columns_)
    widths.push_back(std::max(display_width(title(column)), static_cast<std::size_t>(column.width)));
  if (!json) spare_columns(&columns_, widths, static_cast<std::size_t>(room));
  widths.clear();
  for (const Column& column : columns_)
    widths.push_back(std::max(display_width(title(column)), static_cast<std::size_t>(column.width)));
  // Lines are cut only if all column titles fit. Otherwise cutting a number would show a wrong number.
  if (cut && line_width(columns_, widths) <= static_cast<std::size_t>(room))
    cut_ = static_cast<std::size_t>(room);
}

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
    if (rows_ == 0) text = cut_line(heading(columns_, widths, colour_), cut_);
    const Shown cells = shown_row(columns_, row);
    text += cut_line(line(columns_, widths, cells.texts, cells.tones, colour_), cut_);
  }
  std::fwrite(text.data(), 1, text.size(), out_);
  std::fflush(out_);
  ++rows_;
}

}  // namespace sextant
