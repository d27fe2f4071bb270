#include "cli/options/command.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>
#include <string>
#include <utility>

#include "base/join.hpp"
#include "base/nearest.hpp"
#include "present/format.hpp"
#include "present/terminal.hpp"
#include "present/wrap.hpp"

namespace sextant {
namespace {

// Formats --help. Descriptions, footers and remarks on examples are wrapped to the terminal's width, at most
// 100 characters. Without a terminal the width is 100.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() {
    const Terminal terminal = inspect_terminal(1);
    if (terminal.interactive) width_ = static_cast<std::size_t>(std::clamp(terminal.columns, 60, 100));
  }

  // Removes the empty lines that the parser adds between groups.
  std::string make_help(const CLI::App* command, std::string name, CLI::AppFormatMode mode) const override {
    all_ = mode != CLI::AppFormatMode::Normal;
    std::string text = CLI::Formatter::make_help(command, std::move(name), mode);
    for (std::size_t at = 0; (at = text.find("\n\n\n", at)) != std::string::npos;) text.erase(at, 1);
    return text;
  }

  std::string make_group(std::string group, bool is_positional,
                         std::vector<const CLI::Option*> options) const override {
    if (group == rarely_used && !all_) return "";
    return CLI::Formatter::make_group(group, is_positional, options);
  }

  std::string make_option_desc(const CLI::Option* option) const override {
    return described(option->get_description());
  }

  std::string make_subcommand(const CLI::App* command) const override {
    std::stringstream text;
    CLI::detail::format_help(text, command->get_display_name(true), described(command->get_description()),
                             column_width_);
    return text.str();
  }

  std::string make_description(const CLI::App* command) const override {
    return broken(command->get_description(), width_) + "\n";
  }

  std::string make_footer(const CLI::App* command) const override {
    std::string text;
    std::istringstream lines(command->get_footer());
    for (std::string line; std::getline(lines, line);)
      text += (line.starts_with("  ") ? example(line) : broken(line, width_)) + "\n";
    return text;
  }

 private:
  // Formats an example. The command stays on one line, so that it can be copied. A remark after the command
  // moves to a separate line if both do not fit.
  std::string example(const std::string& line) const {
    const std::size_t gap = line.find("   ", 2);
    if (display_width(line) <= width_ || gap == std::string::npos) return line;
    return line.substr(0, gap) + "\n" + std::string(6, ' ') + line.substr(line.find_first_not_of(' ', gap));
  }

  std::string described(const std::string& text) const { return broken(text, width_ - column_width_); }

  static std::string broken(std::string text, std::size_t width) {
    std::string lines;
    while (!text.empty()) lines += (lines.empty() ? "" : "\n") + take_line(&text, width);
    return lines;
  }

  std::size_t width_ = 100;
  mutable bool all_ = false;  // True while --help-all is printed.
};

// Joins the allowed values with bars. The text becomes the name of a check. The parser's help does not show
// that name.
std::string joined_by_bars(const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "" : "|") + value;
  return text;
}

std::vector<std::string> split_at_bars(const std::string& text) {
  std::vector<std::string> values;
  std::istringstream parts(text);
  for (std::string value; std::getline(parts, value, '|');) values.push_back(value);
  return values;
}

// Returns the choices that the option's checks allow. Without such checks, returns the lower-case
// alternatives that its placeholder lists, if any.
std::vector<std::string> choices_of(CLI::Option* option) {
  try {
    for (int i = 0;; ++i)
      if (const std::string& name = option->get_validator(i)->get_name(); !name.empty())
        return split_at_bars(name);
  } catch (const CLI::OptionNotFound&) {  // The option has no further checks.
  }
  const std::string value = option->get_type_name();
  const bool alternatives = value.find('|') != std::string::npos &&
                            value.find_first_not_of("abcdefghijklmnopqrstuvwxyz-|") == std::string::npos;
  return alternatives ? split_at_bars(value) : std::vector<std::string>();
}

OptionText text_of(CLI::Option* option) {
  OptionText text;
  for (const std::string& name : option->get_snames()) text.names.push_back("-" + name);
  for (const std::string& name : option->get_lnames()) text.names.push_back("--" + name);
  text.positional = text.names.empty();
  if (text.positional) text.names.push_back(option->get_name());
  if (option->get_type_size() != 0) text.value = option->get_type_name();
  text.required = option->get_required();
  text.list = option->get_expected_max() > 1;
  text.help = option->get_description();
  text.group = text.positional ? "Positionals" : option->get_group();
  text.choices = choices_of(option);
  return text;
}

// Makes the option read 010 as ten. The parser would read it as octal, that is as eight.
void read_as_decimal(CLI::Option* option) {
  option->transform(CLI::Validator(
      [](std::string& text) {
        while (text.size() > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9') text.erase(0, 1);
        return std::string();
      },
      ""));
}

// Returns the names of required options and arguments that are missing, such as "FILE" and "--output FILE".
// Empty if none is missing.
std::string missing_in(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    if (option->get_required() && option->count() == 0)
      names.push_back((option->get_positional() ? "" : option->get_name() + " ") + option->get_type_name());
  return join(names);
}

}  // namespace

Option Option::type_name(const std::string& text) { return Option(option_->type_name(text)); }

Option Option::group(const std::string& heading) { return Option(option_->group(heading)); }

Option Option::capture_default_str() {
  option_->capture_default_str();
  option_->description(option_->get_description() + " (default " + option_->get_default_str() + ")");
  return Option(option_->default_str(""));
}

Option Option::required() { return Option(option_->required()); }

Option Option::take_last() { return Option(option_->take_last()); }

Option Option::allow_extra_args(bool allowed) { return Option(option_->allow_extra_args(allowed)); }

