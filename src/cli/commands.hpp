// Declares the subcommands. The build finds each src/cli/<name>.cpp that defines add_<name> and generates the
// list.
#pragma once

#include "cli/options/command.hpp"

namespace sextant {

// Each `void add_<name>(Command app, int* exit_code)` registers a subcommand with its options, its help with
// examples, and a callback. The callback does the work and throws UserError for errors that the user can
// correct. It sets `exit_code` to an ExitCode other than 0 if necessary.

// Calls add_<name> of every subcommand, in the order of --help. The build generates it.
void add_all_commands(Command app, int* exit_code);

}  // namespace sextant
