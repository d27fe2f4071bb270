// Every table the command line prints: the same rows as aligned text for people or as JSON for programs.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <variant>
#include <vector>

namespace sextant {

// How a column's values are shown; JSON has them raw, in seconds, bytes, per second, shares of 1.
enum class Unit : std::uint8_t {
  text,
  count,
  number,  // three significant digits
  seconds,
  bytes,
  bandwidth,
  flop_rate,
  ratio,
  percent,
};

struct Column {
  std::string name;        // the JSON key; empty: not in the JSON
  std::string title = {};  // the heading; empty: name. A column titled "-" is in the JSON only
  Unit unit = Unit::text;
  int width = 0;  // at least; tables that are printed row by row have no other width to go by
  // Where a line has no room for all columns: text is broken at blanks, and what is still too much is left
  // out, the highest `spare` first, then from the right what is no key. `missed`: a line below says so.
  bool breaks = false;
  int spare = 0;
  bool missed = false;
};

enum class Tone : std::uint8_t { plain, good, bad, warning, quiet, strong };

// A value of its column's unit, or nothing (shown as "-", null in JSON).
struct Cell {
  std::variant<std::monostate, bool, std::int64_t, double, std::string> value;
  Tone tone = Tone::plain;
  std::string shown;  // overrides how the value is shown

  Cell() = default;
  Cell(const char* text, Tone tone_ = Tone::plain) : value(std::string(text)), tone(tone_) {}
  Cell(std::string text, Tone tone_ = Tone::plain) : value(std::move(text)), tone(tone_) {}
  Cell(double number, Tone tone_ = Tone::plain) : value(number), tone(tone_) {}
  Cell(std::int64_t number, Tone tone_ = Tone::plain) : value(number), tone(tone_) {}
  Cell(int number, Tone tone_ = Tone::plain) : value(std::int64_t{number}), tone(tone_) {}
  Cell(bool truth, Tone tone_ = Tone::plain) : value(truth), tone(tone_) {}
  Cell&& as(std::string text) && {  // Cell(0.001).as("1 ms ± 2 %")
    shown = std::move(text);
    return std::move(*this);
  }
};

struct Table {
  std::string title;  // a line above; empty: none
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
  std::string note;      // a line below; empty: none
  std::size_t keys = 0;  // so many first columns say what a row is about: as text, what a row shares in them
                         // with the one above is not written again
};

// How many of the row's key columns read as those of the row above, from the first on.
std::size_t repeated_keys(const Table& table, std::size_t row);

// Gives each column of times, bytes or rates one unit, which its heading names. A column with a cell that has
// words of its own (Cell::shown) stays as it is. Done by to_text of a whole table and by the page.
void use_one_unit(Table* table);

// A cell as people read it.
std::string to_text(const Cell& cell, Unit unit);
// The table as text, columns as wide as they need; in lines of `columns` characters (0: of any length): what
// has no room is left out, and a line says what.
std::string to_text(const Table& table, bool colour, int columns = 0);
void drop_column(Table* table, const std::string& name);
// Takes a column out that has no value in any row.
void drop_if_empty(Table* table, const std::string& name);
// Leaves columns out that have no value in any row.
void hide_empty_columns(Table* table);
// The rows as a JSON array of objects, one a row.
std::string to_json_rows(const Table& table);
// To standard output: JSON if asked for, else text, in colour and in its width only on a terminal, else in
// lines of `columns`.
void print(const Table& table, bool json, int columns = 120);

// A table that grows: each row goes to standard output at once.
class GrowingTable {
 public:
  // Lines of `room` characters if that is possible (0: of any length); `cut`: and never longer ones, if they
  // hold the columns that none can be spared of.
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
  std::size_t cut_ = 0;  // characters of a line; 0: any number
  std::size_t rows_ = 0;
};

}  // namespace sextant
