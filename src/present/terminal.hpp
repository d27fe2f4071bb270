// What standard output and standard error lead to, and what the environment wishes of colour.
#pragma once

namespace sextant {

struct Terminal {
  bool interactive = false;  // a terminal that can redraw a line; never so where CI is set or TERM is dumb
  bool colour = false;       // interactive, and NO_COLOR is not set (https://no-color.org)
  int columns = 80;
};

Terminal inspect_terminal(int descriptor);

}  // namespace sextant
