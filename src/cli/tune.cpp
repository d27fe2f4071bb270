// sextant tune: the best tuning in few evaluations.
#include <charconv>
#include <memory>

#include "cli/commands.hpp"
#include "cli/tune_replay.hpp"
#include "cli/values.hpp"
#include "tuner/strategy.hpp"

namespace sextant {
namespace {

struct TuneOptions {
  ReplayOptions replay;
  std::string strategies, budget = "200";
};

std::vector<std::string> strategies_in(const std::string& text) {
  std::vector<std::string> names;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    names.push_back(text.substr(begin, end - begin));
    tuner::require_strategy(names.back());
    if (end == text.size()) return names;
    begin = end + 1;
  }
}

ExitCode tune(TuneOptions options) {
  ReplayOptions& replay = options.replay;
  if (replay.files.empty()) throw UserError("--replay FILE… names the recorded spaces to search.");
  replay.strategies = strategies_in(options.strategies.empty() ? "model" : options.strategies);
  const TuneBudget budget = parse_tune_budget(options.budget);
  if (budget.seconds > 0) throw UserError("--replay counts evaluations: give --budget a number alone.");
  replay.budget = budget.evaluations;
  return replay_tuning(replay);
}

}  // namespace

void add_tune(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("tune", "Find the best tuning in few evaluations");
  const auto options = std::make_shared<TuneOptions>();
  const char* replaying = "Replaying";
  command
      ->add_option("--strategy", options->strategies,
                   "How to search (default model); with --replay several, separated by commas")
      ->type_name("model|local|genetic|random|exhaustive");
  command->add_option("--budget", options->budget, "Evaluations a space may take at most (default 200)")
      ->type_name("N");
  command->add_option("--seed", options->replay.seed, "What the search draws by; the first of --seeds")
      ->type_name("N")
      ->capture_default_str();
  command
      ->add_option(
          "--prior", options->replay.priors,
          "Recorded spaces of other sizes or machines to learn from; others: the other files of --replay; "
          "none")
      ->type_name("FILE…");
  command
      ->add_option(
          "--replay", options->replay.files,
          "Search these recorded spaces, without a device: results files, T4 results, caches of Kernel "
          "Tuner, compact spaces; packed by gzip, too")
      ->type_name("FILE…")
      ->group(replaying);
  command->add_option("--seeds", options->replay.seeds, "So many searches, each with a seed of its own")
      ->type_name("N")
      ->check(CLI::Range(1, 100000))
      ->group(replaying);
  command
      ->add_option("--trajectory", options->replay.trajectory,
                   "Write the points that were evaluated, a line of JSON each")
      ->type_name("FILE")
      ->group(replaying);
  command->add_flag("--json", options->replay.json, "The same rows as JSON");
  command->footer(
      "Examples:\n"
      "  sextant tune --replay A100.json.gz --strategy model,local,random --seeds 25\n"
      "  sextant tune --replay A100.json A4000.json --prior others --seeds 25    learn from the other's\n"
      "  sextant tune --replay tunings.sextant --budget 25 --seeds 25");
  command->callback([options, exit_code] { *exit_code = static_cast<int>(tune(*options)); });
}

}  // namespace sextant
