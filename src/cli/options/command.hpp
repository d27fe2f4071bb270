// The command line's commands and options as the subcommands see them. Only command.cpp knows the library
// that parses them: its headers take longer to compile than all that a subcommand does.
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

// An option that a command has; a handle, as light as a pointer. Each of these changes it and returns it.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option type_name(const std::string& text);  // what --help shows for the value
  Option group(const std::string& heading);   // the heading of --help under which it stands
  Option capture_default_str();               // --help shows the value that the variable has now
  Option required();
  Option take_last();                     // given twice, the last counts
  Option allow_extra_args(bool allowed);  // a list takes several values at once, or one each time
  Option delimiter(char separator);       // between a list's values in one argument
  Option excludes(const std::string& option);
  Option one_of(const std::vector<std::string>& values);
  Option suggest(const std::vector<std::string>& values);  // to shells; others are allowed, too
  Option range(int least, int most);

 private:
  CLI::Option* option_;
};

// An option or a positional argument as manuals and shells describe it.
struct OptionText {
  std::vector<std::string> names;  // "-k", "--kernels"; of a positional argument its name alone
  bool positional = false;
  std::string value;          // what stands for its value: "FILE"; empty: it is a flag
  std::string default_value;  // that --help shows
  bool required = false, list = false;
  std::string help, group;  // the heading of --help under which it stands: "Options", "Selection", …
  std::vector<std::string> choices;  // of one_of, suggest, or a value's text that lists them: warm|cold
};

// The program itself or a subcommand; a handle, as light as a pointer.
class Command {
 public:
  explicit Command(CLI::App* app) : app_(app) {}

  // What stands behind one of `names` on the command line goes into `value`, which must live until then:
  // "-k,--kernels"; names without dashes are positional arguments.
  Option add_option(const std::string& names, std::string& value, const std::string& help = "");
  Option add_option(const std::string& names, std::vector<std::string>& value, const std::string& help = "");
  Option add_option(const std::string& names, int& value, const std::string& help = "");
  Option add_option(const std::string& names, std::uint64_t& value, const std::string& help = "");
  Option add_flag(const std::string& names, bool& value, const std::string& help = "");
  void take_last_by_default();  // of options that are added after this
  void footer(const std::string& text);
  void callback(std::function<void()> action);  // called once all arguments are parsed

  Command add_subcommand(const std::string& name, const std::string& help);
  void require_subcommand();
  void set_version(const std::string& text);  // what --version prints
  void hide();                                // from the subcommands that --help lists

  std::string name() const;
  bool hidden() const;
  std::vector<Command> subcommands() const;
  std::vector<Command> listed_subcommands() const;  // those that are not hidden, in the order of --help
  std::vector<std::string> option_names() const;    // with their dashes
  std::string description() const;
  std::string footer_text() const;
  std::vector<OptionText> options() const;  // in the order of --help, which comes first
  std::string help() const;                 // what --help prints
  // What was typed, as arguments that mean the same: --name=value, flags alone; without positional arguments
  // and those options that `except` names ("--json").
  std::vector<std::string> given(const std::vector<std::string>& except) const;

 private:
  CLI::App* app_;
};

// Arguments that do not fit the commands and options; what() says why.
struct ArgumentError : std::runtime_error {
  ArgumentError(const std::string& why, Command where) : std::runtime_error(why), command(where) {}

  Command command;             // that they belong to: a subcommand or the program
  bool in_subcommand = false;  // which of the two
  bool unexpected = false;     // nothing takes some of them:
  std::vector<std::string> unexpected_arguments;
};

// A command line; lives longer than the handles to its commands and options.
class CommandLine {
 public:
  explicit CommandLine(const std::string& name = "", const std::string& description = "");
  ~CommandLine();

  Command program() const;

  // Fills the options' variables and calls what the commands do. For --help and --version it prints what they
  // ask for instead. Throws ArgumentError, and what the callbacks throw.
  void parse(std::vector<std::string> arguments);

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace sextant
