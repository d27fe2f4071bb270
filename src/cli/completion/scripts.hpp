// What shells complete a command line of this program by, of the same commands and options that --help shows.
#pragma once

#include <string>
#include <vector>

#include "cli/options/command.hpp"

namespace sextant {

const std::vector<std::string>& known_shells();

// The script for one of known_shells().
std::string completion_script(const Command& program, const std::string& shell);

// What the scripts ask this program for by `sextant complete KIND`, and the answers.
const std::vector<std::string>& asked_kinds();
std::vector<std::string> values_of_kind(const std::string& kind);

}  // namespace sextant
