// Text into HTML: everything that comes from data passes here.
#pragma once

#include <string>
#include <string_view>

#include "present/table.hpp"

namespace sextant::report {

// For text and for attributes in double quotes. Bytes that are no UTF-8 become U+FFFD, control characters
// but line feed and tab too.
std::string escape(std::string_view text);

// An identifier for id= and file names: letters, digits and dashes; "x" for nothing.
std::string slug(std::string_view text);

// "<tag>escaped</tag>"
std::string element(std::string_view tag, std::string_view text);

// Bytes as base64 (RFC 4648, section 4).
std::string base64(std::string_view bytes);

struct HtmlTable {
  const Table& table;
  std::string file;  // name of the CSV download, without ".csv"; unique on the page
};

// A table in a box that scrolls, sortable, with a button for its CSV. Empty: nothing.
std::string html_table(const HtmlTable& what);

}  // namespace sextant::report
