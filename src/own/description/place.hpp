// A position in a user's file, for error messages.
#pragma once

#include <string>

namespace sextant::own {

struct Place {
  std::string file;          // path as the user gave it
  int line = 0, column = 0;  // counted from 1; 0 means unknown

  // Returns "saxpy.cu:9:12: ", shortened if line or column is unknown.
  std::string prefix() const {
    std::string text = file;
    if (line > 0) text += ":" + std::to_string(line);
    if (line > 0 && column > 0) text += ":" + std::to_string(column);
    return text.empty() ? text : text + ": ";
  }
  // Returns the position that is `characters` further to the right in the same line.
  Place right(int characters) const { return {file, line, column > 0 ? column + characters : 0}; }
};

}  // namespace sextant::own
