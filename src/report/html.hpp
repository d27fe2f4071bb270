// Converts text to HTML. All text that comes from data must be escaped with these functions.
#pragma once

#include <string>
#include <string_view>

#include "present/table.hpp"

namespace sextant::report {

// Escapes text for element content and double-quoted attributes. Invalid UTF-8 and control characters (except
// line feed and tab) become U+FFFD.
std::string escape(std::string_view text);

// Makes an identifier for id= and for file names, from letters, digits and dashes. Returns "x" if nothing
// remains.
std::string slug(std::string_view text);

// Returns "<tag>escaped text</tag>". Text between backquotes becomes <code>.
std::string element(std::string_view tag, std::string_view text);

// Encodes bytes as base64 (RFC 4648, section 4).
std::string base64(std::string_view bytes);

struct HtmlTable {
  const Table& table;
  std::string file;  // name of the CSV download, without ".csv"; unique on the page
};

// Makes a sortable table in a scrolling box, with a button for CSV download. Returns "" for a table without
// rows.
std::string html_table(const HtmlTable& what);

}  // namespace sextant::report
