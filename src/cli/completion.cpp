// sextant completion: prints a shell script that completes commands, options and their values.
#include <cstdio>
#include <memory>

#include "cli/commands.hpp"
#include "cli/completion/scripts.hpp"

namespace sextant {

void add_completion(Command app, int*) {
  Command command = app.add_subcommand("completion", "Print a shell completion script");
  const auto shell = std::make_shared<std::string>();
  command.add_option("shell", *shell, "Print the completion script for this shell")
      .type_name("bash|zsh|fish")
      .required()
      .one_of(known_shells());
  command.footer(
      "Installed packages contain the completion scripts. Otherwise write the script to this file for your "
      "shell:\n"
      "  bash  ~/.local/share/bash-completion/completions/sextant\n"
      "  zsh   _sextant in a folder of fpath, before compinit\n"
      "  fish  ~/.config/fish/completions/sextant.fish\n"
      "Examples:\n"
      "  sextant completion bash > sextant.bash          `source sextant.bash` then loads the file\n"
      "  sextant completion fish > sextant.fish");
  command.callback([app, shell] { std::fputs(completion_script(app, *shell).c_str(), stdout); });
}

}  // namespace sextant
