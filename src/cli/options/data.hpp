// Adds options of subcommands that judge times: which of a case's call times, and what counts as equal.
#pragma once

#include <string>

#include "cli/options/command.hpp"

namespace sextant {

// Adds --data with the values "fresh" and "seen".
void add_data(Command command, std::string* data);

// Adds --equal, the difference up to which two variants count as equal. The margin is set when the option is
// read (record/visits.hpp).
void add_equal(Command command, std::string* equal);
void apply_equal(const std::string& equal);

}  // namespace sextant
