// sextant: parses the command line, runs a subcommand and reports errors. Data go to standard output,
// everything else to standard error.
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
#include "cli/files/output.hpp"
#include "run/interrupt.hpp"
#include "store/results_file.hpp"

namespace sextant {
namespace {

int fail(const std::string& message, ExitCode code) {
  std::fflush(stdout);
  std::fprintf(stderr, "sextant: %s\n", message.c_str());
  return static_cast<int>(code);
}

std::vector<std::string> command_names(const Command& program) {
  std::vector<std::string> names;
  for (const Command& command : program.listed_subcommands()) names.push_back(command.name());
  return names;
}

// Rejects an unknown subcommand and suggests the most similar name. The parser would only say that a
// subcommand is required.
void refuse_unknown_command(const Command& program, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  const std::string wrong = argv[1];
  for (const Command& command : program.subcommands())
    if (command.name() == wrong) return;
  throw UserError("there is no subcommand `" + wrong + "`." + did_you_mean(wrong, command_names(program)) +
                  " `sextant --help` lists them.");
}

bool one_of(const std::string& text, std::initializer_list<const char*> names) {
  return std::any_of(names.begin(), names.end(), [&](const char* name) { return text == name; });
}

// Groups the commands of --help by task.
void group_commands(const Command& program) {
  const auto group = [&](const char* heading, std::initializer_list<const char*> names) {
    for (Command command : program.listed_subcommands())
      if (one_of(command.name(), names)) command.group(heading);
  };
  group("Look around", {"list", "doctor"});
  group("Measure", {"run", "verify", "submit"});
  group("Read results", {"show", "report", "compare", "export", "merge"});
  group("Tune and decide", {"tune", "advise", "predict", "train"});
  group("Look inside a kernel", {"explain", "profile"});
  group("Your own kernels", {"new", "cache"});
  group("Help", {"help", "completion"});
}

// True for a text such as "block_y=4,8", which may be a value of -t or -p.
bool is_assignment(const std::string& text) {
  const std::size_t equals = text.find('=');
  return equals != std::string::npos && equals > 0 && text[0] != '-' && equals + 1 < text.size() &&
         text.find_first_not_of("0123456789,", equals + 1) == std::string::npos;
}

// Returns true for a size that may follow -n, such as "64Ki", "1Ki:64Mi:x4" or "100x37x53", unless a file has
// that name.
bool is_size(const std::string& text) {
  std::error_code error;
  return std::isdigit(static_cast<unsigned char>(text[0])) &&
         text.find_first_not_of("0123456789.^:+,x/arykKMGTiBe") == std::string::npos &&
         !std::filesystem::exists(text, error);
}

// Joins the values of a list that are separated by blanks into one argument: `-n 64Ki 1Mi`, `-t block_x=32
// block_y=4,8`. Without this, the parser would treat the later values as positional arguments, or positional
// arguments as values.
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

std::string explain(const ArgumentError& error) {
  const std::string help =
      error.in_subcommand ? "sextant " + error.command.name() + " --help" : "sextant --help";
  const std::string what = error.what();
  if (!error.unexpected)
    return what + (what.ends_with('?') ? "" : ".") + " `" + help + "` shows what is expected.";
  const std::vector<std::string>& extras = error.unexpected_arguments;
  const std::string wrong = extras.empty() ? "" : extras.front().substr(0, extras.front().find('='));
  if (!wrong.empty() && wrong[0] == '-')
    return "there is no option `" + wrong + "`." + did_you_mean(wrong, error.command.option_names()) + " `" +
           help + "` lists them.";
  if (error.in_subcommand && is_results_file(wrong))
    return "`sextant " + error.command.name() + "` takes no results file. `sextant show " + wrong +
           "` prints its results, `" + help + "` shows what is expected.";
  return "unexpected argument `" + wrong + "`. `" + help + "` shows what is expected.";
}

int run_main(int argc, char** argv) {
  CommandLine command_line("sextant",
                           "Measures parallel patterns in every programming model, checks the results and "
                           "says which model is fastest.");
  Command program = command_line.program();
  program.set_version("sextant " SEXTANT_VERSION);
  program.require_subcommand();
  int exit_code = 0;
  add_all_commands(program, &exit_code);
  group_commands(program);
  // Subcommands inherit the footer of the program. It is therefore set after they were added.
  program.footer(
      "Begin with `sextant run`. `sextant SUBCOMMAND --help` prints the options of a subcommand, with "
      "examples.\n"
      "Exit codes:\n"
      "  0     success\n"
      "  1     internal error\n"
      "  2     wrong usage\n"
      "  3     a check failed, or nothing was measured\n"
      "  4     `sextant compare` found a case of `--fail-on`\n"
      "  5     a required device or programming model is missing\n"
      "  6     `--budget` ended the command early, or cases are missing\n"
      "  130   the user interrupted the program\n"
      "  143   SIGTERM ended the program");
  try {
    refuse_unknown_command(program, argc, argv);
    command_line.parse(joined_lists(argc, argv));
    if (exit_code == 0) require_written_output();
  } catch (const ArgumentError& error) {
    return fail(explain(error), ExitCode::usage);
  } catch (const UserError& error) {
    return fail(error.what(), error.code);
  } catch (const std::bad_alloc&) {
    return fail("there is not enough memory. Choose smaller sizes with --sizes.", ExitCode::internal);
  } catch (const std::exception& error) {
    return fail("internal error: " + as_sentence(error.what()) +
                    " If it happens again, report it with the output of `sextant doctor`.",
                ExitCode::internal);
  }
  return exit_code;
}

}  // namespace
}  // namespace sextant

int main(int argc, char** argv) {
  // SIGXFSZ is ignored, because it would kill the process when a file reaches a size limit. Instead the write
  // fails, and the error is reported without losing data.
  std::signal(SIGXFSZ, SIG_IGN);
  const int code = sextant::run_main(argc, argv);
  return code == static_cast<int>(sextant::ExitCode::interrupted) ? sextant::InterruptGuard::exit_code()
                                                                  : code;
}
