// Detects whether an output is an interactive terminal, its width and whether it should show colour.
#pragma once

namespace sextant {

struct Terminal {
  bool interactive = false;  // can redraw a line; false if CI is set or TERM is dumb
  bool colour = false;       // interactive, and NO_COLOR is not set (https://no-color.org)
  int columns = 80;
};

Terminal inspect_terminal(int descriptor);

}  // namespace sextant
