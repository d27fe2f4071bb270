#include "cli/completion/scripts.hpp"

#include "cli/completion/follows.hpp"

namespace sextant {

const std::vector<std::string>& known_shells() {
  static const std::vector<std::string> shells = {"bash", "zsh", "fish"};
  return shells;
}

std::string completion_script(const Command& program, const std::string& shell) {
  if (shell == "bash") return completion::bash_script(program);
  return shell == "zsh" ? completion::zsh_script(program) : completion::fish_script(program);
}

}  // namespace sextant
