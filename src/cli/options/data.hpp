// Which of a case's call times a subcommand takes.
#pragma once

#include <string>

#include "cli/options/command.hpp"

namespace sextant {

// --data: "fresh" or "seen".
void add_data(Command command, std::string* data);

}  // namespace sextant
