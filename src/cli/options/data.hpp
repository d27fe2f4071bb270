// Adds the option that selects which of a case's call times a subcommand uses.
#pragma once

#include <string>

#include "cli/options/command.hpp"

namespace sextant {

// Adds --data with the values "fresh" and "seen".
void add_data(Command command, std::string* data);

}  // namespace sextant
