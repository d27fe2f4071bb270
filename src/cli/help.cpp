// sextant help: prints the text of --help, or writes it as manual pages.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "cli/commands.hpp"
#include "cli/files/output.hpp"
#include "cli/help/manual.hpp"

namespace sextant {
namespace {

Command command_named(const Command& program, const std::string& name) {
  if (name.empty()) return program;
  const std::vector<Command> commands = program.listed_subcommands();
  const auto found =
      std::find_if(commands.begin(), commands.end(), [&](const Command& one) { return one.name() == name; });
  if (found != commands.end()) return *found;
  std::vector<std::string> names;
  for (const Command& one : commands) names.push_back(one.name());
  throw UserError("there is no subcommand `" + name + "`." + did_you_mean(name, names) +
                  " `sextant --help` lists them.");
}

void write_manual(const Command& program, const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  std::vector<Command> commands = program.listed_subcommands();
  commands.insert(commands.begin(), program);
  for (const Command& command : commands)
    write_output(manual_page(program, command),
                 (std::filesystem::path(folder) / manual_name(command)).string());
}

}  // namespace

void add_help(Command app, int*) {
  Command command = app.add_subcommand("help", "Print help or the manual page of a subcommand");
  struct Asked {
    std::string command, folder;
    bool man = false;
  };
  const auto asked = std::make_shared<Asked>();
  command.add_option("command", asked->command, "Print help on this subcommand (default the whole program)")
      .type_name("COMMAND");
  command.add_flag("--man", asked->man, "Print the manual page in the format that `man -l -` reads");
  command.add_option("-o,--output", asked->folder, "Write the manual pages of all subcommands to this folder")
      .type_name("FOLDER");
  command.footer(
      "Examples:\n"
      "  sextant help run                                  prints the same as `sextant run --help`\n"
      "  sextant help --man run | man -l -\n"
      "  sextant help --man -o ~/.local/share/man/man1     makes `man sextant-run` work");
  command.callback([app, asked] {
    if (!asked->folder.empty()) return write_manual(app, asked->folder);
    const Command what = command_named(app, asked->command);
    std::fputs((asked->man ? manual_page(app, what) : what.help()).c_str(), stdout);
  });
}

}  // namespace sextant
