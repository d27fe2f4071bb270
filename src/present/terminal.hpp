// Detects whether an output is an interactive terminal, its width and whether it should show colour.
#pragma once

namespace sextant {

struct Terminal {
  bool interactive = false;  // a printed line can be redrawn; false if CI is set or TERM is dumb
  // Colour is allowed: the output is interactive and NO_COLOR is not set (https://no-color.org).
  bool colour = false;
  int columns = 80;
};

Terminal inspect_terminal(int descriptor);

}  // namespace sextant
