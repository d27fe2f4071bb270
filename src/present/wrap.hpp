// Text in lines of so many characters.
#pragma once

#include <cstddef>
#include <string>

namespace sextant {

// Takes from *text what fits into `width` characters, up to a blank or a comma; a longer word stays whole.
std::string take_line(std::string* text, std::size_t width);

// Characters of the longest part that take_line does not break.
std::size_t longest_word(const std::string& text);

// `text`, its lines broken at blanks to have at most `room` characters (0: any number) where words allow it.
// What continues a line stands two characters further in than its beginning.
std::string wrap(const std::string& text, int room);

}  // namespace sextant
