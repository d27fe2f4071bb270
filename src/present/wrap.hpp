// Wraps text into lines of limited length.
#pragma once

#include <cstddef>
#include <string>

namespace sextant {

// Removes from *text as much as fits into `width` characters, up to a blank or comma, and returns it. A
// longer word stays whole.
std::string take_line(std::string* text, std::size_t width);

// The number of characters of the longest part that take_line does not break.
std::size_t longest_word(const std::string& text);

// Breaks the lines of `text` at blanks, so that each has at most `room` characters (0: no limit) if its words
// allow. Continuation lines are indented by two more characters.
std::string wrap(const std::string& text, int room);

}  // namespace sextant
