// sextant completion: what a shell completes this program's commands, options and their values by.
#include <cstdio>
#include <memory>

#include "cli/commands.hpp"
#include "cli/completion/scripts.hpp"

namespace sextant {

void add_completion(Command app, int*) {
  Command command =
      app.add_subcommand("completion", "Print what a shell completes sextant's command lines by");
  const auto shell = std::make_shared<std::string>();
  command.add_option("shell", *shell, "bash, zsh or fish")
      .type_name("bash|zsh|fish")
      .required()
      .one_of(known_shells());
  command.footer(
      "Installed packages have it. By hand:\n"
      "Examples:\n"
      "  sextant completion bash > ~/.local/share/bash-completion/completions/sextant\n"
      "  sextant completion zsh > ~/.zfunc/_sextant      with fpath+=~/.zfunc before compinit\n"
      "  sextant completion fish > ~/.config/fish/completions/sextant.fish");
  command.callback([app, shell] { std::fputs(completion_script(app, *shell).c_str(), stdout); });
}

}  // namespace sextant
