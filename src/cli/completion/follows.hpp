// The values that may follow an option, for the script of each shell.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/options/command.hpp"

namespace sextant::completion {

struct Values {
  std::string ask;  // Kinds of values that `sextant complete` prints, separated by commas: "kernels".
  std::vector<std::string> words;  // Used if `ask` is empty.
  bool files = false;              // Used if `ask` and `words` are empty.
};
Values values_after(const OptionText& option);

// Returns the options that --help shows.
std::vector<OptionText> shown_options(const Command& command);

// Shortens a help text to one line: the part before the first remark.
std::string in_short(const std::string& help);

std::string with_blanks(const std::vector<std::string>& words);

// Replaces marks in a script's text, such as "@commands@".
std::string filled(std::string text, const std::vector<std::pair<std::string, std::string>>& marks);

std::string bash_script(const Command& program);
std::string zsh_script(const Command& program);
std::string fish_script(const Command& program);

}  // namespace sextant::completion
