// Tables that the command line prints, either as aligned text for people or as JSON for programs.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <variant>
#include <vector>

namespace sextant {

// How the text output shows a column's values. JSON always has unscaled values: seconds, bytes, joules,
// rates per second, fractions of 1.
enum class Unit : std::uint8_t {
  text,
  count,
  number,  // any other number, shown with three significant digits
  seconds,
  bytes,
  bandwidth,
  flop_rate,
  ratio,
  percent,
  joules,
};

struct Column {
  std::string name;        // the JSON key; empty: the column is not in the JSON
  std::string title = {};  // the heading; empty: the name is the heading; "-": the column is only in the JSON
  Unit unit = Unit::text;
  int width = 0;  // minimum width in characters, for tables that are printed row by row
  // What to do if a line is too long. `breaks`: the column's text may be wrapped at blanks. `spare`: columns
  // with the highest value are hidden first, and columns with 0 last, from the right. `missed`: if the column
  // is hidden, a note below the table names it.
  bool breaks = false;
  int spare = 0;
  bool missed = false;
};

enum class Tone : std::uint8_t { plain, good, bad, warning, quiet, strong };

// A value in the unit of its column. A cell without a value is shown as "-" in text and null in JSON.
struct Cell {
  std::variant<std::monostate, bool, std::int64_t, double, std::string> value;
  Tone tone = Tone::plain;
  std::string shown;  // text shown instead of the value

  Cell() = default;
  Cell(const char* text, Tone tone_ = Tone::plain) : value(std::string(text)), tone(tone_) {}
  Cell(std::string text, Tone tone_ = Tone::plain) : value(std::move(text)), tone(tone_) {}
  Cell(double number, Tone tone_ = Tone::plain) : value(number), tone(tone_) {}
  Cell(std::int64_t number, Tone tone_ = Tone::plain) : value(number), tone(tone_) {}
  Cell(int number, Tone tone_ = Tone::plain) : value(std::int64_t{number}), tone(tone_) {}
  Cell(bool truth, Tone tone_ = Tone::plain) : value(truth), tone(tone_) {}
  Cell&& as(std::string text) && {  // sets the text that is shown: Cell(0.001).as("1 ms ± 2 %")
    shown = std::move(text);
    return std::move(*this);
  }
};

struct Table {
  std::string title;  // printed on a line above the table; empty: none
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
  std::string note;  // printed below the table; empty: none
  // Key columns identify a row. In text, a key cell is left blank if it equals the one in the row above.
  std::size_t keys = 0;  // number of key columns; they are the first ones
};

// Returns the number of leading key cells that equal the cells in the row above.
std::size_t repeated_keys(const Table& table, std::size_t row);

// Gives each column of times, bytes or rates a single unit, which its heading names. Columns in which a cell
// has its own text (Cell::shown) stay unchanged. The report uses this function, and so does to_text for a
// whole table.
void use_one_unit(Table* table);

// Returns the text of a cell.
std::string to_text(const Cell& cell, Unit unit);
// Formats the table as aligned text. Lines have at most `columns` characters (0: no limit). Columns that do
// not fit are hidden, and a note names them.
std::string to_text(const Table& table, bool colour, int columns = 0);
void drop_column(Table* table, const std::string& name);
// Removes a column if no row has a value in it.
void drop_if_empty(Table* table, const std::string& name);
// Hides columns without any value from the text. They stay in the JSON.
void hide_empty_columns(Table* table);
// Returns the rows as a JSON array with one object per row.
std::string to_json_rows(const Table& table);
// Prints the table to standard output, as JSON or as text. On a terminal, the text is coloured and uses the
// terminal's width. Otherwise, lines have at most `columns` characters.
void print(const Table& table, bool json, int columns = 120);

// A table that prints each row to standard output as soon as it is added.
class GrowingTable {
 public:
  // Lines have at most `room` characters if possible (0: no limit). If `cut` is true and all column titles
  // fit, longer lines are cut.
  GrowingTable(std::vector<Column> columns, bool json, bool colour, std::FILE* out = stdout, int room = 0,
               bool cut = false);
  ~GrowingTable();  // ends the JSON array
  GrowingTable(const GrowingTable&) = delete;
  GrowingTable& operator=(const GrowingTable&) = delete;

  void add(const std::vector<Cell>& row);

 private:
  std::vector<Column> columns_;
  bool json_, colour_;
  std::FILE* out_;
  std::size_t cut_ = 0;  // largest number of characters in a line; 0: no limit
  std::size_t rows_ = 0;
};

}  // namespace sextant
