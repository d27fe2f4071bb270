// The subcommands: src/cli/<name>.cpp that defines add_<name> is one; the build finds them and generates the
// list.
#pragma once

#include "cli/options/command.hpp"

namespace sextant {

// Registers a subcommand: its options, its help with examples, and a callback that does the work, throws
// UserError for what the user can mend, and sets *exit_code if that is not 0 (an ExitCode).
//
//     void add_<name>(Command app, int* exit_code);

// Calls add_<name> of every subcommand, in the order in which --help shows them. Generated.
void add_all_commands(Command app, int* exit_code);

}  // namespace sextant
