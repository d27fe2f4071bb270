// Wraps text into lines of limited length.
#pragma once

#include <cstddef>
#include <string>

namespace sextant {

// Removes a line from the start of *text and returns it. The line has at most `width` characters and ends at
// a blank or comma. A single word that is longer is not broken.
std::string take_line(std::string* text, std::size_t width);

// Returns the number of characters of the longest word, which take_line does not break.
std::size_t longest_word(const std::string& text);

// Breaks the lines of `text` at blanks, so that each has at most `room` characters (0: no limit), unless a
// single word is longer. Continuation lines are indented by two more characters.
std::string wrap(const std::string& text, int room);

}  // namespace sextant
