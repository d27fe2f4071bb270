// sextant: parse, call, report how it went. Data goes to standard output, everything else to standard error.
#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "cli/commands.hpp"

namespace sextant {
namespace {

int fail(const std::string& message, ExitCode code) {
  std::fflush(stdout);
  std::fprintf(stderr, "sextant: %s\n", message.c_str());
  return static_cast<int>(code);
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (!command->get_group().empty()) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

// CLI11 says only that a subcommand is required; this says which one was meant.
void refuse_unknown_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  const std::string wrong = argv[1];
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (command->get_name() == wrong) return;
  throw UserError("there is no subcommand `" + wrong + "`." + did_you_mean(wrong, command_names(app)) +
                  " `sextant --help` lists them.");
}

bool one_of(const std::string& text, std::initializer_list<const char*> names) {
  return std::any_of(names.begin(), names.end(), [&](const char* name) { return text == name; });
}

// "block_y=4,8": what may follow -t and -p.
bool is_assignment(const std::string& text) {
  const std::size_t equals = text.find('=');
  return equals != std::string::npos && equals > 0 && text[0] != '-' && equals + 1 < text.size() &&
         text.find_first_not_of("0123456789,", equals + 1) == std::string::npos;
}

// "64Ki", "1Ki:64Mi:x4", "100x37x53": what may follow -n, if no file has that name.
bool is_size(const std::string& text) {
  std::error_code error;
  return std::isdigit(static_cast<unsigned char>(text[0])) &&
         text.find_first_not_of("0123456789.^:+,x/arykKMGTiBe") == std::string::npos &&
         !std::filesystem::exists(text, error);
}

// Lists may be written with blanks, in every subcommand: `-n 64Ki 1Mi`, `-t block_x=32 block_y=4,8`. CLI11 would take
// what follows the first for positional arguments, or swallow those. Here each list becomes one argument.
std::vector<std::string> joined_lists(int argc, char** argv) {
  std::vector<std::string> arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    arguments.push_back(option);
    const bool assignments = one_of(option, {"-t", "--tunings", "-p", "--parameters"});
    const bool sizes = one_of(option, {"-n", "--sizes"});
    if ((!assignments && !sizes) || i + 1 >= argc) continue;
    std::string list = argv[++i];
    while (i + 1 < argc) {
      const std::string next = argv[i + 1];
      const bool open = sizes && list.ends_with(',') && !next.starts_with('-');
      if (next.empty() || !(open || (assignments ? is_assignment(next) : is_size(next)))) break;
      list += " " + next;
      ++i;
    }
    arguments.push_back(list);
  }
  return arguments;
}

std::string explain(const CLI::ParseError& error, const CLI::App& app) {
  const std::vector<CLI::App*> parsed = app.get_subcommands();
  const CLI::App& command = parsed.empty() ? app : *parsed.front();
  const std::string help = parsed.empty() ? "sextant --help" : "sextant " + command.get_name() + " --help";
  if (dynamic_cast<const CLI::ExtrasError*>(&error)) {
    const std::vector<std::string> extras = command.remaining();
    const std::string wrong = extras.empty() ? "" : extras.front().substr(0, extras.front().find('='));
    if (!wrong.empty() && wrong[0] == '-')
      return "there is no option `" + wrong + "`." + did_you_mean(wrong, option_names(command)) + " `" +
             help + "` lists them.";
    return "unexpected argument `" + wrong + "`. `" + help + "` shows what is expected.";
  }
  return std::string(error.what()) + ". `" + help + "` shows what is expected.";
}

int run_main(int argc, char** argv) {
  CLI::App app{
      "Measures parallel patterns in every programming model that the machine has, checks every result and "
      "says which wins."};
  app.name("sextant");
  app.set_version_flag("--version", "sextant " SEXTANT_VERSION);
  app.require_subcommand(1);
  int exit_code = 0;
  add_all_commands(app, &exit_code);
  // After the subcommands, which would inherit it.
  app.footer(
      "`sextant run` does the study; `sextant <subcommand> --help` has examples.\n"
      "Exit codes: 0 all well, 1 internal error, 2 usage, 3 a check failed or nothing was measured,\n"
      "4 a regression was found, 5 a required device or model is missing,\n"
      "6 stopped early by budget, 130 interrupted.");
  try {
    refuse_unknown_command(app, argc, argv);
    std::vector<std::string> arguments = joined_lists(argc, argv);
    std::reverse(arguments.begin(), arguments.end());  // as CLI11 takes them
    app.parse(std::move(arguments));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    return fail(explain(error, app), ExitCode::usage);
  } catch (const UserError& error) {
    return fail(error.what(), error.code);
  } catch (const std::bad_alloc&) {
    return fail("out of memory. Choose smaller sizes with --sizes.", ExitCode::internal);
  } catch (const std::exception& error) {
    return fail(std::string("internal error: ") + error.what(), ExitCode::internal);
  }
  return exit_code;
}

}  // namespace
}  // namespace sextant

int main(int argc, char** argv) {
  // A limit on file sizes then fails the write, which is told and loses nothing, instead of killing the process.
  std::signal(SIGXFSZ, SIG_IGN);
  return sextant::run_main(argc, argv);
}
