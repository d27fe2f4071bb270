// Generates shell completion scripts from the commands and options that --help shows.
#pragma once

#include <string>
#include <vector>

#include "cli/options/command.hpp"

namespace sextant {

const std::vector<std::string>& known_shells();

// Returns the script for a shell, which must be one of known_shells().
std::string completion_script(const Command& program, const std::string& shell);

// asked_kinds returns the kinds of values that the scripts request with `sextant complete KIND`.
// values_of_kind returns the values of one kind.
const std::vector<std::string>& asked_kinds();
std::vector<std::string> values_of_kind(const std::string& kind);

}  // namespace sextant