Option Option::delimiter(char separator) { return Option(option_->delimiter(separator)); }

Option Option::excludes(const std::string& option) { return Option(option_->excludes(option)); }

Option Option::one_of(const std::vector<std::string>& values) {
  CLI::Validator member(
      [values](const std::string& text) {
        if (std::find(values.begin(), values.end(), text) != values.end()) return std::string();
        return "`" + text + "` is none of " + join(values) + "." + did_you_mean(text, values);
      },
      "");  // The name is empty, because the placeholder or the help text lists the values.
  return Option(option_->check(member.name(joined_by_bars(values))));
}

Option Option::suggest(const std::vector<std::string>& values) {
  CLI::Validator any([](const std::string&) { return std::string(); }, "");
  return Option(option_->check(any.name(joined_by_bars(values))));
}

Option Option::range(int least, int most) {
  option_->type_name(option_->get_type_name() + " (" + std::to_string(least) + " to " + std::to_string(most) +
                     ")");
  return Option(option_->check(CLI::Range(least, most).description("")));
}

Option Command::add_option(const std::string& names, std::string& value, const std::string& help) {
  return Option(app_->add_option(names, value, help));
}

Option Command::add_option(const std::string& names, std::vector<std::string>& value,
                           const std::string& help) {
  return Option(app_->add_option(names, value, help));
}

Option Command::add_option(const std::string& names, int& value, const std::string& help) {
  CLI::Option* option = app_->add_option(names, value, help);
  read_as_decimal(option);
  return Option(option);
}

Option Command::add_option(const std::string& names, std::uint64_t& value, const std::string& help) {
  CLI::Option* option = app_->add_option(names, value, help);
  read_as_decimal(option);
  // A negative value would otherwise be read as a large unsigned number.
  option->check([](const std::string& text) {
    return text.starts_with('-') ? "a whole number from 0 on, not " + text : std::string();
  });
  return Option(option);
}

Option Command::add_flag(const std::string& names, bool& value, const std::string& help) {
  return Option(app_->add_flag(names, value, help));
}

void Command::take_last_by_default() { app_->option_defaults()->take_last(); }

void Command::footer(const std::string& text) { app_->footer(text); }

void Command::callback(std::function<void()> action) { app_->callback(std::move(action)); }

Command Command::add_subcommand(const std::string& name, const std::string& help) {
  CLI::App* command = app_->add_subcommand(name, help);
  command->set_help_all_flag("--help-all", "Print this help message with rarely used options, too");
  return Command(command);
}

void Command::require_subcommand() { app_->require_subcommand(1); }

void Command::set_version(const std::string& text) { app_->set_version_flag("--version", text); }

void Command::group(const std::string& heading) { app_->group(heading); }

void Command::hide() { app_->group(""); }

std::string Command::name() const { return app_->get_name(); }

bool Command::hidden() const { return app_->get_group().empty(); }

std::vector<Command> Command::subcommands() const {
  std::vector<Command> commands;
  for (CLI::App* app : app_->get_subcommands([](const CLI::App*) { return true; }))
    commands.push_back(Command(app));
  return commands;
}

std::vector<Command> Command::listed_subcommands() const {
  std::vector<Command> commands = subcommands();
  std::erase_if(commands, [](const Command& command) { return command.hidden(); });
  return commands;
}

std::vector<std::string> Command::option_names() const {
  std::vector<std::string> names;
  for (const CLI::Option* option : app_->get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

std::string Command::description() const { return app_->get_description(); }

std::string Command::footer_text() const { return app_->get_footer(); }

std::vector<OptionText> Command::options() const {
  std::vector<OptionText> texts;
  for (CLI::Option* option : app_->get_options()) texts.push_back(text_of(option));
  return texts;
}

std::string Command::help() const {
  const CLI::App* parent = app_->get_parent();
  return app_->get_formatter()->make_help(
      app_, (parent ? parent->get_name() + ' ' : std::string()) + app_->get_name(),
      CLI::AppFormatMode::Normal);
}

std::vector<std::string> Command::given(const std::vector<std::string>& except) const {
  std::vector<std::string> arguments;
  for (const CLI::Option* option : app_->get_options()) {
    if (option->count() == 0 || option->get_lnames().empty()) continue;
    const std::string name = "--" + option->get_lnames().front();
    if (std::find(except.begin(), except.end(), name) != except.end()) continue;
    if (option->get_expected_max() == 0)
      arguments.push_back(name);
    else
      for (const std::string& value : option->results()) arguments.push_back(name + "=" + value);
  }
  return arguments;
}

CommandLine::CommandLine(const std::string& name, const std::string& description)
    : app_(std::make_unique<CLI::App>(description, name)) {
  app_->formatter(std::make_shared<HelpFormatter>());  // Subcommands inherit the formatter.
}

CommandLine::~CommandLine() = default;

Command CommandLine::program() const { return Command(app_.get()); }

void CommandLine::parse(std::vector<std::string> arguments) {
  std::reverse(arguments.begin(), arguments.end());  // CLI11 expects the arguments in reverse order.
  try {
    app_->parse(std::move(arguments));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // The user asked for --help or --version.
      app_->exit(error);
      return;
    }
    const std::vector<CLI::App*> parsed = app_->get_subcommands();
    CLI::App* where = parsed.empty() ? app_.get() : parsed.front();
    const bool required = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
    const std::string missing = required ? missing_in(*where) : "";
    ArgumentError mine(missing.empty() ? error.what() : missing + " is missing", Command(where));
    mine.in_subcommand = !parsed.empty();
    mine.unexpected = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
    if (mine.unexpected) mine.unexpected_arguments = where->remaining();
    throw mine;
  }
}

}  // namespace sextant
