// Generates manual pages from the commands and options that --help shows.
#pragma once

#include <string>

#include "cli/options/command.hpp"

namespace sextant {

// Returns the file name of a command's page: "sextant.1" or "sextant-run.1".
std::string manual_name(const Command& command);

// Returns the page of a subcommand as roff text for man(1). The page of the program lists the subcommands.
std::string manual_page(const Command& program, const Command& command);

}  // namespace sextant
