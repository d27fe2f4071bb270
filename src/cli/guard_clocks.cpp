// sextant guard-clocks: gives locked clocks of GPUs back when its parent ends. It is hidden from --help.
#include <unistd.h>

#include "cli/commands.hpp"
#include "run/clock_guard.hpp"

namespace sextant {

void add_guard_clocks(Command app, int* exit_code) {
  Command command = app.add_subcommand("guard-clocks", "Lock the clocks that arrive on standard input");
  command.hide();
  command.callback([exit_code] { *exit_code = guard_clocks(STDIN_FILENO, STDOUT_FILENO); });
}

}  // namespace sextant
