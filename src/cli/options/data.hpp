// Adds options for subcommands that compare times. They select which of a case's call times are used, and
// which differences count as equal.
#pragma once

#include <string>

#include "cli/options/command.hpp"

namespace sextant {

// Adds --data with the values "fresh" and "seen".
void add_data(Command command, std::string* data);

// add_equal adds --equal, the difference up to which two variants count as equal. apply_equal sets this
// margin for the whole process (record/visits.hpp).
void add_equal(Command command, std::string* equal);
void apply_equal(const std::string& equal);

}  // namespace sextant
