#include "cli/help/manual.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace sextant {
namespace {

// Escapes text so that roff takes no part of it for a request or an escape. Dashes stay plain, so that
// commands can be copied.
std::string roff(const std::string& text) {
  std::string escaped;
  for (const char c : text)
    if (c == '\\')
      escaped += "\\e";
    else if (c == '-')
      escaped += "\\-";
    else
      escaped += c;
  return escaped.starts_with('.') || escaped.starts_with('\'') ? "\\&" + escaped : escaped;
}

std::string bold(const std::string& text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + roff(text) + "\\fR"; }

bool is_the_program(const Command& program, const Command& command) {
  return program.name() == command.name();
}

std::string full_name(const Command& program, const Command& command) {
  return is_the_program(program, command) ? program.name() : program.name() + ' ' + command.name();
}

// Returns the heading of an option, "-k, --kernels RE ...", or the name and value of a positional argument.
std::string heading_of(const OptionText& option) {
  std::string text;
  for (const std::string& name : option.names)
    text += (text.empty() ? "" : ", ") + (option.positional ? italic(name) : bold(name));
  if (!option.value.empty()) text += ' ' + italic(option.value);
  return option.list ? text + " ..." : text;
}

std::string options_of(const Command& command) {
  std::vector<std::string> groups;
  for (const OptionText& option : command.options())
    if (!option.group.empty() && std::find(groups.begin(), groups.end(), option.group) == groups.end())
      groups.push_back(option.group);
  std::stable_partition(groups.begin(), groups.end(),
                        [](const std::string& group) { return group == "Positionals"; });
  std::string text;
  for (const std::string& group : groups) {
    text += group == "Positionals" ? ".SH ARGUMENTS\n"
            : group == "Options"   ? ".SH OPTIONS\n"
                                   : ".SS " + roff(group) + "\n";
    for (const OptionText& option : command.options())
      if (option.group == group) text += ".TP\n" + heading_of(option) + "\n" + roff(option.help) + "\n";
  }
  return text;
}

// Formats the text that follows the options in --help: paragraphs, indented examples and exit codes.
std::string footer_of(const Command& command) {
  std::string text, section;
  const auto enter = [&](const std::string& wanted) {
    if (section != wanted) text += ".SH " + wanted + "\n";
    section = wanted;
  };
  bool copied = false;  // True between lines that are printed unchanged.
  std::istringstream lines(command.footer_text());
  for (std::string line; std::getline(lines, line);) {
    const bool indented = line.starts_with("  ");
    if (copied && !indented) text += ".EE\n";
    if (!copied && indented) text += ".EX\n";
    copied = indented;
    if (line == "Examples:") {
      enter("EXAMPLES");
    } else if (line == "Exit codes:") {
      enter("EXIT STATUS");
    } else if (!line.empty()) {
      if (!indented) enter("NOTES");
      text += (indented ? "" : ".PP\n") + roff(line) + "\n";
    }
  }
  return copied ? text + ".EE\n" : text;
}

std::string commands_of(const Command& program) {
  std::string text = ".SH COMMANDS\n";
  for (const Command& command : program.listed_subcommands())
    text += fmt::format(".TP\n\\fB{}\\fR(1)\n{}\n", roff(program.name() + "-" + command.name()),
                        roff(command.description()));
  return text;
}

}  // namespace

std::string manual_name(const Command& command) {
  return command.name() == "sextant" ? "sextant.1" : "sextant-" + command.name() + ".1";
}

std::string manual_page(const Command& program, const Command& command) {
  const bool whole = is_the_program(program, command);
  std::string name = manual_name(command);
  name.resize(name.size() - 2);
  std::string title = name;
  std::transform(title.begin(), title.end(), title.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  std::string text =
      fmt::format(".TH {} 1 \"\" \"Sextant {}\" \"User Commands\"\n", roff(title), SEXTANT_VERSION);
  std::string what = command.description();
  if (what.ends_with('.')) what.pop_back();
  text += ".SH NAME\n" + roff(name) + " \\- " + roff(what) + "\n";
  text += ".SH SYNOPSIS\n" + bold(full_name(program, command));
  text += whole ? " " + italic("COMMAND") : "";
  text += " [" + italic("OPTIONS") + "]";
  for (const OptionText& option : command.options())
    if (option.positional)
      text += (option.required ? " " : " [") + italic(option.names.front()) + (option.list ? " ..." : "") +
              (option.required ? "" : "]");
  text += "\n.SH DESCRIPTION\n" + roff(what) + ".\n";
  if (whole) text += commands_of(program);
  text += options_of(command) + footer_of(command);
  text += ".SH SEE ALSO\n";
  text += whole ? "Each command has a page: \\fBman sextant\\-run\\fR, and an answer to \\fB\\-\\-help\\fR.\n"
                : "\\fBsextant\\fR(1)\n";
  return text;
}

}  // namespace sextant
