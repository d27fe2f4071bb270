#include <fmt/format.h>

#include "cli/completion/follows.hpp"

namespace sextant::completion {
namespace {

constexpr const char* zsh_text = R"sh(#compdef sextant
# zsh completion of sextant, written by `sextant completion zsh`
_sextant_ask() {
  local -a found
  found=(${(f)"$(_call_program sextant sextant complete $1 2>/dev/null)"})
  _sequence compadd - -a found
}
_sextant() {
  local -a commands
  commands=(
@commands@  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=${words[2]}
  shift words
  (( CURRENT-- ))
  case $command in
@cases@  esac
}
if [ "$funcstack[1]" = _sextant ]; then _sextant "$@"; else compdef _sextant sextant; fi
)sh";

std::string zsh_quoted(const std::string& text) {
  std::string all = "'";
  for (const char c : text) all += c == '\'' ? "'\\''" : std::string(1, c);
  return all + "'";
}

// Escapes brackets and colons, because they have a meaning in zsh's _arguments and _describe.
std::string zsh_escaped(const std::string& text) {
  std::string all;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') all += '\\';
    all += c;
  }
  return all;
}

// Returns ":VALUE:ACTION", where ACTION tells zsh how to complete the value.
std::string zsh_values(const OptionText& option) {
  const Values values = values_after(option);
  const std::string said = ':' + zsh_escaped(option.value) + ':';
  // The leading blank makes zsh call the function without further arguments.
  if (!values.ask.empty()) return said + " _sextant_ask " + values.ask;
  if (!values.words.empty()) return said + '(' + with_blanks(values.words) + ')';
  return said + (values.files ? "_files" : " ");
}

// Returns the specifications of an option for zsh. They allow every option to be repeated, because a repeated
// list option adds to its list.
std::vector<std::string> zsh_specifications(const OptionText& option) {
  if (option.positional) return {(option.list ? "*" : option.required ? "" : ":") + zsh_values(option)};
  std::vector<std::string> all;
  const std::string said = '[' + zsh_escaped(in_short(option.help)) + ']';
  for (const std::string& name : option.names)
    all.push_back(
        "*" + name +
        (option.value.empty() ? said : (name.starts_with("--") ? "=" : "") + said + zsh_values(option)));
  return all;
}

}  // namespace

std::string zsh_script(const Command& program) {
  std::string commands, cases;
  for (const Command& command : program.listed_subcommands()) {
    commands +=
        "    " + zsh_quoted(command.name() + ':' + zsh_escaped(in_short(command.description()))) + "\n";
    cases += "    " + command.name() + ")\n      _arguments";
    for (const OptionText& option : shown_options(command))
      for (const std::string& one : zsh_specifications(option)) cases += " \\\n        " + zsh_quoted(one);
    cases += " ;;\n";
  }
  return filled(zsh_text, {{"@commands@", commands}, {"@cases@", cases}});
}

}  // namespace sextant::completion
