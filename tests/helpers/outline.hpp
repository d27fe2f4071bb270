// Extracts the text of a report page for comparison with golden files.
#pragma once

#include <sstream>
#include <string>

namespace sextant::test {

// Returns the headings, paragraphs and captions of a page, one per line, without table cells and figure data.
// With `section`, returns only the section with this id; empty if there is none.
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
