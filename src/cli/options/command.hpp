// Defines the command line's commands and options for the subcommands. Only command.cpp includes the parser
// library, because its headers take longer to compile than a subcommand does.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace sextant {

// Heading of the options that only --help-all lists.
constexpr const char* rarely_used = "Rarely used";

// A handle to an option of a command, as small as a pointer. Each setter returns the handle.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option type_name(const std::string& text);  // Placeholder of the value in --help.
  Option group(const std::string& heading);   // Heading of --help that lists the option.
  Option capture_default_str();               // Adds "(default X)" to the help, with the variable's value.
  Option required();
  Option take_last();  // If the option is repeated, the last occurrence counts.
  // Allows a list to take several values at once; otherwise it takes one per occurrence.
  Option allow_extra_args(bool allowed);
  Option delimiter(char separator);  // Sets the separator of a list's values within one argument.
  Option excludes(const std::string& option);
  Option one_of(const std::vector<std::string>& values);
  // Suggests values that shells complete. Other values are also allowed.
  Option suggest(const std::vector<std::string>& values);
  Option range(int least, int most);

 private:
  CLI::Option* option_;
};

// The description of an option or positional argument, for manuals and shells.
struct OptionText {
  std::vector<std::string> names;  // "-k", "--kernels"; a positional argument has only its name.
  bool positional = false;
  std::string value;  // Placeholder of the value, such as "FILE"; empty: a flag.
  bool required = false, list = false;
  std::string help, group;  // `group` is the heading in --help, such as "Options" or "Selection".
  // Values from one_of or suggest, or from a placeholder that lists them, such as "warm|cold".
  std::vector<std::string> choices;
};

// A handle to the program or to a subcommand. It is as small as a pointer.
class Command {
 public:
  explicit Command(CLI::App* app) : app_(app) {}

  // Adds an option that stores its argument in `value`, which must exist until parsing has ended. `names` has
  // the form "-k,--kernels"; a name without dashes makes a positional argument.
  Option add_option(const std::string& names, std::string& value, const std::string& help = "");
  Option add_option(const std::string& names, std::vector<std::string>& value, const std::string& help = "");
  Option add_option(const std::string& names, int& value, const std::string& help = "");
  Option add_option(const std::string& names, std::uint64_t& value, const std::string& help = "");
  Option add_flag(const std::string& names, bool& value, const std::string& help = "");
  void take_last_by_default();  // Applies to options that are added later: their last occurrence counts.
  void footer(const std::string& text);
  // Sets the function that is called after all arguments are parsed.
  void callback(std::function<void()> action);

  Command add_subcommand(const std::string& name, const std::string& help);
  void require_subcommand();
  void set_version(const std::string& text);  // Text of --version.
  void group(const std::string& heading);     // Heading of --help that lists the command.
  void hide();                                // Hides the command in the list of --help.

  std::string name() const;
  bool hidden() const;
  std::vector<Command> subcommands() const;
  // Returns the subcommands that are not hidden, in the order of --help.
  std::vector<Command> listed_subcommands() const;
  std::vector<std::string> option_names() const;  // Returns the names of all options, including their dashes.
  std::string description() const;
  std::string footer_text() const;
  // Returns the options in the order of --help; --help itself comes first.
  std::vector<OptionText> options() const;
  std::string help() const;  // Returns the text of --help.
  // Returns the options that the user gave as equivalent arguments: --name=value, or --name for a flag.
  // Positional arguments and the options in `except` (such as "--json") are left out.
  std::vector<std::string> given(const std::vector<std::string>& except) const;

 private:
  CLI::App* app_;
};

// Thrown if arguments do not match the commands and options; what() gives the reason.
struct ArgumentError : std::runtime_error {
  ArgumentError(const std::string& why, Command where) : std::runtime_error(why), command(where) {}

  Command command;             // The subcommand, or the program, to which the arguments belong.
  bool in_subcommand = false;  // True if `command` is a subcommand.
  bool unexpected = false;     // True if some arguments match no option; they are listed below.
  std::vector<std::string> unexpected_arguments;
};

// A command line. It must outlive the handles to its commands and options.
class CommandLine {
 public:
  explicit CommandLine(const std::string& name = "", const std::string& description = "");
  ~CommandLine();

  Command program() const;

  // Sets the variables of the options and calls the callbacks of the commands. For --help and --version it
  // prints the text instead. Throws ArgumentError and the exceptions of the callbacks.
  void parse(std::vector<std::string> arguments);

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace sextant
