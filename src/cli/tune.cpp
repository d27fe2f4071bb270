// sextant tune: finds the best tuning of a variant in few evaluations.
#include <charconv>
#include <memory>
#include <utility>

#include "cli/commands.hpp"
#include "cli/options/values.hpp"
#include "cli/tune/live.hpp"
#include "cli/tune/replay.hpp"
#include "tuner/strategy.hpp"

namespace sextant {
namespace {

struct TuneOptions {
  ReplayOptions replay;
  LiveTuningOptions live;
  std::string strategies, budget;
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

// Refuses options that select cases or measure, because a replay searches a recorded tuning space as a whole.
void refuse_selection(const SelectionOptions& typed) {
  const std::pair<const char*, bool> asked[] = {{"--kernels", !typed.kernels.empty()},
                                                {"--variants", !typed.variants.empty()},
                                                {"--suite", !typed.suites.empty()},
                                                {"--sizes", !typed.sizes.empty()},
                                                {"--parameters", !typed.parameters.empty()},
                                                {"--tunings", !typed.tunings.empty()},
                                                {"--type", !typed.types.empty()},
                                                {"--device", !typed.device.empty()}};
  for (const auto& [name, given] : asked)
    if (given)
      throw UserError(std::string("--replay searches the spaces of its files as they are: leave ") + name +
                      " out.");
}

ExitCode tune(TuneOptions options) {
  ReplayOptions& replay = options.replay;
  LiveTuningOptions& live = options.live;
  const TuneBudget budget = options.budget.empty() ? TuneBudget{} : parse_tune_budget(options.budget);
  if (replay.files.empty()) {
    if (replay.seeds > 1 || !replay.trajectory.empty())
      throw UserError("--seeds and --trajectory belong to --replay.");
    live.strategy = options.strategies;
    live.budget = budget;
    live.priors = replay.priors;
    live.seed = replay.seed;
    live.json = replay.json;
    return tune_live(live);
  }
  refuse_selection(live.selection);
  replay.strategies = strategies_in(options.strategies.empty() ? "model" : options.strategies);
  if (budget.seconds > 0 || budget.share > 0)
    throw UserError("--replay counts evaluations: give --budget a number alone.");
  if (budget.evaluations > 0) replay.budget = budget.evaluations;
  return replay_tuning(replay);
}

void add_measuring(Command command, LiveTuningOptions* live) {
  const char* measuring = "Measuring";
  command
      .add_option(
          "--by", live->by,
          "Whose time: device (default; the call's where it is not known), call, or whole: the call with its copies")
      .type_name("device|call|whole")
      .group(measuring);
  command
      .add_option("--top", live->top,
                  "So many of the best are measured again in turns at the end (default 5)")
      .type_name("N")
      .range(1, 50)
      .group(measuring);
  command
      .add_option("--against", live->against,
                  "Compare with the best that this results file has of each space, of `run -t all` perhaps")
      .type_name("FILE")
      .group(measuring);
  command
      .add_option("--samples", live->samples, "Samples a point takes at least and at most (default 10:1000)")
      .type_name("MIN[:MAX]")
      .group(measuring);
  command
      .add_option("--max-noise", live->max_noise,
                  "Stop sampling when the median's interval is ± this (default 1%)")
      .type_name("PERCENT")
      .group(measuring);
  command.add_option("--timeout", live->timeout, "Time a point may take before it is killed (default 60s)")
      .type_name("TIME")
      .group(measuring);
  live->selection.add_cache(command);
  command.add_flag("--in-process", live->in_process, "No worker processes: for debuggers").group(measuring);
  command.add_flag("--no-ceilings", live->no_ceilings, "Do not measure what the devices can do at best")
      .group(measuring);
  command.add_flag("--one", live->one,
                   "One tuning for all sizes of a kernel and variant: whose worst loss is least");
  command.add_flag("--dry-run", live->dry_run, "Say how large the spaces are; try nothing");
  command.add_flag("--timings", live->timings,
                   "At the end say, on standard error, where the time went, stage by stage");
  command.add_flag("--fresh", live->fresh, "Try again what the results file holds");
  command.add_flag("-q,--quiet", live->quiet, "No progress and no notes");
}

}  // namespace

void add_tune(Command app, int* exit_code) {
  Command command = app.add_subcommand("tune", "Find the best tuning in few evaluations");
  const auto options = std::make_shared<TuneOptions>();
  const char* replaying = "Replaying";
  LiveTuningOptions& live = options->live;
  live.selection.add_all(command);
  live.selection.add_suite(command);
  live.selection.add_load(command);
  command.add_option("-o,--output", live.file, "Results file; what it holds is not tried again")
      .type_name("FILE")
      .capture_default_str();
  command
      .add_option("--strategy", options->strategies,
                  "How to search (default model); with --replay several, separated by commas")
      .type_name("model|local|genetic|random|exhaustive");
  command
      .add_option(
          "--budget", options->budget,
          "What it may cost: evaluations a space (default 200) or a share of its points, a time for all "
          "spaces, or both: 200, 33%, 10m, 200,10m; the same command continues")
      .type_name("N|TIME");
  command.add_option("--seed", options->replay.seed, "What the search draws by; the first of --seeds")
      .type_name("N")
      .capture_default_str();
  command
      .add_option(
          "--prior", options->replay.priors,
          "Recorded spaces of other sizes or machines to learn from, or a data set's folder; others: the other "
          "files of --replay; none")
      .type_name("FILE|FOLDER");
  command
      .add_option(
          "--replay", options->replay.files,
          "Search these recorded spaces, without a device: results files, T4 results, KTT's results, caches of "
          "Kernel Tuner, compact spaces; packed by gzip, too")
      .type_name("FILE")
      .group(replaying);
  command.add_option("--seeds", options->replay.seeds, "So many searches, each with a seed of its own")
      .type_name("N")
      .range(1, 100000)
      .group(replaying);
  command
      .add_option("--trajectory", options->replay.trajectory,
                  "Write the points that were evaluated, a line of JSON each")
      .type_name("FILE")
      .group(replaying);
  add_measuring(command, &live);
  command.add_flag("--json", options->replay.json, "The same rows as JSON");
  command.footer(
      "Examples:\n"
      "  sextant tune -k stencil3d_7pt -v openmp -n 9437184\n"
      "  sextant tune -k matmul -v cuda -n 1Ki:64Mi:x4 --budget 10m -o tuned.sextant\n"
      "  sextant tune -k matmul -v cuda.register_tile -n 64Mi --budget 60\n"
      "  sextant tune -k triad -v cuda.vector -n 1Ki:64Mi:x4 --one       one tuning for all sizes\n"
      "  sextant tune --suite patterns -v cuda --budget 100,20m          a suite at its own sizes\n"
      "  sextant tune --replay A100.json.gz --strategy model,local,random --seeds 25\n"
      "  sextant tune --replay A100.json A4000.json --prior others --seeds 25    learn from the other's\n"
      "  sextant tune --replay tunings.sextant --budget 25 --seeds 25\n"
      "Exit codes: 0 also when the budget ended the search; 3 if any point gave a wrong result; 5 if nothing "
      "could be measured; 6 if whole spaces are left.");
  command.callback([options, exit_code] { *exit_code = static_cast<int>(tune(*options)); });
}

}  // namespace sextant
