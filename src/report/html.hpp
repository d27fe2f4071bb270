// Converts text to HTML. All text that comes from data must pass through these functions.
#pragma once

#include <string>
#include <string_view>

#include "present/table.hpp"

namespace sextant::report {

// Escapes text for element content and double-quoted attributes. Invalid UTF-8 becomes U+FFFD, and so do
// control characters other than line feed and tab.
std::string escape(std::string_view text);

// Makes an identifier for id= and for file names. It consists of letters, digits and dashes; "x" if nothing
// remains.
std::string slug(std::string_view text);

// Returns "<tag>escaped text</tag>". Text between backquotes becomes <code>.
std::string element(std::string_view tag, std::string_view text);

// Encodes the bytes as base64 (RFC 4648, section 4).
std::string base64(std::string_view bytes);

struct HtmlTable {
  const Table& table;
  std::string file;  // name of the CSV download, without ".csv"; unique on the page
};

// A sortable table in a scrolling box, with a button for CSV download. Empty for a table without rows.
std::string html_table(const HtmlTable& what);

}  // namespace sextant::report
