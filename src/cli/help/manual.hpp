// Manual pages, of the same commands and options that --help shows.
#pragma once

#include <string>

#include "cli/options/command.hpp"

namespace sextant {

// Its file's name without the folder: "sextant.1", "sextant-run.1".
std::string manual_name(const Command& command);

// The page of a subcommand, or of the program, which lists the subcommands, as roff for man(1).
std::string manual_page(const Command& program, const Command& command);

}  // namespace sextant
