// Determines the values that may follow an option, for the completion script of each shell.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/options/command.hpp"

namespace sextant::completion {

struct Values {
  std::string ask;  // Kinds of values that `sextant complete` prints, such as "kernels", separated by commas.
  std::vector<std::string> words;  // The possible values; used if `ask` is empty.
  bool files = false;              // True if file names may follow; used if `ask` and `words` are empty.
};
Values values_after(const OptionText& option);

// Returns the options that --help shows for a command.
std::vector<OptionText> shown_options(const Command& command);

// Shortens a help text to one line, by cutting it at the first colon, semicolon or bracket.
std::string in_short(const std::string& help);

std::string with_blanks(const std::vector<std::string>& words);

// Replaces placeholders in the text of a script, such as "@commands@".
std::string filled(std::string text, const std::vector<std::pair<std::string, std::string>>& marks);

std::string bash_script(const Command& program);
std::string zsh_script(const Command& program);
std::string fish_script(const Command& program);

}  // namespace sextant::completion
