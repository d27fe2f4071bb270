#include <fmt/format.h>

#include "cli/completion/follows.hpp"

namespace sextant::completion {
namespace {

// Bash splits words at `=`, so --option=value arrives as three words.
constexpr const char* bash_text = R"sh(# bash completion of sextant, written by `sextant completion bash`
_sextant_options() {
  case $1 in
@options@  esac
}
# What follows an option of a command, or stands for its positional arguments.
_sextant_values() {
  case $1:$2 in
@values@  esac
}
_sextant() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} values done=
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W '@commands@ --help --version' -- "$word")
    return
  fi
  if [[ $word == = ]]; then
    word=
  elif [[ $before == = ]]; then
    before=${COMP_WORDS[COMP_CWORD-2]}
  elif [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_sextant_options "$command")" -- "$word")
    return
  fi
  values=$(_sextant_values "$command" "$before")
  [[ -n $values ]] || values=$(_sextant_values "$command" '')
  case $values in
    ask\ *)
      [[ $word != *,* ]] || done=${word%,*},
      mapfile -t COMPREPLY < <(compgen -P "$done" -W "$("${COMP_WORDS[0]}" complete "${values#ask }" 2>/dev/null)" -- "${word##*,}") ;;
    words\ *) mapfile -t COMPREPLY < <(compgen -W "${values#words }" -- "$word") ;;
    text) ;;
    *) compopt -o default 2>/dev/null ;;
  esac
}
complete -F _sextant sextant
)sh";

std::string bash_values(const OptionText& option) {
  const Values values = values_after(option);
  if (!values.ask.empty()) return "ask " + values.ask;
  if (!values.words.empty()) return "words " + with_blanks(values.words);
  return values.files ? "files" : "text";
}

}  // namespace

std::string bash_script(const Command& program) {
  std::vector<std::string> commands;
  std::string options, values;
  for (const Command& command : program.listed_subcommands()) {
    commands.push_back(command.name());
    std::vector<std::string> names;
    for (const OptionText& option : shown_options(command)) {
      if (!option.positional) names.insert(names.end(), option.names.begin(), option.names.end());
      if (option.value.empty()) continue;
      for (const std::string& name : option.names)
        values += fmt::format("    {}:{}) echo '{}' ;;\n", command.name(), option.positional ? "" : name,
                              bash_values(option));
    }
    options += fmt::format("    {}) echo '{}' ;;\n", command.name(), with_blanks(names));
  }
  return filled(bash_text,
                {{"@options@", options}, {"@values@", values}, {"@commands@", with_blanks(commands)}});
}

}  // namespace sextant::completion
