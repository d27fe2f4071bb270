#include "present/wrap.hpp"

#include <algorithm>

#include "present/format.hpp"

namespace sextant {

std::string take_line(std::string* text, std::size_t width) {
  std::size_t end = text->size(), columns = 0;
  if (display_width(*text) > width) {
    std::size_t last = std::string::npos;
    for (std::size_t i = 0; i < text->size() && (columns <= width || last == std::string::npos); ++i) {
      const char c = (*text)[i];
      if (c == ' ') last = i;
      if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) ++columns;
      if (c == ',' && (columns <= width || last == std::string::npos)) last = i + 1;
    }
    if (last != std::string::npos) end = last;
  }
  const std::string taken = text->substr(0, end);
  text->erase(0, end);
  if (text->starts_with(' ')) text->erase(0, 1);
  return taken;
}

std::size_t longest_word(const std::string& text) {
  std::size_t longest = 0, word = 0;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xC0) == 0x80) continue;
    word = c == ' ' ? 0 : word + 1;
    longest = std::max(longest, word);
    if (c == ',') word = 0;
  }
  return longest;
}

std::string wrap(const std::string& text, int room) {
  constexpr std::size_t least_width = 20;
  if (room <= 0) return text;
  std::string result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin), indent;
    const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
    indent.assign(first, ' ');
    line.erase(0, first);
    do {
      const std::size_t width =
          std::max(least_width, static_cast<std::size_t>(room) - std::min(indent.size(), std::size_t(room)));
      result += indent + take_line(&line, width);
      if (!line.empty()) result += '\n';
      indent.assign(first + 2, ' ');
    } while (!line.empty());
    if (end < text.size()) result += '\n';
    begin = end + 1;
  }
  return result;
}

}  // namespace sextant
