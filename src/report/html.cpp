#include "report/html.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>

namespace sextant::report {
namespace {

// Returns the length in bytes of the first UTF-8 character, or 0 if the bytes are invalid.
std::size_t character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  if ((first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) > 0x9F) ||
      (first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) > 0x8F))
    return 0;
  return length;
}

// Tables with this many rows get the maximum height of a box (report.css: .box). The browser then needs no
// layout to know the height.
constexpr std::size_t rows_of_full_box = 40;

// Returns true if the column is only for JSON output (Column::title is "-").
bool for_json(const Column& column) { return column.title == "-"; }

bool is_number(Unit unit) { return unit != Unit::text; }

// Returns the value as a plain number for sorting and CSV export, or "" if there is none.
std::string raw_value(const Cell& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell.value)) return std::to_string(*whole);
  const auto* number = std::get_if<double>(&cell.value);
  if (!number || !std::isfinite(*number)) return "";
  char text[32];
  std::snprintf(text, sizeof text, "%.5g", *number);
  return text;
}

const char* class_of(Tone tone) {
  switch (tone) {
    case Tone::good:
      return "good";
    case Tone::bad:
      return "bad";
    case Tone::warning:
      return "warning";
    case Tone::quiet:
      return "quiet";
    case Tone::strong:
      return "strong";
    case Tone::plain:
      return "";
  }
  return "";
}

// Makes a table cell. `repeats` means that the cell above has the same text. The cell is then dimmed until
// the reader sorts the table.
std::string html_cell(const Cell& cell, const Column& column, bool heading, bool repeats) {
  const char* tag = heading ? "th" : "td";
  std::string classes = class_of(cell.tone);
  if (!is_number(column.unit)) classes += classes.empty() ? "t" : " t";
  if (repeats) classes += classes.empty() ? "again" : " again";
  std::string text = std::string("<") + tag;
  if (!classes.empty()) text += " class=\"" + classes + "\"";
  const std::string raw = raw_value(cell), shown = to_text(cell, column.unit);
  const bool readable = !shown.empty() && ((shown[0] >= '0' && shown[0] <= '9') || shown[0] == '-');
  if (!raw.empty() && !readable) text += " data-v=\"" + raw + "\"";
  return text + ">" + (shown == "-" ? "–" : escape(shown));  // HTML needs no end tag for a cell
}

// Returns true if the column can be sorted by number. A column of sizes may contain names, and is then sorted
// as text.
bool sorts_by_number(const Table& table, std::size_t column) {
  return is_number(table.columns[column].unit) &&
         std::none_of(table.rows.begin(), table.rows.end(), [column](const std::vector<Cell>& row) {
           const auto* text = column < row.size() ? std::get_if<std::string>(&row[column].value) : nullptr;
           return text && text->find_first_not_of("0123456789") != std::string::npos;
         });
}

}  // namespace

std::string escape(std::string_view text) {
  std::string result;
  result.reserve(text.size() + text.size() / 8);
  while (!text.empty()) {
    const std::size_t length = character(text);
    const char c = text.front();
    if (length == 0 || (length == 1 && static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t'))
      result += "\xEF\xBF\xBD";
    else if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else if (c == '\'')
      result += "&#39;";
    else
      result += text.substr(0, length);
    text.remove_prefix(length ? length : 1);
  }
  return result;
}

std::string slug(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '_';
    if (plain)
      result += c;
    else if (c >= 'A' && c <= 'Z')
      result += static_cast<char>(c - 'A' + 'a');
    else if (!result.empty() && result.back() != '-')
      result += '-';
  }
  while (!result.empty() && result.back() == '-') result.pop_back();
  return result.empty() ? "x" : result;
}

std::string element(std::string_view tag, std::string_view text) {
  const std::string name(tag);
  std::string inside;
  bool code = false;  // true between two backquotes
  for (const char c : escape(text))
    if (c == '`')
      inside += (code = !code) ? "<code>" : "</code>";
    else
      inside += c;
  return "<" + name + ">" + inside + (code ? "</code>" : "") + "</" + name + ">\n";
}

std::string base64(std::string_view bytes) {
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k)
      three = three << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k <= bytes.size() ? digits[three >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::string html_table(const HtmlTable& what) {
  if (what.table.rows.empty()) return "";
  Table table = what.table;
  use_one_unit(&table);
  const bool high = table.rows.size() >= rows_of_full_box;
  std::string html = std::string("<div class=\"table\"><div class=\"box") + (high ? " high" : "") +
                     "\" tabindex=\"0\" role=\"region\" aria-label=\"" +
                     escape(table.title.empty() ? what.file : table.title) +
                     "\"><table class=\"data\" data-sort>\n";
  if (!table.title.empty()) html += "<caption>" + escape(table.title) + "</caption>\n";
  html += "<thead><tr>";
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (for_json(table.columns[i])) continue;
    const Column& column = table.columns[i];
    const std::string& title = column.title.empty() || column.title == " " ? column.name : column.title;
    html += std::string("<th scope=\"col\" data-type=\"") +
            (sorts_by_number(table, i) ? "number\"" : "text\"") +
            (is_number(column.unit) ? "" : " class=\"t\"") + " data-key=\"" + escape(column.name) + "\">" +
            escape(title) + "</th>";
  }
  html += "</tr></thead>\n<tbody>\n";
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const std::vector<Cell>& row = table.rows[r];
    const std::size_t repeated = repeated_keys(table, r);
    html += "<tr>";
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      static const Cell nothing;
      if (for_json(table.columns[i])) continue;
      html += html_cell(i < row.size() ? row[i] : nothing, table.columns[i], i == 0, i < repeated);
    }
    html += "\n";
  }
  html += "</tbody></table></div>\n";
  if (!table.note.empty()) html += "<p class=\"note\">" + escape(table.note) + "</p>\n";
  return html + "<button type=\"button\" data-csv=\"" + slug(what.file) + ".csv\">CSV</button></div>\n";
}

}  // namespace sextant::report
