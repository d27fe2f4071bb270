// What may follow an option, in each shell's script.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/options/command.hpp"

namespace sextant::completion {

struct Values {
  std::string ask;                 // what `sextant complete` is asked for, by commas: "kernels"
  std::vector<std::string> words;  // else one of these
  bool files = false;              // else files
};
Values values_after(const OptionText& option);

// Those that --help shows.
std::vector<OptionText> shown_options(const Command& command);

// Of a help text what fits a line beside its option: up to where a remark begins.
std::string in_short(const std::string& help);

std::string with_blanks(const std::vector<std::string>& words);

// A script's text with what stands for its marks, "@commands@".
std::string filled(std::string text, const std::vector<std::pair<std::string, std::string>>& marks);

std::string bash_script(const Command& program);
std::string zsh_script(const Command& program);
std::string fish_script(const Command& program);

}  // namespace sextant::completion
