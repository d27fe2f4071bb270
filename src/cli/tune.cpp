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
      throw UserError(std::string("--replay searches all tunings that its files hold. Leave ") + name +
                      " out.");
}

ExitCode tune(TuneOptions options) {
  ReplayOptions& replay = options.replay;
  LiveTuningOptions& live = options.live;
  const TuneBudget budget = options.budget.empty() ? TuneBudget{} : parse_tune_budget(options.budget);
  if (replay.files.empty()) {
    if (replay.seeds > 1 || !replay.trajectory.empty())
      throw UserError("--seeds and --trajectory apply only to --replay. Add --replay, or leave them out.");
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
    throw UserError(
        "--replay measures nothing, so it has no time limit. Give --budget a number of evaluations, such as "
        "200.");
  if (budget.evaluations > 0) replay.budget = budget.evaluations;
  return replay_tuning(replay);
}

void add_measuring(Command command, LiveTuningOptions* live) {
  const char* measuring = "Measuring";
  command
      .add_option("--by", live->by,
                  "Minimize device time (`device`), call time (`call`), time including data copies "
                  "(`whole`), energy (`energy`), or energy times time (`edp`) (default device)")
      .type_name("device|call|whole|energy|edp")
      .group(measuring);
  command
      .add_option(
          "--top", live->top,
          "Measure the N fastest tunings (launch settings) again at the end of each search (default 5)")
      .type_name("N")
      .range(1, 50)
      .group(measuring);
  command
      .add_option("--against", live->against,
                  "Compare the found tunings (launch settings) with the best ones in this results file")
      .type_name("FILE")
      .group(measuring);
  command
      .add_option("--samples", live->samples,
                  "Time each tuning (launch settings such as block size) at least MIN and at most MAX times "
                  "(default 10:1000)")
      .type_name("MIN[:MAX]")
      .group(measuring);
  command
      .add_option("--max-noise", live->max_noise,
                  "Stop timing a tuning (launch settings such as block size) when its median time is certain "
                  "to ± PERCENT (95 % confidence interval) (default 1%)")
      .type_name("PERCENT")
      .group(measuring);
  command
      .add_option(
          "--timeout", live->timeout,
          "Stop the measurement of a tuning (launch settings) that takes longer than TIME (default 60s)")
      .type_name("TIME")
      .group(measuring);
  live->selection.add_cache(command);
  command
      .add_flag("--in-process", live->in_process,
                "Measure inside the main process, without worker processes, for use with a debugger")
      .group(rarely_used);
  command
      .add_flag("--no-ceilings", live->no_ceilings,
                "Do not measure device limits such as memory bandwidth (ceilings)")
      .group(rarely_used);
  command.add_flag(
      "--one", live->one,
      "Choose one tuning (launch settings) for all sizes of a variant (implementation), not one per size");
  command.add_flag(
      "--dry-run", live->dry_run,
      "Print the number of tunings (launch settings) and the expected duration, but measure nothing");
  command.add_flag("--timings", live->timings, "Print at the end how long each stage of the search took")
      .group(rarely_used);
  command.add_flag("--fresh", live->fresh,
                   "Repeat the measurements that the results file (`-o`) already holds");
  command.add_flag("-q,--quiet", live->quiet, "Print no progress and no notes");
}

}  // namespace

void add_tune(Command app, int* exit_code) {
  Command command = app.add_subcommand("tune", "Find the fastest launch settings (tunings)");
  const auto options = std::make_shared<TuneOptions>();
  const char* replaying = "Searching recorded measurements";
  LiveTuningOptions& live = options->live;
  live.selection.add_all(command);
  live.selection.add_suite(command);
  live.selection.add_load(command);
  command
      .add_option("-o,--output", live.file,
                  "Store results in FILE, and reuse the measurements that FILE already holds")
      .type_name("FILE")
      .capture_default_str();
  command
      .add_option("--strategy", options->strategies,
                  "Choose the search strategy; with `--replay`, commas separate several strategies to "
                  "compare (default model)")
      .type_name("model|local|genetic|random|exhaustive");
  command
      .add_option("--budget", options->budget,
                  "Try at most N launch settings per search (`200`, or `33%` of all), or stop after TIME "
                  "(`10m`) (default 200)")
      .type_name("N|TIME");
  command.add_option("--seed", options->replay.seed, "Use this seed for the search's random choices")
      .type_name("N")
      .capture_default_str()
      .group(rarely_used);
  command
      .add_option("--prior", options->replay.priors,
                  "Let the search learn from earlier results in these files (`none`: no file; `others`: the "
                  "other files of `--replay`)")
      .type_name("FILE|FOLDER");
  command
      .add_option(
          "--replay", options->replay.files,
          "Test search strategies on recorded measurements in these files, without measuring on a device")
      .type_name("FILE")
      .group(replaying);
  command
      .add_option("--seeds", options->replay.seeds,
                  "Repeat each search of `--replay` N times, each time with another random seed (default 1)")
      .type_name("N")
      .range(1, 100000)
      .group(replaying);
  command
      .add_option("--trajectory", options->replay.trajectory,
                  "Write to FILE a JSON line for each tuning (launch settings) that `--replay` tried")
      .type_name("FILE")
      .group(replaying);
  add_measuring(command, &live);
  command.add_flag("--json", options->replay.json, "Print the table of results as JSON");
  command.footer(
      "Examples:\n"
      "  sextant tune -k stencil3d_7pt -v openmp -n 9437184\n"
      "  sextant tune -k matmul -v cuda -n 1Ki:64Mi:x4 --budget 10m -o tuned.sextant\n"
      "  sextant tune -k matmul -v cuda.register_tile -n 64Mi --budget 60\n"
      "  sextant tune -k matmul -v cuda.register_tile -n 64Mi --by energy\n"
      "  sextant tune -k triad -v cuda.vector -n 1Ki:64Mi:x4 --one       finds one tuning for all sizes\n"
      "  sextant tune --suite patterns -v cuda --budget 100,20m          tunes a suite at its default sizes\n"
      "  sextant tune --replay A100.json.gz --strategy model,local,random --seeds 25\n"
      "  sextant tune --replay A100.json A4000.json --prior others --seeds 25    learns from the other file\n"
      "  sextant tune --replay tunings.sextant --budget 25 --seeds 25\n"
      "Exit codes:\n"
      "  0   success, also if `--budget` ended a search\n"
      "  3   a tuning gave a wrong result\n"
      "  5   nothing could be measured\n"
      "  6   `--budget` ended before some searches began");
  command.callback([options, exit_code] { *exit_code = static_cast<int>(tune(*options)); });
}

}  // namespace sextant
