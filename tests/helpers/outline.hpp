// What a page of the report says, for golden files.
#pragma once

#include <sstream>
#include <string>

namespace sextant::test {

// The lines of the sections that are headings, paragraphs, figures and captions: all text but tables' cells
// and figures' data. Of one section, where `section` is its id; "" where the page has none of that id.
inline std::string outline(const std::string& page, const std::string& section = "") {
  const std::string begin = "<section id=\"" + section + (section.empty() ? "" : "\"");
  std::istringstream lines(page);
  std::string outline;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("<section ")) inside = line.starts_with(begin);
    for (const char* tag : {"<section", "<h2", "<h3", "<p", "<dt", "<figure", "<figcaption", "<caption"})
      if (inside && line.starts_with(tag)) outline += line + "\n";
  }
  return outline;
}

}  // namespace sextant::test
