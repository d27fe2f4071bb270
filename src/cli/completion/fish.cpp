#include <fmt/format.h>

#include "cli/completion/follows.hpp"

namespace sextant::completion {
namespace {

std::string fish_quoted(const std::string& text) {
  std::string all = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') all += '\\';
    all += c;
  }
  return all + "'";
}

std::string fish_values(const OptionText& option) {
  const Values values = values_after(option);
  if (!values.ask.empty())
    return fmt::format(" -x -a '(__fish_complete_list , \"sextant complete {}\")'", values.ask);
  if (!values.words.empty()) return " -x -a " + fish_quoted(with_blanks(values.words));
  if (values.files) return option.positional ? " -F" : " -r -F";
  return option.value.empty() ? "" : " -x";
}

}  // namespace

std::string fish_script(const Command& program) {
  std::string text =
      "# fish completion of sextant, written by `sextant completion fish`\n"
      "complete -c sextant -f\n"
      "complete -c sextant -n __fish_use_subcommand -l help -d 'Print help'\n"
      "complete -c sextant -n __fish_use_subcommand -l version -d 'Print the version'\n";
  for (const Command& command : program.listed_subcommands()) {
    text += fmt::format("complete -c sextant -n __fish_use_subcommand -a {} -d {}\n", command.name(),
                        fish_quoted(in_short(command.description())));
    for (const OptionText& option : shown_options(command)) {
      text += fmt::format("complete -c sextant -n '__fish_seen_subcommand_from {}'", command.name());
      if (!option.positional)
        for (const std::string& name : option.names)
          text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      text += fish_values(option) + " -d " + fish_quoted(in_short(option.help)) + "\n";
    }
  }
  return text;
}

}  // namespace sextant::completion
